import { checkClock, checkDisk, checkEventLoop, checkProcesses, checkStore } from '../platform/health/checks.js';
import { LoopDelay } from '../platform/health/loop-delay.js';
import { type HealthCheck, type PartReport, Readiness } from '../platform/health/readiness.js';
import { monotonicMs } from '../platform/kernel/clock.js';
import type { Closing } from '../platform/kernel/closing.js';
import type { Settings } from './config/settings.js';
import type { App } from './context.js';
import { hasSimulatedBuys } from './domain/tenant/callers.js';
import type { Tenants } from './tenants.js';

/** The parts of a seller whose health is checked. */
export type CheckedParts = {
  readonly app: App;
  readonly tenants: Tenants;
  readonly settings: Settings;
  readonly loopDelay: LoopDelay;
};

/** Returns every part that /readyz speaks of, in the order in which it is shown. */
function healthChecks({ app, loopDelay, settings, tenants }: CheckedParts): readonly HealthCheck[] {
  const { processes } = app.store;
  return [
    { name: 'store', run: () => checkStore(app.store) },
    { name: 'disk', run: () => checkDisk(settings.dataDir) },
    { name: 'event_loop', run: () => checkEventLoop(loopDelay) },
    { name: 'keys', run: () => checkKeys(app) },
    { name: 'clock', run: () => checkClock(app.watch) },
    { name: 'reload', run: () => checkReload(tenants) },
    { name: 'fulfillment', run: () => checkFulfillment(app) },
    ...(processes === undefined ? [] : [{ name: 'processes', run: () => checkProcesses(processes) }]),
  ];
}

/** Opens the health of a seller; `more` are the checks of what is served beside its tenants. */
export function openReadiness(
  parts: Omit<CheckedParts, 'loopDelay'>,
  more: readonly HealthCheck[],
  closing: Closing,
): Readiness {
  const loopDelay = new LoopDelay(monotonicMs, parts.app.log);
  closing.add(() => loopDelay.close());
  return new Readiness([...healthChecks({ ...parts, loopDelay }), ...more], parts.app);
}

/** Whether there are keys to sign webhooks with. */
function checkKeys({ keys }: App): PartReport {
  const published = keys.publicJwks().keys.length;
  if (published > 0) return { status: 'ok', published };
  return { status: 'ill', message: 'no signing key is published: make one with "keys signing generate"', published };
}

/** Checks whether the last edit of the tenant files was rejected, which leaves the tenants before it served. */
function checkReload({ isLastEditRejected }: Tenants): PartReport {
  if (!isLastEditRejected) return { status: 'ok' };
  const message = 'the last edit of the tenant files was rejected: run "seller-agent check"';
  return { status: 'degraded', message };
}

/** Tells of live buys that nobody serves, which are no fault of the process. */
function checkFulfillment({ sellers }: App): PartReport {
  const simulated = [...sellers().values()].filter(({ tenant }) => hasSimulatedBuys(tenant)).length;
  if (simulated === 0) return { status: 'ok' };
  return { status: 'ok', message: 'delivery of live buys is made up: no ad is served', simulated_tenants: simulated };
}
