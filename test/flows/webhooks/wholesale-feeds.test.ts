import { expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import { settle, verifierOf } from '../../kit/events.js';
import { type ReceivedPost, startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { shippedTenant, type TenantDraft, tenantsFolder, writeTenant } from '../../kit/tenants.js';

const KEY = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
const PRODUCTS = ['product.created', 'product.updated', 'product.priced', 'product.removed'];
const SIGNALS = ['signal.created', 'signal.updated', 'signal.priced', 'signal.removed'];
const BULK = 'wholesale_feed.bulk_change';

type Kind = 'sales' | 'signals';

/** A server of one tenant whose events an endpoint hears. */
async function subscribed(name: Kind, event_types: readonly string[], bend?: (tenant: TenantDraft) => void) {
  const hook = await startReceiver();
  hook.always(({ json }) =>
    json.type === 'webhook.challenge' ? { status: 200, body: JSON.stringify({ challenge: json.challenge }) } : 200,
  );
  const folder = tenantsFolder(bend, name);
  const server = await boot({ tenants: folder, ids: 'system' });
  const config = { subscriber_id: 'mirror', url: hook.url, event_types };
  const args = {
    idempotency_key: freshKey(),
    accounts: [{ ...KEY, billing: 'operator', notification_configs: [config] }],
  };
  const answer = await server.call('sync_accounts', args, { token: KIT_TOKEN, tenant: name, version: '3.1' });
  const [row] = succeeded(answer).accounts as unknown as readonly { action: string; errors?: object }[];
  const events = async (): Promise<readonly ReceivedPost[]> => {
    await settle(server);
    return hook.posts.filter(({ json }) => json.type !== 'webhook.challenge');
  };
  const write = (change: (tenant: TenantDraft) => void): void => {
    const tenant = shippedTenant(name);
    bend?.(tenant);
    change(tenant);
    writeTenant(folder, tenant, name);
  };
  const edit = async (change: (tenant: TenantDraft) => void): Promise<void> => {
    write(change);
    await server.server().reload();
  };
  return { server, hook, row, events, edit, write };
}

async function versionOf(server: Booted, tenant: Kind): Promise<unknown> {
  const task = tenant === 'sales' ? 'get_products' : 'get_signals';
  const { payload } = await server.call(task, {}, { token: KIT_TOKEN, tenant, version: '3.1' });
  return (payload as unknown as Record<string, unknown>).wholesale_feed_version;
}

function judge(posts: readonly ReceivedPost[]): void {
  if (!hasSchemas('3.1')) return;
  for (const { json } of posts) expect(schemaJudge('3.1')('core/wholesale-feed-webhook', json)).toEqual([]);
}

const told = (posts: readonly ReceivedPost[]) =>
  posts.map(({ json }) => `${json.notification_type} ${(json.event as { entity_id: string }).entity_id}`).sort();

test('an edit of products is told to who subscribes: what is new, other, dearer and gone, with the version that follows', async () => {
  const { server, hook, row, events, edit } = await subscribed('sales', PRODUCTS);
  expect(row).toMatchObject({ action: 'created' });
  const before = await versionOf(server, 'sales');
  await edit((tenant) => {
    const [first, second, third] = tenant.products;
    tenant.proposals = [];
    Object.assign(first?.pricing_options[0] ?? {}, { fixed_price: 6 });
    Object.assign(second ?? {}, { description: 'Other words.' });
    Object.assign(third ?? {}, { product_id: 'brand_new' });
  });
  const posts = await events();
  judge(posts);
  expect(told(posts)).toEqual([
    'product.created brand_new',
    'product.priced test-product',
    'product.removed northlight_homepage_takeover',
    'product.updated northlight_ros_display',
  ]);
  const after = await versionOf(server, 'sales');
  const verify = await verifierOf(server);
  for (const post of posts) {
    expect(post.json).toMatchObject({
      subscriber_id: 'mirror',
      wholesale_feed_version: after,
      previous_wholesale_feed_version: before,
      cache_scope: 'public',
    });
    expect(post.json.notification_id).toBe((post.json.event as { event_id: string }).event_id);
    expect(await verify(post, hook.url)).toMatchObject({ ok: true });
  }
  // Nothing that is not of the feed is told, and nothing twice.
  await edit((tenant) => {
    tenant.products = tenant.products.slice(0, 2);
    tenant.proposals = [];
    tenant.description = 'Other words of the seller.';
  });
  const count = (await events()).length;
  await server.restart();
  expect(await events()).toHaveLength(count);
});

test('an edit is not told to an account that was closed, nor to a buyer that is in the file no more', async () => {
  const { server, hook, events, edit } = await subscribed('sales', PRODUCTS);
  const subscribers = (subscriber_id: string) => [{ subscriber_id, url: hook.url, event_types: PRODUCTS }];
  const sync = (token: string, accounts: readonly object[], more = {}) =>
    server.call('sync_accounts', { idempotency_key: freshKey(), accounts, ...more }, { token, version: '3.1' });
  const closing = { brand: { domain: 'closing.example' }, operator: 'closing.example' };
  await sync(KIT_TOKEN, [{ ...closing, notification_configs: subscribers('closing') }]);
  await sync(KIT_TOKEN, [KEY], { delete_missing: true });
  const [account] = shippedTenant('sales').accounts;
  const leaving = { account: { account_id: account?.account_id }, notification_configs: subscribers('leaving') };
  await sync('sandbox-token', [leaving]);
  const change = (tenant: TenantDraft, words: string) =>
    Object.assign(tenant.products[0] ?? {}, { description: words });
  const heard = async () => (await events()).map(({ json }) => json.subscriber_id).sort();
  await edit((tenant) => change(tenant, 'Other words.'));
  expect(await heard()).toEqual(['leaving', 'mirror']);
  await edit((tenant) => {
    change(tenant, 'Words of a later day.');
    tenant.principals = tenant.principals.filter(({ id }) => id !== account?.principal);
    tenant.accounts = [];
  });
  expect(await heard()).toEqual(['leaving', 'mirror', 'mirror']);
});

test('an edit while the server was down is told when it starts', async () => {
  const { server, events, write } = await subscribed('sales', ['product.removed']);
  await server.close();
  write((tenant) => {
    tenant.products = tenant.products.filter(({ product_id }) => product_id !== 'cityloop_new_york_billboards');
    tenant.proposals = [];
  });
  await server.restart();
  const posts = await events();
  judge(posts);
  expect(told(posts)).toEqual(['product.removed cityloop_new_york_billboards']);
});

test('an edit of signals is told to the principals that may use them', async () => {
  const { server, events, edit } = await subscribed('signals', SIGNALS);
  await edit(({ signals }) => {
    const [first, second, third] = signals;
    Object.assign(first ?? {}, { description: 'Other words.' });
    Object.assign(second ?? {}, { access: { principals: ['sandbox'] } });
    Object.assign(third ?? {}, {
      pricing_options: [{ pricing_option_id: 'p', model: 'cpm', cpm: 9, currency: 'USD' }],
    });
  });
  const posts = await events();
  judge(posts);
  const ids = shippedTenant('signals').signals.map((signal) => signal.signal_agent_segment_id);
  expect(told(posts)).toEqual(
    [`signal.updated ${ids[0]}`, `signal.removed ${ids[1]}`, `signal.priced ${ids[2]}`].sort(),
  );
  expect(posts[0]?.json.wholesale_feed_version).toBe(await versionOf(server, 'signals'));
});

test('an edit of many products is one event to who takes them together', async () => {
  const many = (tenant: TenantDraft) => {
    const [one] = tenant.products;
    tenant.products = Array.from({ length: 120 }, (_, at) => ({
      ...structuredClone(one),
      product_id: `p${at}`,
    })) as never;
    tenant.proposals = [];
  };
  const { events, edit } = await subscribed('sales', [...PRODUCTS, BULK], many);
  await edit(({ products }) => {
    for (const product of products) product.description = 'All of them anew.';
  });
  const posts = await events();
  judge(posts);
  expect(posts).toHaveLength(1);
  expect(posts[0]?.json).toMatchObject({
    notification_type: BULK,
    event: { payload: { affected_entity_type: 'product', affected_count: 120, recommendation: 'wholesale_resync' } },
  });
});

test('events of a feed that an agent does not have are refused, and its capabilities name those that it has', async () => {
  const { server, row } = await subscribed('sales', ['signal.created']);
  expect(row).toMatchObject({
    action: 'failed',
    errors: [{ code: 'UNSUPPORTED_FEATURE', field: 'accounts[0].notification_configs[0].event_types[0]' }],
  });
  const { payload } = await server.call('get_adcp_capabilities', {}, { version: '3.1' });
  expect(payload).toMatchObject({ wholesale_feed_webhooks: { supported: true, event_types: [...PRODUCTS, BULK] } });
});
