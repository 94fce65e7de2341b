import { TaskError } from '../../../protocol/errors.js';
import { type AllowableAction, isAllowedBySale } from './allowed-actions.js';
import type { MediaBuy, MediaBuyStatus, Package } from './media-buy.js';
import { MAX_PACKAGES } from './order.js';

/** The facts of a buy that its actions depend on. */
type BuyFacts = Pick<MediaBuy, 'status' | 'held' | 'packages'>;

/** An action: the states in which it is offered and accepted, and what else of the buy it needs. */
type Action = {
  readonly statuses: readonly MediaBuyStatus[];
  readonly needs?: (buy: BuyFacts) => boolean;
  /** It is about packages, of which a canceled one refuses it; offered while there is any other. */
  readonly ofPackages?: true;
};

const OPEN = ['pending_creatives', 'pending_start', 'active', 'paused'] as const;
const isLive = (line: Package): boolean => !line.canceled;

/** What a buyer may ask for, in the order that it is answered in: `valid_actions` lists from here, and a change is held against it. */
const ACTIONS = {
  pause: { statuses: ['pending_creatives', 'pending_start', 'active'] },
  resume: {
    statuses: ['pending_creatives', 'pending_start', 'paused'],
    needs: ({ status, held }) => status === 'paused' || held,
  },
  cancel: { statuses: OPEN },
  update_budget: { statuses: OPEN, ofPackages: true },
  update_dates: { statuses: OPEN },
  update_packages: { statuses: OPEN, ofPackages: true },
  add_packages: { statuses: OPEN, needs: ({ packages }) => packages.length < MAX_PACKAGES },
  sync_creatives: { statuses: OPEN, ofPackages: true },
} as const satisfies Readonly<Record<string, Action>>;
/** An action of `valid_actions`. */
export type ActionName = keyof typeof ACTIONS;
const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

function isAllowed(name: ActionName, buy: BuyFacts): boolean {
  const { statuses, needs }: Action = ACTIONS[name];
  return statuses.includes(buy.status) && (needs?.(buy) ?? true);
}

/** Whether the products of a buy allow an action: of its packages one is enough, of the whole buy all have to. */
function isSold(name: Parameters<typeof isAllowedBySale>[1], of: ActionName, { packages, status }: BuyFacts): boolean {
  const live = packages.filter(isLive);
  const allows = (line: Package): boolean => isAllowedBySale(line, name, status);
  return isOfPackages(of) ? live.some(allows) : live.every(allows);
}

function isOfPackages(name: ActionName): boolean {
  const { ofPackages }: Action = ACTIONS[name];
  return ofPackages === true;
}

/** Returns the actions of `valid_actions`: those that an update of the buy may ask for now. */
export function validActions(buy: BuyFacts): readonly ActionName[] {
  const hasPackages = buy.packages.some(isLive);
  return ACTION_NAMES.filter(
    (name) => isAllowed(name, buy) && (hasPackages ? isSold(name, name, buy) : !isOfPackages(name)),
  );
}

/** An action that a change asks for, and the field that asks. */
export type RequestedAction = { readonly action: ActionName; readonly field: string };

/** Refuses a change that asks for what the buy's state does not allow: INVALID_STATE with what it does. */
export function checkActions(buy: BuyFacts, requested: readonly RequestedAction[]): void {
  const refused = requested.find(({ action }) => !isAllowed(action, buy));
  if (refused === undefined) return;
  const valid_actions = validActions(buy);
  throw new TaskError('INVALID_STATE', `The media buy is ${buy.status}, which does not allow ${refused.action}.`, {
    field: refused.field,
    suggestion: `Ask for one of ${valid_actions.join(', ')}, or leave the field out.`,
    details: { status: buy.status, valid_actions },
  });
}

/** The words of 3.1 for an action, each with what else it needs. */
type FinerAction = {
  readonly action: AllowableAction;
  /** It may promise more than before. */
  readonly promises?: true;
  readonly needs?: (buy: FinerFacts, nowMs: number) => boolean;
};
type FinerFacts = BuyFacts & Pick<MediaBuy, 'start_time'>;

const FINER_ACTIONS: Readonly<Record<ActionName, readonly FinerAction[]>> = {
  pause: [{ action: 'pause' }],
  resume: [{ action: 'resume' }],
  cancel: [{ action: 'cancel' }],
  update_budget: [
    { action: 'increase_budget', promises: true },
    { action: 'decrease_budget' },
    { action: 'reallocate_budget', promises: true, needs: ({ packages }) => packages.filter(isLive).length > 1 },
  ],
  update_dates: [
    { action: 'extend_flight', promises: true },
    { action: 'shorten_flight' },
    {
      action: 'update_flight_dates',
      promises: true,
      needs: ({ start_time }, nowMs) => nowMs < Date.parse(start_time),
    },
  ],
  update_packages: [
    { action: 'update_targeting', promises: true },
    { action: 'update_pacing' },
    { action: 'remove_packages' },
  ],
  add_packages: [{ action: 'add_packages', promises: true }],
  sync_creatives: [
    { action: 'replace_creative' },
    { action: 'update_creative_assignments' },
    { action: 'remove_creative' },
  ],
};

/** An entry of `available_actions`. */
type AvailableAction = { readonly action: string; readonly mode: 'self_serve' | 'conditional_self_serve' };

/** Returns the 3.1 list of what a buyer may do at `nowMs`; `asks`: what promises more may have to wait for a person of the seller. */
export function availableActions(buy: FinerFacts, nowMs: number, asks = false): readonly AvailableAction[] {
  return validActions(buy)
    .flatMap((name) => FINER_ACTIONS[name].map((finer) => ({ ...finer, of: name })))
    .filter(({ action, needs, of }) => (needs?.(buy, nowMs) ?? true) && isSold(action, of, buy))
    .map(({ action, promises }) => ({
      action,
      mode: asks && promises === true ? 'conditional_self_serve' : 'self_serve',
    }));
}
