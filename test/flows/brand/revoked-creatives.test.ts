import { describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, freshKey, KIT_TOKEN, succeeded } from '../../kit/buyer.js';
import { settle } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { startReceiver } from '../../kit/receiver.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { packageIds, shopper } from '../../kit/shopper.js';

const HOUR = 3_600_000;
const KEY = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };

/** The rights to a face, as creatives name them. */
async function acquire(server: Booted): Promise<{ readonly rights_id: string; readonly uses: readonly string[] }> {
  const args = {
    idempotency_key: freshKey(),
    rights_id: 'velez_images',
    pricing_option_id: 'images_monthly',
    buyer: { domain: 'acme-outdoor.example' },
    campaign: {
      description: 'Trail shoes',
      uses: ['likeness', 'commercial'],
      start_date: '2030-01-01',
      end_date: '2031-01-01',
    },
    revocation_webhook: { url: 'https://buyer.example/revoked' },
  };
  const answer = succeeded(await server.call('acquire_rights', args, { tenant: 'brand', version: '3.1' }));
  return answer.rights_constraint as unknown as Awaited<ReturnType<typeof acquire>>;
}

/** A server with a running buy of two packages, whose creatives use rights for a face, the second one another agent's of the same id. */
async function stage() {
  const server = await boot();
  const right = await acquire(server);
  const buyer = shopper(server, 'kit');
  const bought = await buyer.create();
  const [line] = packageIds(bought);
  const elsewhere = { ...right, rights_agent: { url: 'https://other.example/mcp', id: 'other' } };
  await buyer.sync(
    { portrait: [line ?? ''], other: [] },
    { creatives: [creative('portrait', { rights: [right] }), creative('other', { rights: [elsewhere] })] },
  );
  const library = async () =>
    Object.fromEntries(
      succeeded(await buyer.call('list_creatives')).creatives.map((one) => [one.creative_id, one.status]),
    );
  const revoke = async (body: object) => {
    expect((await operatorOf(server).post(`/rights/${right.rights_id}`, body)).status).toBe(200);
    await server.server().tick();
  };
  return { server, right, buyer, bought, line, library, revoke };
}

describe('a creative that relies on a revoked right', () => {
  test('is rejected and impairs the buys that run it; both are told, and what replaces it mends them', async () => {
    const { server, right, buyer, bought, line, library, revoke } = await stage();
    const receiver = await startReceiver();
    receiver.always(({ json }) => ({ status: 200, body: JSON.stringify({ challenge: json.challenge }) }));
    const subscriber = { subscriber_id: 'a', url: receiver.url, event_types: ['creative.status_changed'] };
    const accounts = [{ ...KEY, billing: 'operator', notification_configs: [subscriber] }];
    const subscription = { idempotency_key: freshKey(), adcp_version: '3.1', accounts };
    succeeded(await server.call('sync_accounts', subscription, { token: KIT_TOKEN }));
    expect(await library()).toEqual({ portrait: 'approved', other: 'approved' });
    await revoke({ reason: 'Conduct' });
    expect(await library()).toEqual({ portrait: 'rejected', other: 'approved' });
    const read = async () =>
      succeeded(
        await server.call(
          'get_media_buys',
          { media_buy_ids: [bought.media_buy_id] },
          { token: KIT_TOKEN, version: '3.1' },
        ),
      );
    const impaired = await read();
    expect(impaired.media_buys[0]).toMatchObject({
      health: 'impaired',
      impairments: [
        {
          resource_type: 'creative',
          resource_id: 'portrait',
          package_ids: [line],
          transition: { to: 'rejected' },
          reason_code: 'identity_authorization_revoked',
          reason: expect.stringContaining('Conduct'),
        },
      ],
    });
    if (hasSchemas('3.1')) expect(schemaJudge('3.1')('media-buy/get-media-buys-response', impaired)).toEqual([]);
    await settle(server);
    const event = receiver.posts.map(({ json }) => json).find(({ creative_id }) => creative_id === 'portrait');
    expect(event).toMatchObject({
      notification_type: 'creative.status_changed',
      reason_code: 'identity_authorization_revoked',
      transition: { from: 'approved', to: 'rejected' },
      initiator: 'system',
    });
    const again = await buyer.sync(
      { portrait: [] },
      { creatives: [creative('portrait', { rights: [right] })], validation_mode: 'lenient' },
    );
    expect(again.creatives[0]).toMatchObject({
      action: 'failed',
      errors: [{ code: 'CREATIVE_REJECTED', field: 'creatives[0].rights[0].rights_id' }],
    });
    const mended = creative('portrait', { name: 'Without the face', rights: [] });
    expect((await buyer.sync({ portrait: [] }, { creatives: [mended] })).creatives[0]).toMatchObject({
      status: 'approved',
    });
    expect((await read()).media_buys[0]).toMatchObject({ health: 'ok' });
  });

  test('runs until the revocation is in force, also over a restart', async () => {
    const { server, library, revoke } = await stage();
    const at = new Date(server.clock.now() + HOUR).toISOString();
    await revoke({ reason: 'Contract', effective_at: at });
    expect(await library()).toMatchObject({ portrait: 'approved' });
    await server.restart();
    server.clock.advance(HOUR + 1000);
    await server.server().tick();
    expect(await library()).toMatchObject({ portrait: 'rejected', other: 'approved' });
  });

  test('goes on where the revoked use is not its own', async () => {
    const { buyer, right, library, revoke } = await stage();
    const narrow = creative('narrow', { rights: [{ ...right, uses: ['likeness'] }] });
    await buyer.sync({ narrow: [] }, { creatives: [narrow] });
    await revoke({ reason: 'Contract', uses: ['commercial'] });
    expect(await library()).toMatchObject({ narrow: 'approved', portrait: 'rejected' });
    await revoke({ reason: 'Conduct' });
    expect(await library()).toMatchObject({ narrow: 'rejected' });
  });
});
