/** Whose things a request reaches: all of an owner's, or those in one of its accounts alone. */
export type Scope =
  | string
  | {
      readonly owner: string;
      readonly accountId: string;
      /** Names the account before it is opened, too: what is shown for it lies under this. */
      readonly accountKey?: string;
    };

/** How far a request that names an account reaches: to that account, or to all of its principal's. */
export const ACCOUNT_SCOPES = ['account', 'principal'] as const;
export type AccountScope = (typeof ACCOUNT_SCOPES)[number];

/** The account of a request that names one which was never opened: nothing is in it. */
export const NO_ACCOUNT = '';

/** Returns the owner of a scope. */
export function ownerOf(scope: Scope): string {
  return typeof scope === 'string' ? scope : scope.owner;
}

/** Whether something in an account of the owner is within a scope. */
export function isWithin(scope: Scope, accountId: string | undefined): boolean {
  return typeof scope === 'string' || scope.accountId === accountId;
}

/** Returns a filter of a list, narrowed to its scope. */
export function narrowToScope<Filter extends { readonly accountId?: string | undefined }>(
  scope: Scope,
  filter: Filter,
): Filter {
  return typeof scope === 'string' ? filter : { ...filter, accountId: scope.accountId };
}
