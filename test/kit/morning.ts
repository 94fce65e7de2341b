import { recordDecision } from '../../src/seller/http/operator/operations.js';
import { serveAssets } from './asset-server.js';
import { type Booted, type BootOptions, boot } from './boot.js';
import { createRequest, creative, packageRequest, succeeded, updateRequest } from './buyer.js';
import { settle } from './events.js';
import { serveOrigins } from './origins.js';
import { type Receiver, startReceiver } from './receiver.js';
import { picture } from './renderer.js';
import { FAILING_PUBLISHER, type FilledRegistry, fillRegistry, WITH_REGISTRY } from './served-registry.js';
import { tenantsFolder } from './tenants.js';

/** A seller on a morning with things to do. */
export type Morning = {
  readonly server: Booted;
  /** Ids of the buys that run. */
  readonly buys: readonly string[];
  /** Ids of the tasks that wait for a person. */
  readonly waiting: readonly string[];
  /** The endpoint that answers 404. */
  readonly failing: Receiver;
  /** What is in the registry that it serves. */
  readonly registry: FilledRegistry;
  /** Keys of the events that were sent or tried, the newest first. */
  readonly events: readonly string[];
};

const ADVERTISERS = ['acme-outdoor.example', 'blue-bicycle.example', 'cedar-coffee.example', 'delta-drums.example'];

/** Boots a seller that asks about orders over 5,000 and every creative: buys run, some wait, creatives came, and one endpoint fails. */
export async function bootMorning(options: BootOptions = {}): Promise<Morning> {
  const origins = await serveOrigins([FAILING_PUBLISHER]);
  const tenants = tenantsFolder((tenant) => {
    tenant.policies = { ...(tenant.policies as object), creative_approval: 'manual' };
    Object.assign(tenant, {
      approvals: [{ budget_over: { amount: 5000, currency: 'USD' }, timeout_hours: 120 }],
      outbound: { resolve: origins.resolve },
    });
  });
  const server = await boot({ tenants, ids: 'system', ...WITH_REGISTRY, ...options });
  const registry = await fillRegistry(server);
  const files = await serveAssets({
    '/boots.png': await picture(300, 250, '#1f6f54'),
    '/bikes.png': await picture(300, 250, '#27408b'),
  });
  const failing = await startReceiver();
  failing.always(404);
  const order = (index: number, budget: number, changes: object = {}) =>
    createRequest({
      brand: { domain: ADVERTISERS[index % ADVERTISERS.length] ?? '' },
      packages: [packageRequest({ budget: budget * 0.6 }), packageRequest({ budget: budget * 0.4 })],
      ...changes,
    });
  const buys: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    const { media_buy_id } = succeeded(await server.call('create_media_buy', order(index, 900 + index * 350)));
    buys.push(String(media_buy_id));
  }
  const waiting: string[] = [];
  for (const budget of [12_500, 48_000, 7200]) {
    const packages = [
      packageRequest({
        budget,
        targeting_overlay: { geo_countries: ['US', 'CA'] },
        creatives: [creative(`inline-${budget}`, asset(`${files.origin}/bikes.png`))],
      }),
    ];
    const { task_id } = succeeded(
      await server.call('create_media_buy', order(waiting.length + 1, budget, { packages })),
    );
    waiting.push(String(task_id));
  }
  await server.call('sync_creatives', {
    ...updateRequest(buys[1] ?? ''),
    media_buy_id: undefined,
    creatives: [
      creative('boots-spring', asset(`${files.origin}/boots.png`)),
      creative('bikes-tour', asset(`${files.origin}/bikes.png`)),
    ],
  });
  await server.call('update_media_buy', updateRequest(buys[0] ?? '', { paused: true }));
  await settle(server);
  const told = { push_notification_config: { url: `${failing.url}/hooks`, operation_id: 'op-1' } };
  const { task_id: refused } = succeeded(await server.call('create_media_buy', order(3, 9000, told)));
  await recordDecision(server.server().app, String(refused), { decision: 'reject', reason: 'We do not sell drums.' });
  await settle(server);
  server.clock.advance(3 * 86_400_000);
  await settle(server);
  const sent = await server.server().app.store.read.webhookLog.list({ limit: 20, after: undefined }, {});
  return { server, registry, buys, waiting, failing, events: sent.map(({ idempotency_key }) => idempotency_key) };
}

function asset(url: string): object {
  return {
    assets: {
      banner_image: { asset_type: 'image', url, width: 300, height: 250 },
      click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/' },
    },
  };
}
