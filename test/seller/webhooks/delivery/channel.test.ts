import { describe, expect, it } from 'vitest';
import { createOutbound } from '../../../../src/platform/net/fetch.js';
import { TaskError } from '../../../../src/protocol/errors.js';
import {
  type Channel,
  checkChannelHost,
  findOrigin,
  REGISTRATION_POLICY,
  type RegistrationRules,
  readChannel,
} from '../../../../src/seller/webhooks/delivery/channel.js';
import { channelsOf } from '../../../../src/seller/webhooks/events/registration.js';
import { type Refusal, refusalOf } from '../../domain/order-context.js';

const URL_ = 'https://buyer.example/hooks';
const SECRET = 'kT9s-a-secret-of-32-characters-or-more';
const rules = (changes: Partial<RegistrationRules> = {}): RegistrationRules => ({
  field: 'push_notification_config',
  local: false,
  mutating: true,
  policy: REGISTRATION_POLICY,
  ...changes,
});
const legacy = (scheme: string, credentials: unknown = SECRET) => ({
  url: URL_,
  authentication: { schemes: [scheme], credentials },
});
const policy = (changes: Partial<RegistrationRules['policy']>) =>
  rules({ policy: { ...REGISTRATION_POLICY, ...changes } });

function caught(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe('a registration', () => {
  it.each<[config: object, channel: Partial<Channel>, judged: Partial<RegistrationRules>]>([
    [{ url: URL_ }, { mode: 'rfc9421' }, {}],
    [{ url: `${URL_}/x?a=1#part`, operation_id: 'op 1/ä' }, { mode: 'rfc9421', operation_id: 'op 1/ä' }, {}],
    [{ url: URL_, token: 't'.repeat(16) }, { token: 't'.repeat(16) }, {}],
    [legacy('HMAC-SHA256'), { mode: 'hmac-sha256', credentials: SECRET }, {}],
    [legacy('Bearer'), { mode: 'bearer', credentials: SECRET }, { mutating: false }],
    [legacy('Bearer'), { mode: 'bearer' }, { field: 'reporting_webhook' }],
    [legacy('Bearer'), { mode: 'bearer' }, policy({ bearerForChanges: true })],
    [{ url: 'http://127.0.0.1:9000/x' }, { local: true }, { local: true }],
    [{ url: '{{runner.webhook_url}}' }, { local: true }, { local: true }],
    [
      { url: URL_, reporting_frequency: 'daily' },
      {},
      { ...policy({ requireOperationId: true }), field: 'reporting_webhook' },
    ],
  ])('%j is taken', (config, channel, judged) => {
    const read = readChannel(config, rules(judged));
    expect(read).toMatchObject(channel);
    expect(read.url).toBe((config as { url: string }).url);
    // What is kept and read again later is the same channel.
    const field = judged.field === 'reporting_webhook' ? judged.field : 'push_notification_config';
    expect(channelsOf({ callbacks: { [field]: config }, sandbox: judged.local === true })[field]).toEqual(read);
  });

  it.each<[name: string, config: unknown, refusal: Refusal, judged?: Partial<RegistrationRules>]>([
    ['no object', 'https://buyer.example', ['INVALID_REQUEST', 'push_notification_config']],
    ['no url', {}, ['INVALID_REQUEST', 'push_notification_config.url']],
    ['no URL', { url: 'buyer' }, ['INVALID_REQUEST', 'push_notification_config.url']],
    ['http', { url: 'http://buyer.example/' }, ['INVALID_REQUEST', 'push_notification_config.url']],
    ['ftp', { url: 'ftp://buyer.example/' }, ['INVALID_REQUEST', 'push_notification_config.url']],
    ['private', { url: 'https://10.1.2.3/' }, ['INVALID_REQUEST', 'push_notification_config.url']],
    ['metadata', { url: 'https://169.254.169.254/' }, ['INVALID_REQUEST', 'push_notification_config.url']],
    ['loopback', { url: 'https://localhost/' }, ['INVALID_REQUEST', 'push_notification_config.url']],
    ['mapped', { url: 'https://[::ffff:10.0.0.1]/' }, ['INVALID_REQUEST', 'push_notification_config.url']],
    ['credentials', { url: 'https://a:b@buyer.example/' }, ['INVALID_REQUEST', 'push_notification_config.url']],
    ['no host to sign', { url: 'https://buyer..example/' }, ['VALIDATION_ERROR', 'push_notification_config.url']],
    [
      'a long url',
      { url: `https://b.example/${'x'.repeat(2048)}` },
      ['INVALID_REQUEST', 'push_notification_config.url'],
    ],
    [
      'an empty operation_id',
      { url: URL_, operation_id: '' },
      ['INVALID_REQUEST', 'push_notification_config.operation_id'],
    ],
    ['a number', { url: URL_, operation_id: 7 }, ['INVALID_REQUEST', 'push_notification_config.operation_id']],
    ['a short token', { url: URL_, token: 'x' }, ['INVALID_REQUEST', 'push_notification_config.token']],
    [
      'none where one is wanted',
      { url: URL_ },
      ['INVALID_REQUEST', 'push_notification_config.operation_id'],
      policy({ requireOperationId: true }),
    ],
    [
      'no scheme',
      { url: URL_, authentication: {} },
      ['INVALID_REQUEST', 'push_notification_config.authentication.schemes'],
    ],
    [
      'null',
      { url: URL_, authentication: null },
      ['INVALID_REQUEST', 'push_notification_config.authentication.schemes'],
    ],
    [
      'the singular',
      { url: URL_, authentication: { scheme: 'HMAC-SHA256', credentials: SECRET } },
      ['INVALID_REQUEST', 'push_notification_config.authentication.schemes'],
    ],
    ['another scheme', legacy('Basic'), ['INVALID_REQUEST', 'push_notification_config.authentication.schemes']],
    [
      'a member of objects',
      legacy('constructor'),
      ['INVALID_REQUEST', 'push_notification_config.authentication.schemes'],
    ],
    [
      'two schemes',
      { url: URL_, authentication: { schemes: ['HMAC-SHA256', 'Bearer'], credentials: SECRET } },
      ['INVALID_REQUEST', 'push_notification_config.authentication.schemes'],
    ],
    ...(['HMAC-SHA256', 'Bearer'] as const).flatMap(
      (scheme): [string, unknown, Refusal, Partial<RegistrationRules>][] => {
        const refusal: Refusal = ['INVALID_REQUEST', 'push_notification_config.authentication.credentials'];
        return [
          [`31 characters (${scheme})`, legacy(scheme, 'x1'.repeat(16).slice(1)), refusal, { mutating: false }],
          [`zeros (${scheme})`, legacy(scheme, '0'.repeat(40)), refusal, { mutating: false }],
          [`no secret (${scheme})`, legacy(scheme, null), refusal, { mutating: false }],
        ];
      },
    ),
    [
      'a token that no header carries',
      legacy('Bearer', `${SECRET}\r\nX: 1`),
      ['INVALID_REQUEST', 'push_notification_config.authentication.credentials'],
      { mutating: false },
    ],
    [
      'Bearer for a change',
      legacy('Bearer'),
      ['UNSUPPORTED_FEATURE', 'push_notification_config.authentication.schemes[0]'],
    ],
    [
      'HMAC where it is not taken',
      legacy('HMAC-SHA256'),
      ['UNSUPPORTED_FEATURE', 'push_notification_config.authentication.schemes[0]'],
      policy({ legacyWebhooks: false }),
    ],
    [
      'a report where it is not taken',
      legacy('Bearer'),
      ['UNSUPPORTED_FEATURE', 'reporting_webhook.authentication.schemes[0]'],
      { ...policy({ legacyWebhooks: false }), field: 'reporting_webhook' },
    ],
  ])('with %s is refused, with the field and a way out', (_name, config, refusal, judged = {}) => {
    expect(refusalOf(() => readChannel(config, rules(judged)))).toEqual(refusal);
  });

  it('says nothing of a secret in its refusal', () => {
    for (const secret of ['hunter2-hunter2', `hunter2 ${SECRET}`]) {
      const judged = rules({ mutating: false });
      const refused = caught(() => readChannel(legacy('Bearer', secret), judged));
      expect(refused).toBeInstanceOf(TaskError);
      const { message, extras } = refused as TaskError;
      expect(JSON.stringify([message, extras])).not.toContain('hunter2');
    }
  });
});

describe('a host at registration', () => {
  const judge = async (addresses: readonly string[] | Error, local = false) => {
    const outbound = createOutbound({
      development: true,
      lookup: async () => {
        if (addresses instanceof Error) throw addresses;
        return addresses.map((address) => ({ address, family: 4 }));
      },
    });
    const channel = readChannel({ url: URL_ }, rules({ local }));
    return checkChannelHost(channel, 'push_notification_config', outbound).then(
      () => 'taken',
      (error: { code: string; extras: { field?: string } }) => `${error.code} ${error.extras.field}`,
    );
  };

  it.each<[addresses: readonly string[] | Error, outcome: string, local?: boolean]>([
    [['8.8.8.8'], 'taken'],
    [new Error('ENOTFOUND'), 'taken'],
    [[], 'taken'],
    [['10.0.0.1'], 'INVALID_REQUEST push_notification_config.url'],
    [['8.8.8.8', '192.168.0.1'], 'INVALID_REQUEST push_notification_config.url'],
    [['169.254.169.254'], 'INVALID_REQUEST push_notification_config.url', true],
    [['127.0.0.1'], 'INVALID_REQUEST push_notification_config.url'],
    [['127.0.0.1'], 'taken', true],
  ])('that resolves to %s: %s', async (addresses, outcome, local) => {
    expect(await judge(addresses, local)).toBe(outcome);
  });

  it('that never resolves is taken, in bounded time', async () => {
    const outbound = createOutbound({ development: false, lookup: () => new Promise(() => undefined) });
    expect(await outbound.leadsInside(URL_, { timeoutMs: 20 })).toBe(false);
  });

  it('that a test resolves by hand is taken, and a literal is judged without a look-up', async () => {
    const resolve = new Map([['buyer.example', 'http://127.0.0.1:9000']]);
    const lookup = () => expect.fail('nothing is looked up');
    const outbound = createOutbound({ development: true, resolve, lookup });
    expect(await outbound.leadsInside(URL_, { timeoutMs: 20 })).toBe(false);
    expect(await outbound.leadsInside('https://[fd00::1]/', { timeoutMs: 20 })).toBe(true);
    expect(await outbound.leadsInside('https://127.0.0.1/', { timeoutMs: 20, local: true })).toBe(false);
  });
});

describe('the origin of a channel', () => {
  it.each([
    ['https://Buyer.example:443/a?b', 'https://buyer.example'],
    ['https://buyer.example:8443/', 'https://buyer.example:8443'],
    ['{{url}}', undefined],
  ])('%s is %s', (url, origin) => expect(findOrigin({ url })).toBe(origin));
});
