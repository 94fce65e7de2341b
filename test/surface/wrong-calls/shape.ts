import { KIT_CONTEXT } from '../../kit/boot.js';
import { createRequest, creative, freshKey, packageRequest, SANDBOX_ACCOUNT, updateRequest } from '../../kit/buyer.js';
import { LIVE_ACCOUNT, LIVE_TOKEN } from '../../kit/tenants.js';

/** The code of most of them. */
export const BAD = 'INVALID_REQUEST';

/** Buys that the wrong calls are about. */
export type Known = {
  readonly active: string;
  readonly activePackage: string;
  /** Its second package is canceled. */
  readonly partly: string;
  readonly canceledPackage: string;
  readonly canceled: string;
  readonly later: string;
  readonly foreign: string;
  readonly foreignPackage: string;
};

/** Arguments of a call; as text they are JSON that JSON.stringify cannot write. */
export type Args = (known: Known) => object | string;

/** What a request has instead of what is right; a field set to undefined is left out. */
type Changes = (known: Known) => object;

/** One wrong call: the code and, where there is one, the field that it must be answered with. */
export type Wrong = {
  readonly what: string;
  readonly tool: string;
  readonly args: Args;
  readonly code: string;
  readonly field?: string | undefined;
  readonly token?: string;
};

/** Any call. */
export const wrong = (tool: string, what: string, args: Args, code: string, field?: string, token?: string): Wrong => ({
  tool,
  what,
  args,
  code,
  field,
  ...(token === undefined ? {} : { token }),
});

/** A create that is right but for `changes`. */
export const create = (what: string, changes: Changes, code: string, field?: string, token?: string): Wrong =>
  wrong('create_media_buy', what, (known) => createRequest(changes(known)), code, field, token);

/** A create whose only package is right but for `changes`. */
export const line = (what: string, changes: object, code: string, field?: string): Wrong =>
  create(
    what,
    () => ({ packages: [packageRequest(changes)] }),
    code,
    field === undefined ? undefined : `packages[0]${field}`,
  );

/** A create with a number that JSON.stringify would not write so. */
export const number = (what: string, budget: string, code: string): Wrong =>
  wrong(
    'create_media_buy',
    what,
    () =>
      JSON.stringify(createRequest({ context: KIT_CONTEXT, packages: [packageRequest({ budget: 'BUDGET' })] })).replace(
        '"BUDGET"',
        budget,
      ),
    code,
    'packages[0].budget',
  );

/** A create by a live principal with a callback URL. */
export const callback = (what: string, url: unknown): Wrong =>
  create(
    what,
    () => ({ account: { account_id: LIVE_ACCOUNT }, push_notification_config: { url } }),
    BAD,
    'push_notification_config.url',
    LIVE_TOKEN,
  );

/** An update of the active buy. */
export const update = (what: string, changes: Changes, code: string, field?: string): Wrong =>
  wrong('update_media_buy', what, (known) => updateRequest(known.active, changes(known)), code, field);

/** A search. */
export const products = (what: string, args: object, code: string, field?: string): Wrong =>
  wrong('get_products', what, () => args, code, field);

/** Feedback on the active buy that is right but for `changes`. */
export const feedback = (what: string, changes: Changes, code: string, field?: string): Wrong =>
  wrong(
    'provide_performance_feedback',
    what,
    (known) => ({
      idempotency_key: freshKey(),
      media_buy_id: known.active,
      measurement_period: { start: '2029-12-01T00:00:00Z', end: '2029-12-31T00:00:00Z' },
      performance_index: 1.1,
      ...changes(known),
    }),
    code,
    field,
  );

/** A sync of one creative that is right but for `changes`. */
export const sync = (what: string, changes: object, code: string, field?: string): Wrong =>
  wrong(
    'sync_creatives',
    what,
    () => ({
      idempotency_key: freshKey(),
      account: { account_id: SANDBOX_ACCOUNT },
      creatives: [creative('one')],
      ...changes,
    }),
    code,
    field,
  );
