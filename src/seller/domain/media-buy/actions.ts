import { TaskError } from '../../../protocol/errors.js';
import { type Account, type AccountUse, checkAccountUse, isUsable } from '../account/account.js';
import type { Principal } from '../tenant/principal.js';
import { type AllowableAction, isAllowedBySale } from './allowed-actions.js';
import type { MediaBuy, MediaBuyStatus, Package } from './media-buy.js';
import { MAX_PACKAGES } from './order.js';

/** The facts of a buy that its actions depend on. */
type BuyFacts = Pick<MediaBuy, 'status' | 'held' | 'packages'>;

/** By what right a buy is acted on: its account, who asks, and whether people of the seller do so in that buyer's name. */
export type Authority = {
  readonly account: Pick<Account, 'status'>;
  readonly principal?: Pick<Principal, 'hasLeft'> | undefined;
  readonly isOperator?: boolean | undefined;
};

/** An action: the states in which it is offered and accepted, and what else of the buy it needs. */
type Action = {
  readonly statuses: readonly MediaBuyStatus[];
  /** The use of the account that it is; a change of a buy unless set. */
  readonly use?: AccountUse;
  /** It only stops what runs: people of the seller may in any account, and whatever the products allow their buyers. */
  readonly isStop?: true;
  readonly needs?: (buy: BuyFacts) => boolean;
  /** It is about packages, of which a canceled one refuses it; offered while there is any other. */
  readonly ofPackages?: true;
};

const OPEN = ['pending_creatives', 'pending_start', 'active', 'paused'] as const;
const isLive = (line: Package): boolean => !line.canceled;

/** What a buyer may ask for, in the order that it is answered in: `valid_actions` lists from here, and a change is held against it. */
const ACTIONS = {
  pause: { statuses: ['pending_creatives', 'pending_start', 'active'], isStop: true },
  resume: {
    statuses: ['pending_creatives', 'pending_start', 'paused'],
    needs: ({ status, held }) => status === 'paused' || held,
  },
  cancel: { statuses: OPEN, isStop: true },
  update_budget: { statuses: OPEN, ofPackages: true },
  update_dates: { statuses: OPEN },
  update_packages: { statuses: OPEN, ofPackages: true },
  add_packages: { statuses: OPEN, use: 'add_packages', needs: ({ packages }) => packages.length < MAX_PACKAGES },
  sync_creatives: { statuses: OPEN, ofPackages: true },
} as const satisfies Readonly<Record<string, Action>>;
/** An action of `valid_actions`. */
export type ActionName = keyof typeof ACTIONS;
const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

function isAllowed(name: ActionName, buy: BuyFacts): boolean {
  const { statuses, needs }: Action = ACTIONS[name];
  return statuses.includes(buy.status) && (needs?.(buy) ?? true);
}

/** Returns the party that somebody acts for: people of the seller are no buyer, though they act on a buyer's buy. */
export function partyOf({ isOperator }: Pick<Authority, 'isOperator'>): 'buyer' | 'seller' {
  return isOperator === true ? 'seller' : 'buyer';
}

/** Whether an action is a stop by people of the seller, which nothing but the buy's state bounds. */
export function isOwnStop(name: ActionName, { isOperator }: Authority): boolean {
  const { isStop }: Action = ACTIONS[name];
  return isOperator === true && isStop === true;
}

function isPermitted(name: ActionName, authority: Authority): boolean {
  if (isOwnStop(name, authority)) return true;
  const { use = CHANGE }: Action = ACTIONS[name];
  return authority.principal?.hasLeft !== true && isUsable(authority.account, use);
}

const CHANGE = 'change_buy' satisfies AccountUse;

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
export function validActions(buy: BuyFacts, authority: Authority): readonly ActionName[] {
  const hasPackages = buy.packages.some(isLive);
  return ACTION_NAMES.filter((name) => {
    if (!isAllowed(name, buy) || !isPermitted(name, authority)) return false;
    return hasPackages ? isOwnStop(name, authority) || isSold(name, name, buy) : !isOfPackages(name);
  });
}

/** An action that a change asks for, and the field that asks. */
export type RequestedAction = { readonly action: ActionName; readonly field: string };

/** Refuses a change that asks for what the state of the account does not allow, with the code of that state; INVALID_STATE for a buyer who has left. */
export function checkAuthority(requested: readonly RequestedAction[], authority: Authority): void {
  const refused = requested.find(({ action }) => !isPermitted(action, authority));
  if (refused === undefined && requested.length > 0) return;
  if (authority.principal?.hasLeft === true)
    throw new TaskError(
      'INVALID_STATE',
      'The buyer is no longer in the tenant’s file: its media buy is only paused or canceled.',
      {
        field: refused?.field,
        suggestion: 'Put the buyer back into "principals" of the tenant file, and do it then.',
      },
    );
  const action: Action | undefined = refused && ACTIONS[refused.action];
  checkAccountUse(authority.account, action?.use ?? CHANGE);
}

/** Refuses a change that asks for what the buy's state does not allow: INVALID_STATE with what it does. */
export function checkActions(buy: BuyFacts, requested: readonly RequestedAction[], authority: Authority): void {
  const refused = requested.find(({ action }) => !isAllowed(action, buy));
  if (refused === undefined) return;
  const valid_actions = validActions(buy, authority);
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
export function availableActions(
  buy: FinerFacts,
  authority: Authority,
  nowMs: number,
  asks = false,
): readonly AvailableAction[] {
  return validActions(buy, authority)
    .flatMap((name) => FINER_ACTIONS[name].map((finer) => ({ ...finer, of: name })))
    .filter(
      ({ action, needs, of }) => (needs?.(buy, nowMs) ?? true) && (isOwnStop(of, authority) || isSold(action, of, buy)),
    )
    .map(({ action, promises }) => ({
      action,
      mode: asks && promises === true ? 'conditional_self_serve' : 'self_serve',
    }));
}
