import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { quotasOf } from '../../../src/seller/domain/retention/quotas.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, freshKey, packageRequest, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';
import type { Payload, WireError } from '../../kit/wire.js';

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };

type Row = Readonly<Record<string, unknown>> & {
  readonly audience_id: string;
  readonly action: string;
  readonly matched_count: number;
  readonly errors: readonly WireError[];
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const person = (index: number) => ({
  external_id: `crm-${index}`,
  hashed_email: sha256(`person-${index}@acme-outdoor.example`),
  ...(index % 2 === 0 ? { uids: [{ type: 'uid2', value: `uid-${index}` }] } : {}),
});
const people = (count: number, from = 0) => Array.from({ length: count }, (_, index) => person(from + index));

const rowsOf = (payload: Payload) => payload.audiences as readonly Row[];

async function sync(
  server: Booted,
  audiences: readonly object[] | undefined,
  more: object = {},
): Promise<readonly Row[]> {
  const args = {
    idempotency_key: freshKey(),
    account: ACCOUNT,
    ...(audiences === undefined ? {} : { audiences }),
    ...more,
  };
  return rowsOf(succeeded(await server.call('sync_audiences', args)));
}

test('members over the quota of a principal are refused, all of a call, and a removed audience makes room for them', async () => {
  const server = await boot({ settings: { quotas: quotasOf({ audience_members: 100 }) } });
  await sync(server, [{ audience_id: 'old', add: people(80) }]);
  const args = { idempotency_key: freshKey(), account: ACCOUNT, audiences: [{ audience_id: 'new', add: people(60) }] };
  const { payload } = await server.call('sync_audiences', args);
  expect(payload.errors?.[0]).toMatchObject({
    code: 'RATE_LIMITED',
    field: 'audiences',
    details: { quota: 'audience_members', limit: 100 },
  });
  expect(await sync(server, undefined)).toMatchObject([{ audience_id: 'old', total_uploaded_count: 80 }]);
  await sync(server, [{ audience_id: 'old', delete: true }]);
  expect(await sync(server, [{ audience_id: 'old' }])).toMatchObject([{ action: 'created', total_uploaded_count: 0 }]);
  await server.server().tick();
  expect(rowsOf(succeeded(await server.call('sync_audiences', args)))).toMatchObject([{ total_uploaded_count: 60 }]);
});

describe('an audience', () => {
  test('is uploaded, grows, shrinks, is listed and deleted; its numbers are of people, whatever they are known by', async () => {
    const server = await boot();
    const [created] = await sync(server, [{ audience_id: 'vips', name: 'VIPs', add: people(400) }]);
    expect(created).toMatchObject({
      audience_id: 'vips',
      name: 'VIPs',
      action: 'created',
      status: 'ready',
      uploaded_count: 400,
      total_uploaded_count: 400,
      last_synced_at: '2030-01-01T00:00:00Z',
    });
    const breakdown = created?.match_breakdown as readonly { id_type: string; submitted: number; matched: number }[];
    expect(breakdown.map(({ id_type, submitted }) => [id_type, submitted])).toEqual([
      ['hashed_email', 400],
      ['uid2', 200],
    ]);
    // Whoever is known by two identifiers is one person.
    const most = Math.max(...breakdown.map(({ matched }) => matched));
    const sum = breakdown.reduce((all, { matched }) => all + matched, 0);
    expect(created?.matched_count).toBeGreaterThan(most);
    expect(created?.matched_count).toBeLessThan(sum);
    expect(created?.effective_match_rate).toBeCloseTo(Number(created?.matched_count) / 400, 4);

    const [again] = await sync(server, [{ audience_id: 'vips', add: people(10) }]);
    expect(again).toMatchObject({ action: 'updated', uploaded_count: 10, total_uploaded_count: 400 });
    const [smaller] = await sync(server, [
      { audience_id: 'vips', add: people(5, 1000), remove: [...people(100), ...people(5, 1000)] },
    ]);
    expect(smaller).toMatchObject({ action: 'updated', total_uploaded_count: 300 });
    expect(await sync(server, [{ audience_id: 'vips', name: 'VIPs' }])).toMatchObject([{ action: 'unchanged' }]);

    await server.restart();
    expect(await sync(server, undefined)).toMatchObject([
      { audience_id: 'vips', action: 'unchanged', uploaded_count: 0, total_uploaded_count: 300 },
    ]);
    expect(await sync(server, [{ audience_id: 'vips', delete: true }])).toEqual([
      { audience_id: 'vips', action: 'deleted' },
    ]);
    expect(await sync(server, undefined)).toEqual([]);
  });

  test('stays when another sync names it, and goes with delete_missing when none does', async () => {
    const server = await boot();
    await sync(server, [{ audience_id: 'one' }, { audience_id: 'two' }]);
    await sync(server, [{ audience_id: 'three' }]);
    expect((await sync(server, undefined)).map((row) => row.audience_id)).toEqual(['one', 'two', 'three']);
    const rows = await sync(server, [{ audience_id: 'two' }], { delete_missing: true });
    expect(rows.map((row) => [row.audience_id, row.action])).toEqual([
      ['two', 'unchanged'],
      ['one', 'deleted'],
      ['three', 'deleted'],
    ]);
  });

  test('is the account’s alone', async () => {
    const server = await boot();
    await sync(server, [{ audience_id: 'vips', add: people(400) }]);
    const other = { brand: { domain: 'other.example' }, operator: 'other.example' };
    expect(await sync(server, undefined, { account: other })).toEqual([]);
  });
});

describe('targeting by audiences', () => {
  const by = (overlay: object) => ({ packages: [packageRequest({ targeting_overlay: overlay })] });

  test('takes any of a sandbox, whose people are made up, and says the least size that the schema has', async () => {
    const server = await boot();
    const [few, nobody] = await sync(server, [{ audience_id: 'few', add: people(1) }, { audience_id: 'nobody' }]);
    expect([few?.status, nobody?.status, few?.minimum_size]).toEqual(['ready', 'ready', undefined]);
    succeeded(await server.call('create_media_buy', createRequest(by({ audience_include: ['few', 'nobody'] }))));
    const { media_buy } = succeeded(await server.call('get_adcp_capabilities'));
    expect(media_buy).toMatchObject({ audience_targeting: { minimum_audience_size: 1 } });
  });

  test('takes those that are ready, on create and update, and refuses the others, of a live buyer', async () => {
    const server = await boot({ tenants: tenantsFolder(addLivePrincipal) });
    const live = { token: LIVE_TOKEN };
    const account = { account_id: LIVE_ACCOUNT };
    const audiences = [
      { audience_id: 'vips', add: people(400) },
      { audience_id: 'few', add: people(3) },
    ];
    const sent = await server.call('sync_audiences', { idempotency_key: freshKey(), account, audiences }, live);
    expect(rowsOf(succeeded(sent))).toMatchObject([{ status: 'ready' }, { status: 'too_small', minimum_size: 100 }]);
    expect(succeeded(await server.call('get_adcp_capabilities', {}, live)).media_buy).toMatchObject({
      audience_targeting: { minimum_audience_size: 100 },
    });
    const overlay = { audience_include: ['vips'], audience_exclude: ['vips'] };
    const bought = succeeded(await server.call('create_media_buy', createRequest({ account, ...by(overlay) }), live));
    expect(bought.packages[0]).toMatchObject({ targeting_overlay: overlay });
    const cases = [
      [{ audience_include: ['vips', 'few'] }, 'AUDIENCE_TOO_SMALL', 'audience_include[1]'],
      [{ audience_exclude: ['nobody'] }, 'REFERENCE_NOT_FOUND', 'audience_exclude[0]'],
    ] as const;
    for (const [targeting_overlay, code, member] of cases) {
      const field = `packages[0].targeting_overlay.${member}`;
      const created = await server.call('create_media_buy', createRequest({ account, ...by(targeting_overlay) }), live);
      expect(created.payload.errors[0]).toMatchObject({ code, field, suggestion: expect.any(String) });
      const packages = [{ package_id: bought.packages[0]?.package_id, targeting_overlay }];
      const changed = await server.call(
        'update_media_buy',
        updateRequest(bought.media_buy_id, { account, packages }),
        live,
      );
      expect(changed.payload.errors[0]).toMatchObject({ code, field });
    }
  });
});

describe('what sync_audiences refuses', () => {
  const SECRET = 'jane.doe@acme-outdoor.example';
  const one = (changes: object) => [{ audience_id: 'a', ...changes }];
  test.each([
    ['an email in the clear', { add: [{ external_id: '1', email: SECRET }] }, 'VALIDATION_ERROR', 'add[0].email'],
    [
      'an email in the clear where its hash belongs',
      { add: [person(1), { external_id: '1', hashed_email: SECRET }] },
      'VALIDATION_ERROR',
      'add[1].hashed_email',
    ],
    [
      'a hash in capitals',
      { add: [{ external_id: '1', hashed_phone: sha256('x').toUpperCase() }] },
      'VALIDATION_ERROR',
      'add[0].hashed_phone',
    ],
    ['nobody', { add: [{ hashed_email: sha256('x') }] }, 'VALIDATION_ERROR', 'add[0].external_id'],
    ['somebody without an identifier', { add: [{ external_id: '1' }] }, 'VALIDATION_ERROR', 'add[0]'],
    ['a text', { add: ['jane'] }, 'VALIDATION_ERROR', 'add[0].external_id'],
    [
      'an id of a type that is not taken',
      { add: [{ external_id: '1', uids: [{ type: 'toString', value: 'x' }] }] },
      'VALIDATION_ERROR',
      'add[0].uids[0].type',
    ],
    ['to delete what is not there', { delete: true }, 'REFERENCE_NOT_FOUND', 'audience_id'],
  ])('%s: the audience fails, the others do not, and no value is repeated', async (_what, changes, code, member) => {
    const server = await boot();
    const audiences = [...one(changes), { audience_id: 'good', add: people(2) }];
    const args = { idempotency_key: freshKey(), account: ACCOUNT, audiences };
    const answer = await server.call('sync_audiences', args);
    const [bad, good] = rowsOf(succeeded(answer));
    expect(bad).toMatchObject({
      action: 'failed',
      errors: [{ code, field: `audiences[0].${member}`, suggestion: expect.any(String) }],
    });
    expect(good?.action).toBe('created');
    expect(JSON.stringify(answer.payload)).not.toContain(SECRET);
  });

  test.each([
    ['no account', { account: undefined }, 'account'],
    ['no audiences to keep', { audiences: undefined, delete_missing: true }, 'audiences'],
    ['an empty list', { audiences: [] }, 'audiences'],
    ['a type that is none', { audiences: one({ audience_type: 'vip' }) }, 'audiences[0].audience_type'],
  ])('%s', async (_what, changes, field) => {
    const server = await boot();
    const args = { idempotency_key: freshKey(), account: ACCOUNT, audiences: one({}), ...changes };
    const { payload, isError } = await server.call('sync_audiences', args);
    expect(isError).toBe(true);
    expect(payload.errors[0]).toMatchObject({ code: 'INVALID_REQUEST', field });
  });
});

describe.each(['3.0', '3.1'] as const)('the answers of %s', (version) => {
  test.skipIf(!hasSchemas(version))('are as its schema has them', async () => {
    const judge = schemaJudge(version);
    const server = await boot();
    const requests = [
      {
        audiences: [
          { audience_id: 'a', add: people(400) },
          { audience_id: 'b', add: [{}] },
        ],
      },
      {},
      { audiences: [{ audience_id: 'b' }], delete_missing: true },
      { audiences: [] },
    ];
    for (const request of requests) {
      const args = { idempotency_key: freshKey(), account: ACCOUNT, ...request };
      const { payload } = await server.call('sync_audiences', args, { version });
      expect(judge('media-buy/sync-audiences-response', payload)).toEqual([]);
    }
  });
});

test('an audience that is opened with nobody in it is named in the answer', async () => {
  const server = await boot();
  const audiences = [
    { audience_id: 'typo', members: people(3) },
    { audience_id: 'full', add: people(1) },
  ];
  const args = { idempotency_key: freshKey(), account: ACCOUNT, audiences };
  const { message } = succeeded(await server.call('sync_audiences', args));
  expect(message).toMatch(/^Opened with nobody in it: typo\. .*Not read, .*: audiences\[0\]\.members\./);
});
