import path from 'node:path';
import { BUILT_MS } from '../creative/lifetimes.js';
import { holdDataFolder } from '../platform/database/data-folder.js';
import { keepSecret } from '../platform/database/secret-file.js';
import { type Clock, isoTime } from '../platform/kernel/clock.js';
import type { Closing } from '../platform/kernel/closing.js';
import type { Ids } from '../platform/kernel/ids.js';
import type { Log } from '../platform/kernel/log.js';
import { outboundThrough } from '../platform/net/outbound.js';
import type { Purpose } from '../platform/signing/keys/jwk.js';
import { type KeyRing, openKeyRing } from '../platform/signing/keys/key-ring.js';
import { createSignedLinks } from '../platform/web/signed-link.js';
import { protocolNames } from '../protocol/names.js';
import type { Release } from '../protocol/versions.js';
import { createBooking } from './adserver/booking.js';
import type { AdServer } from './adserver/port.js';
import type { Settings } from './config/settings.js';
import type { App } from './context.js';
import { answerBytes, searchBytes } from './domain/product/catalog-search.js';
import type { Tenant } from './domain/tenant/tenant.js';
import { createLimits, type Limits } from './http/limits.js';
import { createIdempotency } from './idempotency/once.js';
import { Lifecycle } from './lifecycle/media-buys.js';
import { createReports } from './lifecycle/reports.js';
import { useRegistry } from './registry/open.js';
import { interceptForSandbox } from './sandbox/interceptor.js';
import { openSandboxes } from './sandbox/sandboxes.js';
import { takeOverMedia } from './store/previews/earlier-media.js';
import { SellerPreviews } from './store/previews/preview-store.js';
import { openStore, type Store } from './store/store.js';
import { AnswerCache } from './tasks/pipeline/answer-cache.js';
import { prepareCompletion } from './tasks/task/decide-task.js';
import { Tenants } from './tenants.js';
import type { AnswerPolicy } from './webhooks/delivery/answers.js';
import { DELIVERY_POLICY } from './webhooks/delivery/attempt.js';
import { createDelivery, type Delivery } from './webhooks/delivery/delivery.js';
import { createBuyEvents } from './webhooks/events/buy-events.js';

/** The surroundings that a seller is opened in. */
export type AppOptions = {
  readonly settings: Settings;
  /** Where tenant files look for `{"env": …}` keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly adServer: AdServer | undefined;
};

/** A seller's services; its tenants are not loaded yet. */
export type OpenApp = {
  readonly app: App;
  readonly tenants: Tenants;
  readonly limits: Limits;
  readonly previews: SellerPreviews;
};

/** What the services that outlive an edit of the tenant files are made of. */
type Foundation = AppOptions & { readonly store: Store; readonly keys: KeyRing; readonly tenants: Tenants };

/** The secret behind the links of approvals, below the data folder. */
const APPROVAL_SECRET = path.join('keys', 'approval-links');

/** Opens the services of a seller on its data folder; `closing` closes them. Throws ConfigError when the folder is taken. */
export async function openApp(options: AppOptions, closing: Closing): Promise<OpenApp> {
  const { settings, clock, ids, log } = options;
  const { dataDir, protocolName, webhookKey } = settings;
  const file = settings.store ?? path.join(dataDir, 'seller-agent.db');
  for (const folder of new Set([dataDir, path.dirname(file)])) {
    const hold = holdDataFolder(folder);
    closing.add(() => hold.release());
  }
  const keys = await openKeyRing({
    dataDir,
    clock,
    ids,
    log,
    keyUses: protocolNames(protocolName).keyUses,
    webhookPurpose: webhookKey === 'request-signing' ? 'request-signing' : 'webhook-signing',
  });
  const store = openStore(file);
  closing.add(() => store.close());
  const previews = new SellerPreviews(store);
  const times = { nowMs: clock.now(), lifetimeMs: BUILT_MS };
  await takeOverMedia(path.join(dataDir, 'previews'), previews.media, times);
  const limits = createLimits();
  const tenants = new Tenants({ ...options, limits, previews });
  closing.add(() => tenants.close());
  const app = await openServices({ ...options, store, keys, tenants }, closing);
  return { app, tenants, limits, previews };
}

async function openServices(foundation: Foundation, closing: Closing): Promise<App> {
  const { settings, clock, ids, log, store, keys, tenants } = foundation;
  const { dataDir, development } = settings;
  const sellers = (): Tenants['sellers'] => tenants.sellers;
  const outbox = createOutbox(foundation);
  closing.add(() => outbox.close());
  const events = createBuyEvents(outbox, (tenant) => sellers().get(tenant)?.tenant.webhooks.windowsMs ?? {});
  const booking = createBooking(store, log, foundation.adServer, (tx, owner, buy) =>
    events.announceState(tx, owner, buy, isoTime(clock.now())),
  );
  const sandboxes = await openSandboxes(store, clock);
  const interceptor = interceptForSandbox({ store, sandboxes, ids, clock, development, sellers });
  const reports = createReports({ store, clock: sandboxes.clock, log, booking, outbox });
  const lifecycle = await Lifecycle.start({ store, clock: sandboxes.clock, ids, booking, events, reports });
  const registry = await useRegistry(settings.registry, {
    dataDir,
    outbound: () => tenants.renderer.outbound,
    clock,
    ids,
    log,
    local: development,
    sellers,
  });
  closing.add(() => registry.close());
  const secret = (): string => keepSecret(path.join(dataDir, APPROVAL_SECRET), ids.secret);
  const app: App = {
    clock: sandboxes.clock,
    sandboxes,
    interceptor: ({ principal }) => (principal?.sandbox === true ? interceptor : undefined),
    prepareCompletion: (task, result) => prepareCompletion(app, task, result),
    ids,
    log,
    store,
    idempotency: createIdempotency(store),
    answers: new AnswerCache(answerBytes),
    searches: new AnswerCache(searchBytes),
    lifecycle,
    booking,
    outbox,
    reports,
    approvalLinks: createSignedLinks('approval', secret),
    operator: settings.operator,
    publishers: () => tenants.publishers,
    registry,
    keys,
    development,
    renderer: () => tenants.renderer,
    sellers,
  };
  return app;
}

function createOutbox({ settings, clock, ids, log, store, keys, tenants }: Foundation): Delivery {
  return createDelivery({
    store,
    clock,
    ids,
    log,
    outbound: outboundThrough(() => tenants.renderer.outbound),
    sign: (tenant, release) => ({
      names: tenants.sellers.get(tenant)?.names ?? protocolNames(settings.protocolName),
      key: keys.signing(webhookPurpose(settings.webhookKey, release)),
    }),
    policy: (tenant) => ({ ...DELIVERY_POLICY, ...answerPolicy(tenants.sellers.get(tenant)?.tenant) }),
  });
}

/** The purpose of the key that signs a webhook for a buyer of a release. */
function webhookPurpose(setting: Settings['webhookKey'], release: Release): Purpose {
  if (setting !== 'by_release') return setting;
  return release === '3.0' ? 'webhook-signing' : 'request-signing';
}

/** How a tenant takes what receivers answer. */
function answerPolicy(tenant: Tenant | undefined): Partial<AnswerPolicy> {
  if (tenant === undefined) return {};
  const { signatureReject, onGone } = tenant.webhooks;
  return { signatureReject, onGone };
}
