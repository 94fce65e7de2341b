import { DAY_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { checkPassword } from '../../../platform/sealing/password.js';
import type { RateCounters, RateExcess } from '../../../platform/web/rate-counters.js';
import type { App } from '../../context.js';
import { isAtLeast } from '../../domain/console/access.js';
import { findPrincipal, openByKey } from '../../domain/tenant/callers.js';
import { type DailyLimit, GRANT_SCOPES, type GrantScope, type OauthGrant } from '../../domain/tenant/grant.js';
import type { Principal } from '../../domain/tenant/principal.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { currenciesOf, EXPIRIES_DAYS } from './consent-page.js';

/** A person's decision: a grant to be made, a refusal of it, or an answer that cannot be taken. */
export type Decision =
  | { readonly kind: 'deny' }
  | { readonly kind: 'problem'; readonly text: string }
  | { readonly kind: 'allow'; readonly grant: Omit<OauthGrant, 'grant_id' | 'client_id' | 'client_name'> };

/** Who gives access, and as which principal. */
type Giver = Pick<OauthGrant, 'given_by' | 'key_digest'> & { readonly principal: Principal };

/** Tries of keys and passwords: from one address, for one name, and of passwords in all, since a check costs 32 MiB and a thread. */
const TRIES_BY_ADDRESS = { points: 30, windowMs: 15 * MINUTE_MS };
const TRIES_BY_NAME = { points: 10, windowMs: 15 * MINUTE_MS };
const TRIES_OF_ALL = { points: 60, windowMs: MINUTE_MS };

const MAX_LIMIT = 1e9;
/** For how long the sandbox can be tried without a key. */
const TRY_DAYS = 1;

/** A person's answer to a consent page, and the address that it came from. */
type Answered = { readonly form: URLSearchParams; readonly address: string };

/** Reads what somebody answers on the consent page. */
export class Consent {
  readonly #app: App;
  readonly #counters: RateCounters;

  constructor(app: App, counters: RateCounters) {
    this.#app = app;
    this.#counters = counters;
  }

  /** Returns the decision of a form; `asked` is the most that it can give. */
  async read(seller: Seller, asked: readonly GrantScope[], answered: Answered): Promise<Decision> {
    const { form } = answered;
    const decision = form.get('decision');
    if (decision === 'deny') return { kind: 'deny' };
    if (decision === 'try') return this.#tryOut(seller, asked);
    if (decision !== 'allow') return problem('Choose whether to allow this.');
    const access = GRANT_SCOPES.find((scope) => scope === form.get('access'));
    if (access === undefined || !asked.includes(access)) return problem('Choose what the program may do.');
    const scopes = GRANT_SCOPES.slice(0, GRANT_SCOPES.indexOf(access) + 1).filter((scope) => asked.includes(scope));
    const days = EXPIRIES_DAYS.find((one) => String(one) === form.get('days'));
    if (days === undefined) return problem('Choose how long the program may act.');
    const limit = access === 'read' ? undefined : readLimit(seller, form);
    if (typeof limit === 'string') return problem(limit);
    const giver = await this.#findGiver(seller, answered);
    if (typeof giver === 'string') return problem(giver);
    return this.#allow(seller, giver, { scopes, limit, days });
  }

  /** Whether anybody may try the sandbox of a tenant without a key. */
  mayTrySandbox(seller: Seller): boolean {
    return sandboxPrincipal(seller) !== undefined;
  }

  #tryOut(seller: Seller, asked: readonly GrantScope[]): Decision {
    const principal = sandboxPrincipal(seller);
    if (principal === undefined) return problem('The sandbox of this seller cannot be tried without a key.');
    const scopes = asked.filter((scope) => scope !== 'operate');
    return this.#allow(seller, { principal, given_by: 'sandbox trial' }, { scopes, limit: undefined, days: TRY_DAYS });
  }

  #allow(
    seller: Seller,
    { principal, ...giver }: Giver,
    { days, limit, scopes }: Pick<OauthGrant, 'scopes' | 'limit'> & { readonly days: number },
  ): Decision {
    const created_at = this.#app.clock.now();
    const grant = {
      tenant: seller.tenant.path,
      principal: principal.id,
      ...giver,
      scopes,
      limit,
      created_at,
      expires_at: created_at + days * DAY_MS,
    };
    return { kind: 'allow', grant };
  }

  async #findGiver(seller: Seller, { address, form }: Answered): Promise<Giver | string> {
    const name = (form.get('name') ?? '').slice(0, 100);
    const excess =
      (await this.#counters.take('tries of address', address, TRIES_BY_ADDRESS)) ??
      (name === '' ? undefined : await this.#countPassword(name));
    if (excess !== undefined) return `Too many tries. Wait ${Math.ceil(excess.retryAfter / 60)} minutes.`;
    const key = (form.get('key') ?? '').trim();
    if (name !== '') return this.#findPerson(seller, name, form);
    const { clock, development } = this.#app;
    const opened = key === '' ? undefined : openByKey(seller, key, { nowMs: clock.now(), development });
    if (opened === undefined) return `This is no access key of ${seller.tenant.name}.`;
    const { digest, principal } = opened;
    return { principal, given_by: principal.id, key_digest: digest };
  }

  async #countPassword(name: string): Promise<RateExcess | undefined> {
    return (
      (await this.#counters.take('tries of name', name, TRIES_BY_NAME)) ??
      (await this.#counters.take('tries of all', 'all', TRIES_OF_ALL))
    );
  }

  async #findPerson(seller: Seller, name: string, form: URLSearchParams): Promise<Giver | string> {
    const user = await this.#app.store.read.consoleUsers.find(name);
    const password = (form.get('password') ?? '').slice(0, 1000);
    const isRight = await checkPassword(password, user?.verifier);
    if (!isRight || user === undefined) {
      this.#app.log.warn({ name }, 'a sign-in on the consent page failed');
      return 'The name or the password is wrong.';
    }
    if (!isAtLeast(user.role, 'operate')) return 'Your role in the console does not allow this.';
    const id = (form.get('principal') ?? '').trim();
    const principal = findPrincipal(seller, id, false);
    if (principal === undefined) return 'The tenant has no buyer of this id.';
    return { principal, given_by: user.name };
  }
}

function problem(text: string): Decision {
  return { kind: 'problem', text };
}

/** Returns the principal of the sandbox that anybody may be, where the tenant says so and its public token holds. */
function sandboxPrincipal({ callers, tenant }: Seller): Principal | undefined {
  if (tenant.oauth?.trySandbox !== true || !tenant.hasTestController) return undefined;
  const open = tenant.principals.find(({ credentials }) => credentials.some(({ kind }) => kind === 'public_token'));
  return callers.find(({ id, sandbox }) => id === open?.id && sandbox);
}

function readLimit(seller: Seller, form: URLSearchParams): DailyLimit | string {
  const amount = Number(form.get('limit') ?? Number.NaN);
  if (form.get('limit')?.trim() === '' || !Number.isFinite(amount) || amount < 0 || amount > MAX_LIMIT)
    return 'Say how much may be committed in a day, as a number.';
  const currency = form.get('currency') ?? '';
  if (!currenciesOf(seller).includes(currency)) return 'Choose a currency that the seller sells in.';
  const most = seller.tenant.oauth?.limit?.amount ?? amount;
  return { amount: Math.min(amount, most), currency };
}
