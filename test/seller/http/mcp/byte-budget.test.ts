import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot, rpc } from '../../../kit/boot.js';
import { createRequest, creative, freshKey, packageRequest, SANDBOX_ACCOUNT } from '../../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../../kit/schemas.js';

const server = await boot();
const MINIMAL = { prefer: 'return=minimal' };
const PACKAGES = 120;
const account = { account_id: SANDBOX_ACCOUNT };

type Cut = { readonly member: string; readonly shown: number; readonly of: number };
type Body = Readonly<Record<string, unknown>> & {
  readonly message?: string;
  readonly ext?: { readonly seller_agent?: { readonly left_out?: readonly Cut[] } };
};

/** Calls a task of a tenant and returns the answer in its structure; `headers` may ask for the short form. */
async function ask(of: Booted, name: string, args: object, headers: Record<string, string> = MINIMAL): Promise<Body> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const { result } = rpc(await of.raw(call, headers));
  expect(result?.isError).not.toBe(true);
  const body = result?.structuredContent as Body;
  expect(JSON.parse(result?.content?.[0]?.text ?? '')).toEqual(body);
  return body;
}

const bytesOf = (body: Body): number => Buffer.byteLength(JSON.stringify(body));
const cutsOf = (body: Body): readonly Cut[] => body.ext?.seller_agent?.left_out ?? [];
let large = '';

beforeAll(async () => {
  const packages = Array.from({ length: PACKAGES }, () => packageRequest());
  large = String((await ask(server, 'create_media_buy', createRequest({ packages }))).media_buy_id);
  for (let buys = 0; buys < 12; buys += 1) await ask(server, 'create_media_buy', createRequest());
  const creatives = Array.from({ length: 60 }, (_, at) => creative(`banner_${at}`));
  await ask(server, 'sync_creatives', { idempotency_key: freshKey(), account, creatives });
}, 60_000);

describe('answers for language models, of a tenant with much to tell', () => {
  test.each([
    ['get_adcp_capabilities', {}, 'protocol/get-adcp-capabilities-response'],
    ['get_products', { brief: 'video and display' }, 'media-buy/get-products-response'],
    ['list_creative_formats', {}, 'media-buy/list-creative-formats-response'],
    ['list_accounts', {}, 'account/list-accounts-response'],
    ['get_media_buys', {}, 'media-buy/get-media-buys-response'],
    ['get_media_buy_delivery', {}, 'media-buy/get-media-buy-delivery-response'],
    ['get_media_buy_delivery', { include_package_daily_breakdown: true }, 'media-buy/get-media-buy-delivery-response'],
    ['list_creatives', {}, 'creative/list-creatives-response'],
    ['list_tasks', {}, 'core/tasks-list-response'],
  ])('are at most 20 KB and hold to the schemas: %s %o', async (task, args, schema) => {
    const body = await ask(server, task, args);
    expect(bytesOf(body)).toBeLessThanOrEqual(20_000);
    if (hasSchemas('3.1')) expect(schemaJudge('3.1')(schema, body)).toEqual([]);
  });

  test.each([
    ['get_media_buys', 'media_buys.packages'],
    ['get_media_buy_delivery', 'media_buy_deliveries.by_package'],
  ])('say what was left out of one large buy, and how to get it: %s', async (task, member) => {
    const body = await ask(server, task, { media_buy_ids: [large] });
    expect(bytesOf(body)).toBeLessThanOrEqual(20_000);
    expect(cutsOf(body)).toEqual([{ member, shown: expect.any(Number), of: PACKAGES }]);
    expect(cutsOf(body)[0]?.shown).toBeGreaterThan(5);
    expect(body.message).toMatch(/^Shortened: \d+ of 120 in .*\. Ask for less with .*name pagination\.max_results/);
  });

  test('are whole for whoever names a size, as the note says, and for programs', async () => {
    const whole = await ask(server, 'get_media_buys', { media_buy_ids: [large] }, {});
    const named = { media_buy_ids: [large], pagination: { max_results: 1 } };
    expect(bytesOf(whole)).toBeGreaterThan(20_000);
    expect(await ask(server, 'get_media_buys', named)).toEqual(whole);
    expect(cutsOf(whole)).toEqual([]);
  });
});
