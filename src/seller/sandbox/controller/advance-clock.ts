import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { findPrincipal } from '../../domain/tenant/callers.js';
import { ownerKey, type Principal, readOwner } from '../../domain/tenant/principal.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { decideDueTasks } from '../../tasks/task/decide-task.js';
import { endActivations } from '../../tasks/task/resume-tasks.js';

/** Whose clock is advanced, and how far. */
type ClockAdvance = {
  readonly advanceMs: number;
  /** Path of the tenant; every tenant that has such a principal unless named. */
  readonly tenant: string | undefined;
  /** Id of a sandbox principal; the first one of each tenant unless named. */
  readonly principal: string | undefined;
};

/** A sandbox whose time is ahead: what its clock says, ISO 8601, and by how much. */
export type AdvancedClock = {
  readonly tenant: string;
  readonly principal: string;
  readonly now: string;
  readonly ahead_ms: number;
};

/** The furthest advance at once, ms. */
const MAX_ADVANCE_MS = 3660 * DAY_MS;

/** Returns the sandboxes whose time is ahead of the seller's. */
export function listClocks(app: App): readonly AdvancedClock[] {
  return app.clock.ahead().map((owner) => {
    const now = app.clock.nowOf(owner);
    return { ...readOwner(owner), now: isoTime(now), ahead_ms: now - app.clock.now() };
  });
}

/**
 * Advances the clock of sandboxes, and lets everything happen that time brings about: buys move, waiting tasks end, reports are
 * written; webhooks go out as ever. Throws REFERENCE_NOT_FOUND where nobody is meant, and PERMISSION_DENIED for a principal whose
 * things are real.
 */
export async function advanceClock(
  app: App,
  { advanceMs, tenant, principal }: ClockAdvance,
): Promise<readonly AdvancedClock[]> {
  const sellers = [...app.sellers().values()].filter((seller) => tenant === undefined || seller.tenant.path === tenant);
  const meant = sellers.flatMap((seller) => {
    const sandbox = findSandbox(app, seller, principal);
    return sandbox === undefined ? [] : [{ seller, principal: sandbox }];
  });
  if (meant.length === 0) throw refuseUnknown();
  if (meant.some((one) => !one.principal.sandbox)) throw refuseReal();
  const owners = meant.map((one) => ownerKey(one.seller.tenant.path, one.principal.id));
  for (const owner of owners) await advanceOwner(app, owner, advanceMs);
  return listClocks(app).filter((clock) => owners.includes(ownerKey(clock.tenant, clock.principal)));
}

/** The most stops of an advance, for something to happen in its time; what is left then happens at once. */
const MAX_STOPS = 2000;

/** Advances one sandbox; it stops whenever something is due, so that reports come one by one and tell of what was there then. */
async function advanceOwner(app: App, owner: string, advanceMs: number): Promise<void> {
  let left = advanceMs;
  for (let stops = 0; left > 0; stops += 1) {
    const now = app.clock.nowOf(owner);
    const next = stops < MAX_STOPS ? await app.store.read.sandboxes.nextDue(owner, now) : undefined;
    const step = next === undefined ? left : Math.min(left, next - now);
    await app.store.transact((tx) => app.sandboxes.advance(tx, owner, step));
    left -= step;
    await app.lifecycle.moveAllDue(undefined, owner);
    await decideDueTasks(app);
    await endActivations(app, owner);
    await app.reports.tick();
    await app.contentPushes.tick();
  }
}

/** Reads an advance from outside. Throws INVALID_REQUEST. */
export function readClockAdvance(value: unknown): ClockAdvance {
  const { advance_ms: advanceMs, tenant, principal } = isObject(value) ? value : {};
  if (
    typeof advanceMs !== 'number' ||
    !Number.isSafeInteger(advanceMs) ||
    advanceMs <= 0 ||
    advanceMs > MAX_ADVANCE_MS
  ) {
    throw new TaskError('INVALID_REQUEST', 'A clock is advanced by 1 ms to ten years.', {
      field: 'advance_ms',
      suggestion: 'Send {"advance_ms": 259200000} for three days. A clock does not go back; a fresh data folder does.',
    });
  }
  return { advanceMs, tenant: readText(tenant), principal: readText(principal) };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function findSandbox(app: App, seller: Seller, id: string | undefined): Principal | undefined {
  return id === undefined
    ? seller.callers.find((principal) => principal.sandbox)
    : findPrincipal(seller, id, app.development);
}

function refuseUnknown(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'No tenant has such a sandbox principal.', {
    field: 'principal',
    suggestion: 'Name a tenant and a sandbox principal of its file; `keys list` shows them.',
  });
}

function refuseReal(): TaskError {
  return new TaskError('PERMISSION_DENIED', 'Only the time of a sandbox can be advanced.', {
    field: 'principal',
    suggestion: 'Name a sandbox principal.',
  });
}
