import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, updateRequest } from '../../kit/buyer.js';
import { eventsOf, pass } from '../../kit/events.js';
import { type Receiver, startReceiver } from '../../kit/receiver.js';
import { type Shopper, shopper } from '../../kit/shopper.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';

const DAY = 86_400_000;
const SECRET = 'kT9s-a-secret-of-32-characters-x';
const BAD = 'INVALID_REQUEST';
const NOT_OFFERED = 'UNSUPPORTED_FEATURE';
const FIELDS = ['push_notification_config', 'reporting_webhook'] as const;

/** What the names of the tests lead to; any other leads nowhere. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'inside.buyer.example': ['10.0.0.7'],
  'metadata.buyer.example': ['169.254.169.254'],
  'half.buyer.example': ['93.184.216.34', '192.168.0.4'],
  'six.buyer.example': ['fd00::7'],
};

/** Who calls which seller. */
type Who = 'live' | 'sandbox' | 'strict';
/** One wrong registration: `config` beside a good URL (or with its own), and the path within it that is to blame. */
type Wrong = readonly [name: string, config: object, code: string, path: string, who?: Who];

/** URLs that nobody may make us call; those of `sandbox` not even a sandbox principal in development mode. */
const URLS: readonly (readonly [url: unknown, who?: Who])[] = [
  ['http://buyer.example/hook'],
  ['http://127.0.0.1:9000/hook'],
  ['https://127.0.0.1/hook'],
  ['https://localhost/hook'],
  ['https://[::1]/hook'],
  ['https://0x7f000001/hook'],
  ['https://2130706433/hook'],
  ['{{runner.webhook_url}}'],
  ['https://10.1.2.3/hook', 'sandbox'],
  ['http://192.168.1.1/hook', 'sandbox'],
  ['https://169.254.169.254/latest/meta-data', 'sandbox'],
  ['http://[::ffff:10.0.0.1]/hook', 'sandbox'],
  ['https://[fd00::1]/hook', 'sandbox'],
  ['https://user:secret@buyer.example/hook', 'sandbox'],
  ['ftp://buyer.example/hook', 'sandbox'],
  ['file:///etc/passwd', 'sandbox'],
  ['javascript:alert(1)', 'sandbox'],
  ['buyer.example/hook', 'sandbox'],
  ['', 'sandbox'],
  [7, 'sandbox'],
  [`https://buyer.example/${'x'.repeat(2048)}`, 'sandbox'],
  ['https://inside.buyer.example/hook', 'sandbox'],
  ['https://metadata.buyer.example/hook', 'sandbox'],
  ['https://half.buyer.example/hook', 'sandbox'],
  ['https://six.buyer.example/hook', 'sandbox'],
];

const legacy = (authentication: unknown) => ({ authentication });
const WRONG: readonly Wrong[] = [
  ...URLS.map(([url, who]): Wrong => [`the URL ${String(url).slice(0, 60)}`, { url }, BAD, 'url', who]),
  ['no URL', { url: undefined }, BAD, 'url'],
  ['a token of 15 characters', { token: 't'.repeat(15) }, BAD, 'token'],
  [
    'a secret of 31 characters',
    legacy({ schemes: ['HMAC-SHA256'], credentials: SECRET.slice(1) }),
    BAD,
    'authentication.credentials',
  ],
  ['no secret', legacy({ schemes: ['HMAC-SHA256'] }), BAD, 'authentication.credentials'],
  ['a scheme that nobody knows', legacy({ schemes: ['Basic'], credentials: SECRET }), BAD, 'authentication.schemes'],
  ['no scheme', legacy({ schemes: [], credentials: SECRET }), BAD, 'authentication.schemes'],
  ['two schemes', legacy({ schemes: ['HMAC-SHA256', 'Bearer'], credentials: SECRET }), BAD, 'authentication.schemes'],
  ['a scheme by another name', legacy({ scheme: 'HMAC-SHA256', credentials: SECRET }), BAD, 'authentication.schemes'],
  ['authentication that is text', legacy('HMAC-SHA256'), BAD, 'authentication.schemes'],
  [
    'HMAC where the seller takes none',
    { operation_id: 'op', ...legacy({ schemes: ['HMAC-SHA256'], credentials: SECRET }) },
    NOT_OFFERED,
    'authentication.schemes[0]',
    'strict',
  ],
];

/** What is wrong for the task's own registration alone. */
const WRONG_PUSH: readonly Wrong[] = [
  [
    'a bearer token for a task that changes something',
    legacy({ schemes: ['Bearer'], credentials: SECRET }),
    NOT_OFFERED,
    'authentication.schemes[0]',
  ],
  ['no operation_id where the seller wants one', {}, BAD, 'operation_id', 'strict'],
  ['an operation_id of 256 characters', { operation_id: 'o'.repeat(256) }, BAD, 'operation_id'],
  ['an operation_id that is a number', { operation_id: 7 }, BAD, 'operation_id'],
];
const WRONG_REPORTS: readonly Wrong[] = [
  [
    'a bearer token that no header can carry',
    legacy({ schemes: ['Bearer'], credentials: `${SECRET} and more` }),
    BAD,
    'authentication.credentials',
  ],
  ['no frequency', { reporting_frequency: undefined }, BAD, 'reporting_frequency'],
  ['metrics that are text', { requested_metrics: 'clicks' }, BAD, 'requested_metrics'],
];

const TABLE = FIELDS.flatMap((field) =>
  [...WRONG, ...(field === 'push_notification_config' ? WRONG_PUSH : WRONG_REPORTS)].map(
    ([name, config, code, path, who = 'live']) => [field, name, config, code, path, who] as const,
  ),
);

describe('a wrong registration', () => {
  let receiver: Receiver;
  const sellers = new Map<Who, { readonly server: Booted; readonly buyer: Shopper; readonly mediaBuyId: string }>();
  const asked: string[] = [];
  const outbound = createOutbound({
    development: true,
    lookup: async (name) => {
      asked.push(name);
      return (NAMES[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  });

  beforeAll(async () => {
    receiver = await startReceiver();
    const strict = { legacy_webhooks: false, require_operation_id: true };
    for (const who of ['live', 'sandbox', 'strict'] as const) {
      const tenants = tenantsFolder((tenant) => {
        addLivePrincipal(tenant);
        Object.assign(tenant, { webhooks: who === 'strict' ? strict : {} });
      });
      const server = await boot({ tenants });
      Object.assign(server.server().app.renderer(), { outbound });
      const live = { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } };
      const buyer = shopper(server, who === 'live' ? live : 'first');
      sellers.set(who, { server, buyer, mediaBuyId: (await buyer.create()).media_buy_id });
    }
  });
  afterAll(() => outbound.close());

  test.each(TABLE)('%s: %s', async (field, _name, config, code, path, who) => {
    const { buyer, mediaBuyId } = sellers.get(who) ?? expect.fail('nobody sells');
    // A good address, which would be called if the rest were taken.
    const url = who === 'live' ? 'https://buyer.example/hook' : `${receiver.url}/hook`;
    const registration = { [field]: { url, ...(field === 'reporting_webhook' ? DAILY : {}), ...config } };
    const account = { account_id: LIVE_ACCOUNT };
    for (const [tool, request] of [
      ['create_media_buy', createRequest({ ...registration, ...(who === 'live' ? { account } : {}) })],
      ['update_media_buy', updateRequest(mediaBuyId, { ...registration, ...(who === 'live' ? { account } : {}) })],
    ] as const) {
      const { payload, isError } = await buyer.call(tool, request);
      expect({ tool, isError, errors: payload.errors }).toMatchObject({
        tool,
        isError: true,
        errors: [{ code, field: `${field}.${path}`, suggestion: expect.stringMatching(/\w{3}/) }],
      });
    }
  });

  test.each([
    ['is text', 'https://buyer.example/hook'],
    ['is a list', [{ url: 'https://buyer.example/hook' }]],
    ['is null', null],
  ])('that %s is a wrong argument', async (_name, value) => {
    const { buyer, mediaBuyId } = sellers.get('sandbox') ?? expect.fail('nobody sells');
    for (const field of FIELDS) {
      const { payload } = await buyer.call('create_media_buy', createRequest({ [field]: value }));
      expect(payload.errors).toMatchObject([{ code: BAD, field, suggestion: expect.any(String) }]);
      expect(await buyer.refused('update_media_buy', updateRequest(mediaBuyId, { [field]: value }))).toBe(BAD);
    }
  });

  test('for artifacts one by one, which are not pushed, says so', async () => {
    const { buyer } = sellers.get('sandbox') ?? expect.fail('nobody sells');
    const artifact_webhook = { url: `${receiver.url}/artifacts`, delivery_mode: 'realtime' };
    const { payload } = await buyer.call('create_media_buy', createRequest({ artifact_webhook }));
    expect(payload.errors).toMatchObject([
      {
        code: NOT_OFFERED,
        field: 'artifact_webhook.delivery_mode',
        suggestion: expect.stringMatching(/batched/),
      },
    ]);
  });

  test('has changed nothing, and nobody was called', async () => {
    expect(sellers.size).toBe(3);
    // The hosts were really looked up.
    expect(asked).toEqual(expect.arrayContaining(Object.keys(NAMES)));
    for (const { server, buyer, mediaBuyId } of sellers.values()) {
      expect((await buyer.read(mediaBuyId)).revision).toBe(1);
      await pass(server, 2 * DAY, DAY);
      const { payload } = await buyer.call('get_media_buys', { status_filter: ['active', 'pending_start'] });
      expect(payload.media_buys.map((buy) => buy.media_buy_id)).toEqual([mediaBuyId]);
      expect(await eventsOf(server)).toEqual([]);
    }
    expect(receiver.posts).toEqual([]);
  });
});

const DAILY = { reporting_frequency: 'daily' };

/** A flight that begins after the booking was confirmed, which is what is told. */
const LATER = { start_time: '2030-01-03T00:00:00Z' };

describe('a registration that is taken', () => {
  test('may name an address that does not resolve yet, and never comes back in an answer', async () => {
    const server = await boot();
    const one = shopper(server);
    const authentication = { schemes: ['HMAC-SHA256'], credentials: SECRET };
    const push_notification_config = {
      url: 'https://not-there-yet.example/hook?key=of-the-buyer',
      operation_id: 'o'.repeat(255),
      token: 't'.repeat(16),
      authentication,
    };
    const reporting_webhook = { ...push_notification_config, ...DAILY };
    const bought = await one.create({ push_notification_config, reporting_webhook });
    const updated = await one.update(bought.media_buy_id, { push_notification_config });
    expect(updated.revision).toBe(2);
    const answers = JSON.stringify([bought, updated, await one.read(bought.media_buy_id)]);
    for (const secret of [SECRET, 't'.repeat(16), 'of-the-buyer', 'not-there-yet'])
      expect(answers).not.toContain(secret);
  });

  test('may use a bearer token where the tenant allows it, and for reports everywhere', async () => {
    const authentication = { schemes: ['Bearer'], credentials: SECRET };
    const receiver = await startReceiver();
    const tenants = tenantsFolder((tenant) => Object.assign(tenant, { webhooks: { bearer_for_changes: true } }));
    const [allowing, usual] = [await boot({ tenants }), await boot()];
    await shopper(allowing).create({
      ...LATER,
      push_notification_config: { url: `${receiver.url}/a`, authentication },
    });
    await shopper(usual).create({ reporting_webhook: { url: `${receiver.url}/b`, ...DAILY, authentication } });
    await pass(allowing, 3000, 1000);
    await pass(usual, 2 * DAY, DAY);
    expect(receiver.posts.map(({ path, headers }) => [path, headers.authorization, headers.signature])).toEqual([
      ['/a', `Bearer ${SECRET}`, undefined],
      ['/b', `Bearer ${SECRET}`, undefined],
    ]);
  });
});
