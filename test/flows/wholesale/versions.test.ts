import { expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { SANDBOX_ACCOUNT } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';

const FEEDS = [
  { tenant: 'sales', task: 'get_products', mode: 'buying_mode', rows: 'products', schema: 'media-buy/get-products' },
  { tenant: 'signals', task: 'get_signals', mode: 'discovery_mode', rows: 'signals', schema: 'signals/get-signals' },
] as const;
type Feed = (typeof FEEDS)[number];
type Read = Readonly<Record<string, unknown>>;

const readFeed = async (server: Booted, feed: Feed, args: object = {}, version = '3.1') => {
  const whole = { [feed.mode]: 'wholesale', ...args };
  const { payload, isError } = await server.call(feed.task, whole, { tenant: feed.tenant, version });
  if (hasSchemas('3.1') && version === '3.1' && !isError)
    expect(schemaJudge('3.1')(`${feed.schema}-response`, payload)).toEqual([]);
  return payload as unknown as Read;
};

test.each(FEEDS)('$task answers a buyer who has the feed as it is without its rows', async (feed) => {
  const server = await boot();
  const whole = await readFeed(server, feed);
  expect(whole[feed.rows]).not.toHaveLength(0);
  const { wholesale_feed_version: version } = whole;
  expect(version).toEqual(expect.stringMatching(/^[\w-]{10,}$/));
  const again = await readFeed(server, feed, { if_wholesale_feed_version: version, if_pricing_version: 'x' });
  expect(again).toMatchObject({ unchanged: true, wholesale_feed_version: version, cache_scope: 'public' });
  expect(again).not.toHaveProperty(feed.rows);
  const stale = await readFeed(server, feed, { if_wholesale_feed_version: 'another' });
  expect(stale).toMatchObject({ wholesale_feed_version: version, [feed.rows]: whole[feed.rows] });
  expect(stale).not.toHaveProperty('unchanged');
  // A page of it has the version of the whole; 3.0 knows none.
  expect(await readFeed(server, feed, { pagination: { max_results: 1 } })).toMatchObject({
    wholesale_feed_version: version,
  });
  const older = await readFeed(server, feed, { if_wholesale_feed_version: version }, '3.0');
  expect(older).not.toHaveProperty('wholesale_feed_version');
  expect(older[feed.rows]).not.toHaveLength(0);
});

test.each(FEEDS)(
  '$task takes a version with a whole feed alone, and one of prices with one of the feed',
  async (feed) => {
    const server = await boot();
    const brief = feed.task === 'get_products' ? { buying_mode: 'brief', brief: 'video' } : { signal_spec: 'cars' };
    const ask = async (args: object) => (await server.call(feed.task, args, { tenant: feed.tenant })).payload.errors;
    expect(await ask({ ...brief, if_wholesale_feed_version: 'x' })).toMatchObject([
      { code: 'INVALID_REQUEST', field: 'if_wholesale_feed_version' },
    ]);
    expect(await ask({ [feed.mode]: 'wholesale', if_pricing_version: 'x' })).toMatchObject([
      { code: 'INVALID_REQUEST', field: 'if_pricing_version' },
    ]);
  },
);

test('the version of a catalog changes with its filters, and with what an edit changes: a price, a word', async () => {
  const folder = tenantsFolder();
  const server = await boot({ tenants: folder });
  const [sales] = FEEDS;
  const versions = new Set<unknown>();
  const note = async (args: object = {}) => versions.add((await readFeed(server, sales, args)).wholesale_feed_version);
  await note();
  await note({ account: { account_id: SANDBOX_ACCOUNT } });
  expect(versions.size).toBe(1);
  await note({ filters: { delivery_type: 'guaranteed' } });
  const edited = shippedTenant();
  for (const edit of [
    () => Object.assign(edited.products[0]?.pricing_options[0] ?? {}, { fixed_price: 6 }),
    () => Object.assign(edited.products[1] ?? {}, { description: 'Other words.' }),
    () => edited.products.pop(),
  ]) {
    edit();
    writeTenant(folder, edited);
    await server.server().reload();
    await note();
  }
  expect(versions.size).toBe(5);
});

test('capabilities name the versions, to callers of 3.1', async () => {
  const server = await boot();
  const shown = async (tenant: string, version: string) =>
    (await server.call('get_adcp_capabilities', {}, { tenant, version })).payload;
  const declared = { wholesale_feed_versioning: { supported: true, pricing_version_separate: false } };
  expect(await shown('sales', '3.1')).toMatchObject(declared);
  expect(await shown('signals', '3.1')).toMatchObject(declared);
  expect(await shown('sales', '3.0')).not.toHaveProperty('wholesale_feed_versioning');
  expect(await shown('creative', '3.1')).not.toHaveProperty('wholesale_feed_versioning');
});
