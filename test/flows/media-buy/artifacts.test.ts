import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, freshKey, packageRequest, succeeded } from '../../kit/buyer.js';
import { pass } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { shopper } from '../../kit/shopper.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, sandboxToken, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const HOUR = 60 * 60_000;
const RELEASES: readonly SchemaRelease[] = (['3.0', '3.1'] as const).filter(hasSchemas);

type ContentRecord = {
  readonly record_id: string;
  readonly timestamp: string;
  readonly package_id: string;
  readonly local_verdict: string;
  readonly artifact: Payload;
};
type Answer = {
  readonly artifacts: readonly ContentRecord[];
  readonly collection_info: Readonly<Record<string, number>>;
  readonly pagination: { readonly has_more: boolean; readonly cursor?: string };
};

/** A buy of two packages that has run for ten hours. */
async function delivered(): Promise<{ server: Booted; buy: Payload }> {
  const server = await boot();
  const one = shopper(server);
  const buy = await one.create({ packages: [packageRequest(), packageRequest({ budget: 3000 })] });
  await one.sync({ banner: buy.packages.map(({ package_id }) => package_id) });
  await pass(server, 10 * HOUR);
  return { server, buy };
}

const read = async (server: Booted, args: object): Promise<Answer> =>
  succeeded(await server.call('get_media_buy_artifacts', args, { version: '3.1' })) as unknown as Answer;

describe('get_media_buy_artifacts', () => {
  test('tells what a simulated buy ran beside: sampled, marked as made up, the same every time', async () => {
    const { server, buy } = await delivered();
    const media_buy_id = buy.media_buy_id;
    const answer = await read(server, { media_buy_id });
    expect(answer.artifacts.length).toBeGreaterThan(5);
    const { total_deliveries = 0, total_collected = 0, effective_rate = 0 } = answer.collection_info;
    expect(answer.collection_info.returned_count).toBe(answer.artifacts.length);
    expect(total_collected).toBe(answer.artifacts.length);
    expect(effective_rate).toBeCloseTo(total_collected / total_deliveries, 9);
    expect(Math.abs(effective_rate - 0.001)).toBeLessThan(0.0005);
    const [first] = answer.artifacts;
    expect(first).toMatchObject({
      local_verdict: 'unevaluated',
      channel: expect.any(String),
      artifact: {
        property_rid: expect.any(String),
        metadata: { simulated: true },
        assets: [{ role: 'title' }, { content: expect.stringContaining('made this up') }],
      },
    });
    expect(new Set(answer.artifacts.map(({ record_id }) => record_id)).size).toBe(answer.artifacts.length);
    const times = answer.artifacts.map(({ timestamp }) => Date.parse(timestamp));
    expect(Math.max(...times)).toBeLessThan(server.clock.now());
    await pass(server, 2 * HOUR);
    const later = await read(server, { media_buy_id });
    expect(later.artifacts.slice(0, answer.artifacts.length)).toEqual(answer.artifacts);
  });

  test('narrows by package and time, has pages that add up, and has no failures', async () => {
    const { server, buy } = await delivered();
    const media_buy_id = buy.media_buy_id;
    const all = await read(server, { media_buy_id });
    const [line] = buy.packages;
    const package_ids = [line?.package_id];
    const own = await read(server, { media_buy_id, package_ids });
    expect(own.artifacts).toEqual(all.artifacts.filter((record) => record.package_id === line?.package_id));
    const start = all.artifacts[2]?.timestamp ?? '';
    const end = all.artifacts.at(-1)?.timestamp ?? '';
    const some = await read(server, { media_buy_id, time_range: { start, end } });
    expect(some.artifacts).toEqual(all.artifacts.filter(({ timestamp }) => start <= timestamp && timestamp < end));
    const pages: ContentRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(server, { media_buy_id, pagination: { max_results: 4, cursor } });
      expect(page.artifacts.length).toBeLessThanOrEqual(4);
      expect(page.pagination.cursor !== undefined).toBe(page.pagination.has_more);
      pages.push(...page.artifacts);
      cursor = page.pagination.cursor;
    } while (cursor !== undefined);
    expect(pages).toEqual(all.artifacts);
    expect((await read(server, { media_buy_id, failures_only: true })).artifacts).toEqual([]);
  });

  test('names what it does not find, or cannot tell', async () => {
    const { server, buy } = await delivered();
    const media_buy_id = buy.media_buy_id;
    const cases: readonly (readonly [object, string, string])[] = [
      [{ media_buy_id: 'mb_none' }, 'MEDIA_BUY_NOT_FOUND', 'media_buy_id'],
      [{ media_buy_id, package_ids: ['pkg_none'] }, 'PACKAGE_NOT_FOUND', 'package_ids[0]'],
      [
        { media_buy_id, time_range: { start: '2030-01-02T00:00:00Z', end: '2030-01-01T00:00:00Z' } },
        'INVALID_REQUEST',
        'time_range.end',
      ],
    ];
    for (const [args, code, field] of cases) {
      const { payload } = await server.call('get_media_buy_artifacts', args);
      expect([payload.errors[0]?.code, payload.errors[0]?.field]).toEqual([code, field]);
    }
  });

  test('of a live buy that people carry out is refused: nobody records its content', async () => {
    const tenants = tenantsFolder((tenant) => {
      addLivePrincipal(tenant);
      tenant.fulfillment = 'manual';
    });
    const server = await boot({ tenants });
    const asked = { token: LIVE_TOKEN, version: '3.1' };
    const order = createRequest({ account: { account_id: LIVE_ACCOUNT } });
    const { payload: submitted } = await server.call('create_media_buy', order, asked);
    const { payload: capabilities } = await server.call('get_adcp_capabilities', {}, asked);
    expect((capabilities.media_buy as unknown as Payload).content_standards).toBeUndefined();
    expect(submitted.status).toBe('submitted');
    const operator = operatorOf(server);
    const [waiting] = await operator.waiting();
    await operator.post(`/approvals/${waiting?.id}`, { decision: 'approve' });
    const [bought] = succeeded(await server.call('get_media_buys', {}, asked)).media_buys;
    const { payload } = await server.call('get_media_buy_artifacts', { media_buy_id: bought?.media_buy_id }, asked);
    expect(payload.errors[0]).toMatchObject({
      code: 'UNSUPPORTED_FEATURE',
      field: 'media_buy_id',
      suggestion: expect.stringContaining('get_media_buy_delivery'),
    });
  });

  test('is what a governance agent on the same host validates', async () => {
    const { server, buy } = await delivered();
    const { artifacts } = await read(server, { media_buy_id: buy.media_buy_id });
    const governance = { tenant: 'governance', token: sandboxToken('governance'), version: '3.1' };
    const ext = { content_rules: { blocked_words: ['simulated'] } };
    const policies = [{ policy_id: 'real_pages', enforcement: 'must', policy: 'Real pages only.', ext }];
    const standard = { idempotency_key: freshKey(), scope: { languages_any: ['en'] }, policies };
    const { standards_id } = succeeded(await server.call('create_content_standards', standard, governance));
    const validated = succeeded(
      await server.call('validate_content_delivery', { standards_id, records: artifacts }, governance),
    );
    expect(validated.summary).toMatchObject({ total_records: artifacts.length, failed_records: artifacts.length });
  });

  test.each(RELEASES)('answers as the schema of %s has it', async (release) => {
    const { server, buy } = await delivered();
    const version = release === '3.1' ? '3.1' : undefined;
    const answer = succeeded(
      await server.call('get_media_buy_artifacts', { media_buy_id: buy.media_buy_id }, { version }),
    );
    expect(schemaJudge(release)('content-standards/get-media-buy-artifacts-response', answer)).toEqual([]);
  });
});
