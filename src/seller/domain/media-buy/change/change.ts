import { TaskError } from '../../../../protocol/errors.js';
import { checkSlots } from '../../inventory/slots.js';
import {
  type Authority,
  availableActions,
  checkActions,
  checkAuthority,
  isOwnStop,
  partyOf,
  type RequestedAction,
  validActions,
} from '../actions.js';
import { type AllowableAction, type BoundedRequest, checkAllowedBySale } from '../allowed-actions.js';
import { makeFlight, readStart, readTime, type StartTime } from '../flight.js';
import { isTerminal, type MediaBuy, type Package } from '../media-buy.js';
import {
  checkOneCurrency,
  checkPackageCount,
  flightMs,
  makePackageId,
  type OrderContext,
  openPackage,
  type PackageRequest,
} from '../order.js';
import { changePackage, checkReason, type PackageChange } from './package-change.js';

/** A change to a buy; everything left out stays. */
export type Change = {
  readonly revision?: number | undefined;
  readonly paused?: boolean | undefined;
  readonly canceled?: boolean | undefined;
  readonly cancellation_reason?: string | undefined;
  readonly start_time?: StartTime | undefined;
  readonly end_time?: string | undefined;
  readonly packages?: readonly PackageChange[] | undefined;
  readonly new_packages?: readonly PackageRequest[] | undefined;
  readonly callbacks: Readonly<Record<string, unknown>>;
  /** What each package has spent, where its budget is lowered; in the currency of the buy. */
  readonly spent?: ReadonlyMap<string, number> | undefined;
};

/** One thing that a change did, for the history. */
export type ChangeAction = { readonly action: string; readonly package_id?: string };

/** A buy after a change, its revision left to the caller; `affected` are the ids of packages that differ. */
export type Changed = {
  readonly buy: MediaBuy;
  readonly actions: readonly ChangeAction[];
  readonly affected: readonly string[];
};

/** The context that a change is judged against. */
export type ChangeContext = OrderContext & { readonly authority: Authority };

/**
 * Applies a change as a whole or not at all. Throws the code of an account in which it may not be, CONFLICT for a stale revision, NOT_CANCELLABLE or INVALID_STATE for a buy
 * that has ended, PACKAGE_NOT_FOUND, and the codes of `openPackage` for what it adds. A cancel wins over everything beside it.
 */
export function changeMediaBuy(buy: MediaBuy, change: Change, context: ChangeContext): Changed {
  const { authority, now } = context;
  const requested = requestedActions(change);
  checkAuthority(requested, authority);
  checkRevision(buy, change.revision);
  checkNotEnded(buy, change.canceled === true, authority);
  checkActions(buy, requested, authority);
  const bounded = requested.every(({ action }) => isOwnStop(action, authority)) ? [] : soldRequests(buy, change);
  checkAllowedBySale(bounded, buy.status, () => availableActions(buy, authority, now.ms));
  if (change.canceled === true) return cancelBuy(buy, change.cancellation_reason, context);
  checkReason(change.cancellation_reason, '');
  const actions: ChangeAction[] = [];
  const flight = changedFlight(buy, change, context);
  if (flight.start_time !== buy.start_time || flight.end_time !== buy.end_time)
    actions.push({ action: 'updated_dates' });
  const held = change.paused ?? buy.held;
  if (held !== buy.held) actions.push({ action: held ? 'paused' : 'resumed' });
  const moved = {
    ...buy,
    ...flight,
    held,
    packages: buy.packages.map((line) => movePackage(line, buy, flight, change.packages)),
  };
  const changed = changePackages(moved, change, context, actions);
  const added = addPackages(changed, change.new_packages ?? [], context, actions);
  const whole = { ...added, callbacks: { ...buy.callbacks, ...change.callbacks } };
  const before = new Map(buy.packages.map((line) => [line.package_id, line]));
  const affected = whole.packages.filter((line) => before.get(line.package_id) !== line).map((line) => line.package_id);
  return { buy: whole, actions: actions, affected };
}

function checkRevision(buy: MediaBuy, expected: number | undefined): void {
  if (expected === undefined || expected === buy.revision) return;
  throw new TaskError('CONFLICT', 'The media buy has changed since this revision.', {
    field: 'revision',
    suggestion:
      'Read it again with get_media_buys and repeat the change on its present revision, with a new idempotency key.',
    details: { expected_version: expected, current_version: buy.revision },
  });
}

function checkNotEnded(buy: MediaBuy, cancels: boolean, authority: Authority): void {
  if (!isTerminal(buy.status)) return;
  if (cancels) {
    throw new TaskError('NOT_CANCELLABLE', `The media buy is ${buy.status} and cannot be canceled.`, {
      field: 'media_buy_id',
      suggestion: 'Nothing is left to do: the media buy has ended.',
    });
  }
  throw new TaskError('INVALID_STATE', `The media buy is ${buy.status} and cannot be changed.`, {
    field: 'media_buy_id',
    suggestion: 'Create a new media buy; valid_actions of an ended one is empty.',
    details: { status: buy.status, valid_actions: validActions(buy, authority) },
  });
}

/** The members of a package's change that say which package it is, or only why. */
const NAMING: ReadonlySet<string> = new Set(['package_id', 'cancellation_reason', 'context', 'ext']);
/** The members of a package's change that ask for an action of their own; all others ask for `update_packages`. */
const PACKAGE_ACTIONS: Readonly<Record<string, RequestedAction['action']>> = {
  budget: 'update_budget',
  creatives: 'sync_creatives',
  creative_assignments: 'sync_creatives',
};

/** Returns the actions that a change asks for, by the table of actions. A cancel wins over everything beside it. */
function requestedActions(change: Omit<Change, 'callbacks'>): readonly RequestedAction[] {
  const { canceled, paused, start_time, end_time, packages = [], new_packages = [] } = change;
  if (canceled === true) return [{ action: 'cancel', field: 'canceled' }];
  return [
    ...(paused === undefined ? [] : [{ action: paused ? 'pause' : 'resume', field: 'paused' } as const]),
    ...(start_time === undefined ? [] : [{ action: 'update_dates', field: 'start_time' } as const]),
    ...(end_time === undefined ? [] : [{ action: 'update_dates', field: 'end_time' } as const]),
    ...packages.flatMap((line, index) =>
      Object.keys(line)
        .filter((name) => line[name] !== undefined && !NAMING.has(name))
        .map((name) => ({
          action: PACKAGE_ACTIONS[name] ?? ('update_packages' as const),
          field: `packages[${index}].${name}`,
        })),
    ),
    ...(new_packages.length === 0 ? [] : [{ action: 'add_packages', field: 'new_packages' } as const]),
  ];
}

/** The members of a package's change that ask for an action by themselves; all others ask for `update_packages`. */
const SOLD_ACTIONS: Readonly<Record<string, AllowableAction>> = {
  targeting_overlay: 'update_targeting',
  pacing: 'update_pacing',
  canceled: 'remove_packages',
  creatives: 'replace_creative',
  creative_assignments: 'update_creative_assignments',
};

/** Returns what a change asks for in the words in which products allow it. A cancel wins over everything beside it. */
function soldRequests(buy: MediaBuy, change: Omit<Change, 'callbacks'>): readonly BoundedRequest[] {
  const lines = buy.packages.filter((line) => !line.canceled);
  const { canceled, paused, start_time, end_time, packages = [], new_packages = [] } = change;
  if (canceled === true) return [{ action: 'cancel', field: 'canceled', lines }];
  const isLater = end_time !== undefined && Date.parse(end_time) > Date.parse(buy.end_time);
  return [
    ...(paused === undefined ? [] : [{ action: paused ? 'pause' : 'resume', field: 'paused', lines } as const]),
    ...(start_time === undefined ? [] : [{ action: 'update_flight_dates', field: 'start_time', lines } as const]),
    ...(end_time === undefined
      ? []
      : [{ action: isLater ? 'extend_flight' : 'shorten_flight', field: 'end_time', lines } as const]),
    ...packages.flatMap((one, index) => {
      const line = lines.find(({ package_id }) => package_id === one.package_id);
      return line === undefined ? [] : packageRequests(line, one, `packages[${index}]`);
    }),
    ...(new_packages.length === 0 ? [] : [{ action: 'add_packages', field: 'new_packages', lines } as const]),
  ];
}

function packageRequests(line: Package, change: PackageChange, field: string): readonly BoundedRequest[] {
  const named = Object.keys(change).filter((name) => change[name] !== undefined && !NAMING.has(name));
  return named.map((name) => ({ action: soldAction(line, change, name), field: `${field}.${name}`, lines: [line] }));
}

function soldAction(line: Package, { budget = 0, paused }: PackageChange, name: string): AllowableAction {
  if (name === 'budget') return budget < line.budget ? 'decrease_budget' : 'increase_budget';
  if (name === 'paused') return paused === true ? 'pause' : 'resume';
  return SOLD_ACTIONS[name] ?? 'update_packages';
}

function cancelBuy(buy: MediaBuy, reason: string | undefined, { authority, now }: ChangeContext): Changed {
  const cancellation = { canceled_at: now.iso, canceled_by: partyOf(authority), reason } as const;
  return { buy: { ...buy, status: 'canceled', cancellation }, actions: [{ action: 'canceled' }], affected: [] };
}

function changedFlight(
  buy: MediaBuy,
  change: Change,
  context: OrderContext,
): Pick<MediaBuy, 'start_time' | 'end_time'> {
  if (change.start_time === undefined && change.end_time === undefined) return buy;
  const hasStarted = Date.parse(buy.start_time) <= context.now.ms;
  const isStartUnchanged =
    change.start_time === undefined || (hasStarted && isSameInstant(change.start_time, buy.start_time));
  if (!isStartUnchanged && hasStarted) {
    throw new TaskError('INVALID_STATE', 'The flight has begun, so its start cannot move.', {
      field: 'start_time',
      suggestion: 'Leave start_time out; end_time can still be changed.',
    });
  }
  const startMs = isStartUnchanged
    ? Date.parse(buy.start_time)
    : readStart(change.start_time ?? buy.start_time, 'start_time', context.now.ms);
  const endMs = change.end_time === undefined ? Date.parse(buy.end_time) : readTime(change.end_time, 'end_time');
  const flight = makeFlight(startMs, endMs, 'end_time');
  if (endMs <= context.now.ms) {
    throw new TaskError('INVALID_REQUEST', 'The end lies in the past.', {
      field: 'end_time',
      suggestion: 'Send an end in the future, or canceled: true to end the media buy now.',
    });
  }
  return flight;
}

function isSameInstant(start: StartTime, iso: string): boolean {
  return typeof start === 'string' && Date.parse(start) === Date.parse(iso);
}

/**
 * Moves a package without dates of its own with its buy, and cuts one with dates to the new flight. Throws
 * INVALID_REQUEST for one that would have no time left and gets no new dates in the same request.
 */
function movePackage(
  line: Package,
  before: Pick<MediaBuy, 'start_time' | 'end_time'>,
  after: Pick<MediaBuy, 'start_time' | 'end_time'>,
  changes: readonly PackageChange[] = [],
): Package {
  const start =
    line.start_time === before.start_time || isEarlier(line.start_time, after.start_time)
      ? after.start_time
      : line.start_time;
  const end =
    line.end_time === before.end_time || isEarlier(after.end_time, line.end_time) ? after.end_time : line.end_time;
  if (start === line.start_time && end === line.end_time) return line;
  if (isEarlier(start, end)) {
    const moved = { ...line, start_time: start, end_time: end };
    const isPriced = changes.some(({ package_id }) => package_id === line.package_id);
    if (!line.canceled && !isPriced) checkSlots(line.sold, line.budget, flightMs(moved), 'end_time');
    return moved;
  }
  const own = changes.find((change) => change.package_id === line.package_id);
  if (line.canceled || own?.start_time !== undefined || own?.end_time !== undefined)
    return { ...line, ...pickFlight(after) };
  throw new TaskError('INVALID_REQUEST', 'A package with dates of its own would have no time left in the new flight.', {
    field: isEarlier(after.end_time, before.end_time) ? 'end_time' : 'start_time',
    suggestion: `Give the package ${line.package_id} new dates in the same request, or cancel it first.`,
  });
}

function pickFlight({
  start_time,
  end_time,
}: Pick<MediaBuy, 'start_time' | 'end_time'>): Pick<Package, 'start_time' | 'end_time'> {
  return { start_time, end_time };
}

function isEarlier(a: string, b: string): boolean {
  return Date.parse(a) < Date.parse(b);
}

function changePackages(
  buy: MediaBuy,
  { packages: changes = [], spent }: Pick<Change, 'packages' | 'spent'>,
  context: ChangeContext,
  actions: ChangeAction[],
): MediaBuy {
  const packages = [...buy.packages];
  changes.forEach((change, index) => {
    const field = `packages[${index}]`;
    if (changes.findIndex((other) => other.package_id === change.package_id) !== index) {
      throw new TaskError('INVALID_REQUEST', 'The package stands twice in the request.', {
        field: `${field}.package_id`,
        suggestion: 'Put all changes to one package into one entry.',
      });
    }
    const at = packages.findIndex((line) => line.package_id === change.package_id);
    const line = packages[at];
    if (line === undefined) throw packageNotFound(`${field}.package_id`);
    checkSpent(change, spent?.get(line.package_id) ?? 0, buy.currency, `${field}.budget`);
    packages[at] = changePackage(buy, { line, change, field, by: partyOf(context.authority) }, context);
    if (packages[at] !== line) actions.push(packageAction(change));
  });
  return { ...buy, packages };
}

/** Refuses a budget below what the package has spent: what was delivered is owed. */
function checkSpent({ budget }: PackageChange, spent: number, currency: string, field: string): void {
  if (budget === undefined || budget >= spent) return;
  throw new TaskError('BUDGET_TOO_LOW', `The package has spent ${spent} ${currency}, more than this budget.`, {
    field,
    suggestion: `Send at least ${spent} ${currency}; to stop what is spent, pause or cancel the package.`,
    details: { spent, minimum_budget: spent, currency },
  });
}

/** Returns the error of a package id that the buy does not have. */
export function packageNotFound(field: string): TaskError {
  return new TaskError('PACKAGE_NOT_FOUND', 'The media buy has no such package.', {
    field,
    suggestion: 'Use a package_id from get_media_buys.',
  });
}

function packageAction(change: PackageChange): ChangeAction {
  const { package_id } = change;
  if (change.canceled === true) return { action: 'package_canceled', package_id };
  if (change.paused !== undefined) return { action: change.paused ? 'package_paused' : 'package_resumed', package_id };
  return { action: change.budget === undefined ? 'updated_packages' : 'updated_budget', package_id };
}

function addPackages(
  buy: MediaBuy,
  requests: readonly PackageRequest[],
  context: OrderContext,
  actions: ChangeAction[],
): MediaBuy {
  if (requests.length === 0) return buy;
  checkPackageCount(buy.packages.length + requests.length, 'new_packages');
  const lines = requests.map((request, index) =>
    openPackage(
      request,
      {
        id: makePackageId(buy.media_buy_id, buy.packages.length + index + 1),
        flight: buy,
        field: `new_packages[${index}]`,
      },
      context,
    ),
  );
  checkOneCurrency(
    lines.map((line) => line.option.currency),
    buy.currency,
    'new_packages',
  );
  for (const line of lines) actions.push({ action: 'package_added', package_id: line.package.package_id });
  return { ...buy, packages: [...buy.packages, ...lines.map((line) => line.package)] };
}
