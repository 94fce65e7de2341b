import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, packageRequest, succeeded } from '../../kit/buyer.js';
import { pass, settle, verifierOf } from '../../kit/events.js';
import { type Receiver, startReceiver } from '../../kit/receiver.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { shopper } from '../../kit/shopper.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const HOUR = 60 * 60_000;
const RELEASES: readonly SchemaRelease[] = (['3.0', '3.1'] as const).filter(hasSchemas);

type Push = {
  readonly idempotency_key: string;
  readonly media_buy_id: string;
  readonly batch_id: string;
  readonly token?: string;
  readonly artifacts: readonly { readonly impression_id: string; readonly delivered_at: string }[];
  readonly pagination: {
    readonly total_artifacts: number;
    readonly batch_number: number;
    readonly total_batches: number;
  };
};

const webhook = ({ url }: Pick<Receiver, 'url'>, more: object = {}) => ({
  artifact_webhook: { url: `${url}/content`, delivery_mode: 'batched', batch_frequency: 'hourly', ...more },
});

/** A running buy whose content goes to a receiver. */
async function running(more: object = {}): Promise<{ server: Booted; receiver: Receiver; buy: Payload }> {
  const server = await boot();
  const receiver = await startReceiver();
  const one = shopper(server);
  const buy = await one.create({ packages: [packageRequest({ budget: 3000 })], ...webhook(receiver, more) });
  await one.sync({ banner: buy.packages.map(({ package_id }) => package_id) });
  return { server, receiver, buy };
}

const pushes = (receiver: Receiver) => receiver.posts.map(({ json }) => json as unknown as Push);

describe('an artifact webhook', () => {
  test('gets what each hour was sampled, signed, in batches that add up to get_media_buy_artifacts', async () => {
    const { server, receiver, buy } = await running({ sampling_rate: 0.01, token: 'token-of-the-orchestrator' });
    await pass(server, 5 * HOUR);
    await settle(server);
    const sent = pushes(receiver);
    expect(sent.length).toBeGreaterThanOrEqual(4);
    for (const push of sent) {
      expect(push).toMatchObject({ media_buy_id: buy.media_buy_id, token: 'token-of-the-orchestrator' });
      for (const release of RELEASES)
        expect(schemaJudge(release)('content-standards/artifact-webhook-payload', push)).toEqual([]);
    }
    expect(new Set(sent.map(({ batch_id }) => batch_id)).size).toBe(sent.length);
    expect(new Set(sent.map(({ idempotency_key: key }) => key)).size).toBe(sent.length);
    const pulled = succeeded(await server.call('get_media_buy_artifacts', { media_buy_id: buy.media_buy_id }));
    const ids = (pulled.artifacts as unknown as readonly { readonly record_id: string }[]).map((one) => one.record_id);
    expect(sent.flatMap(({ artifacts }) => artifacts.map((one) => one.impression_id))).toEqual(ids);
    const verify = await verifierOf(server);
    const post = receiver.posts.at(-1);
    expect(post && (await verify(post, receiver.url))).toMatchObject({ ok: true });
  });

  test('gets days at once, in batches of a hundred', async () => {
    const { server, receiver } = await running({ batch_frequency: 'daily' });
    await pass(server, 25 * HOUR, HOUR);
    await settle(server);
    const [first] = pushes(receiver);
    expect(first?.artifacts).toHaveLength(100);
    const of = pushes(receiver).filter(({ batch_id }) => batch_id.split('-')[1] === first?.batch_id.split('-')[1]);
    expect(of.map(({ pagination }) => pagination.batch_number)).toEqual(of.map((_, index) => index + 1));
    expect(of).toHaveLength(first?.pagination.total_batches ?? 0);
    expect(of.flatMap(({ artifacts }) => artifacts)).toHaveLength(first?.pagination.total_artifacts ?? 0);
  });

  test('gets nothing after the end of its buy', async () => {
    const { server, receiver, buy } = await running();
    await pass(server, 2 * HOUR);
    succeeded(
      await server.call('update_media_buy', {
        idempotency_key: 'cancel-of-the-content-buy',
        media_buy_id: buy.media_buy_id,
        canceled: true,
      }),
    );
    await settle(server);
    const before = receiver.posts.length;
    expect(before).toBeGreaterThan(0);
    await pass(server, 4 * HOUR);
    await settle(server);
    expect(receiver.posts).toHaveLength(before);
  });

  test.each<[string, object, string, string]>([
    ['in real time', { delivery_mode: 'realtime' }, 'UNSUPPORTED_FEATURE', 'artifact_webhook.delivery_mode'],
    ['without a frequency', { batch_frequency: undefined }, 'INVALID_REQUEST', 'artifact_webhook.batch_frequency'],
    ['of more than everything', { sampling_rate: 1.5 }, 'INVALID_REQUEST', 'artifact_webhook.sampling_rate'],
    ['to no address', { url: 'nowhere' }, 'INVALID_REQUEST', 'artifact_webhook.url'],
  ])('%s is refused with its field', async (_what, more, code, field) => {
    const server = await boot();
    const { payload } = await server.call(
      'create_media_buy',
      createRequest(webhook({ url: 'https://a.example' }, more)),
    );
    expect([payload.errors[0]?.code, payload.errors[0]?.field]).toEqual([code, field]);
    expect(succeeded(await server.call('get_media_buys', {})).media_buys).toEqual([]);
  });

  test('of a live buy that people carry out is refused: nobody records its content', async () => {
    const server = await boot({
      tenants: tenantsFolder((tenant) => {
        addLivePrincipal(tenant);
        tenant.fulfillment = 'manual';
      }),
    });
    const order = createRequest({
      account: { account_id: LIVE_ACCOUNT },
      ...webhook({ url: 'https://hooks.acme-outdoor.com' }),
    });
    const { payload } = await server.call('create_media_buy', order, { token: LIVE_TOKEN });
    expect(payload.errors?.[0]).toMatchObject({ code: 'UNSUPPORTED_FEATURE', field: 'artifact_webhook' });
  });
});
