import { TaskError } from '../../../protocol/errors.js';

/** The actions that a product may allow, each with the older words that it is a part of. */
const PARTS = {
  pause: [],
  resume: [],
  cancel: [],
  extend_flight: ['update_dates'],
  shorten_flight: ['update_dates'],
  update_flight_dates: ['update_dates'],
  increase_budget: ['update_budget'],
  decrease_budget: ['update_budget'],
  reallocate_budget: ['update_budget'],
  update_targeting: ['update_packages'],
  update_pacing: ['update_packages'],
  remove_packages: ['update_packages'],
  replace_creative: ['sync_creatives'],
  update_creative_assignments: ['sync_creatives'],
  remove_creative: ['sync_creatives'],
  add_packages: [],
  update_budget: [],
  update_dates: [],
  update_packages: [],
  sync_creatives: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The words for actions that a product may allow. */
export type AllowableAction = keyof typeof PARTS;
export const ALLOWABLE_ACTIONS = Object.keys(PARTS) as AllowableAction[];

/** The modes in which a product may allow an action; what a person has to decide is said by the approvals of the tenant. */
export const ALLOWED_MODES = ['self_serve', 'conditional_self_serve'] as const;

/** An action that buys of a product may take: in the states named, in all that have not ended where none are. */
export type AllowedAction = {
  readonly action: AllowableAction;
  readonly modes: readonly (typeof ALLOWED_MODES)[number][];
  readonly allowed_statuses?: readonly string[];
};

/** The terms of a sold product that bound the actions on it. */
type Bounded = { readonly sold: { readonly allowed_actions?: readonly AllowedAction[] } };

type Named = AllowableAction | (typeof PARTS)[AllowableAction][number];

/** Whether two words are for one action, or one of them is for a part of the other. */
function meansPartOf(one: Named, other: Named): boolean {
  if (one === other) return true;
  const parts: readonly string[] = PARTS[one];
  return parts.includes(other) || (PARTS[other] as readonly string[]).includes(one);
}

/** Whether what was sold allows an action in a state; all that declares none does. */
export function isAllowedBySale({ sold }: Bounded, action: Named, status: string): boolean {
  return (
    sold.allowed_actions?.some(
      (allowed) => meansPartOf(allowed.action, action) && (allowed.allowed_statuses?.includes(status) ?? true),
    ) ?? true
  );
}

/** An action that a change asks of packages, with the field that asks. */
export type BoundedRequest = {
  readonly action: AllowableAction;
  readonly field: string;
  readonly lines: readonly Bounded[];
};

/** Refuses a change that the products of its packages do not allow: ACTION_NOT_ALLOWED with what is allowed. */
export function checkAllowedBySale(
  requests: readonly BoundedRequest[],
  status: string,
  available: () => readonly object[],
): void {
  for (const { action, field, lines } of requests) {
    const line = lines.find((one) => !isAllowedBySale(one, action, status));
    if (line === undefined) continue;
    const isOfState = line.sold.allowed_actions?.some((allowed) => meansPartOf(allowed.action, action)) === true;
    throw new TaskError(
      'ACTION_NOT_ALLOWED',
      `The product does not allow ${action}${isOfState ? ` while the media buy is ${status}` : ''}.`,
      {
        field,
        suggestion:
          'Leave the field out: allowed_actions of the product say what its buys may do, available_actions of the buy what it may do now.',
        details: {
          attempted_action: action,
          reason: isOfState ? 'wrong_status' : 'not_supported_on_product',
          currently_available_actions: available(),
        },
      },
    );
  }
}
