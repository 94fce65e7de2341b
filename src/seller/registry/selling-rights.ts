import { type Clock, MINUTE_MS } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import type { EffectiveAdagents } from '../../registry/adagents/discovery.js';
import { isProductAuthorized } from '../../registry/authorization/product.js';
import { publisherDomain } from '../../registry/model/domains.js';
import type { FileLookup } from '../../registry/publish/publisher-files.js';
import type { Product } from '../domain/product/product.js';
import type { Principal } from '../domain/tenant/principal.js';
import { narrowSeller, type Seller } from '../domain/tenant/seller.js';

/** How selling rights are opened. */
export type SellingRightsOptions = {
  readonly files: FileLookup;
  /** Changes with what the look-up would answer from memory. */
  readonly basis: () => string;
  readonly clock: Clock;
  readonly log: Log;
  /** `refuse` withholds what no publisher authorizes, `warn` only says so. */
  readonly policy: 'refuse' | 'warn';
  readonly sellers: () => ReadonlyMap<string, Seller>;
};

/** Which products the agents of this host may sell. */
export type SellingRights = {
  /**
   * Returns the seller as a caller may see it: without the products that no publisher authorizes it to sell, and without those that
   * were not judged yet. A sandbox sees everything.
   */
  seen(seller: Seller, principal: Principal | undefined): Seller;
  /** Judges anew when tenants or basis have changed, or a minute is over. */
  judge(): Promise<void>;
  /** Returns the products that no publisher authorizes, as `tenant: product_id`; undefined before the first judgement. */
  unauthorized(): readonly string[] | undefined;
};

const JUDGED_EVERY_MS = MINUTE_MS;

type Judgement = {
  readonly sellers: ReadonlyMap<string, Seller>;
  readonly basis: string;
  /** Milliseconds. */
  readonly at: number;
  /** By tenant: the ids of the products that may be sold. */
  readonly allowed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly unauthorized: readonly string[];
};

/** Opens the rights; nothing is allowed before the first judgement. */
export function createSellingRights(options: SellingRightsOptions): SellingRights {
  return new JudgedRights(options);
}

class JudgedRights implements SellingRights {
  readonly #options: SellingRightsOptions;
  #judgement: Judgement | undefined;
  #narrowed = new WeakMap<Seller, Seller>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: SellingRightsOptions) {
    this.#options = options;
  }

  seen(seller: Seller, principal: Principal | undefined): Seller {
    const isShownWhole = this.#options.policy === 'warn' || principal?.sandbox === true;
    if (isShownWhole || !seller.tenant.kinds.includes('sales')) return seller;
    const cached = this.#narrowed.get(seller);
    if (cached !== undefined) return cached;
    const ids = this.#judgement?.allowed.get(seller.tenant.path);
    const narrowed = narrowSeller(seller, ({ product_id }) => ids?.has(product_id) === true);
    this.#narrowed.set(seller, narrowed);
    return narrowed;
  }

  /** Judges the rights anew, once the judgement before is done. */
  judge(): Promise<void> {
    this.#last = this.#last.catch(() => undefined).then(() => this.#judgeAnew());
    return this.#last;
  }

  unauthorized(): readonly string[] | undefined {
    return this.#judgement?.unauthorized;
  }

  async #judgeAnew(): Promise<void> {
    const { clock, files, sellers: currentSellers, basis: currentBasis } = this.#options;
    const before = this.#judgement;
    const at = clock.now();
    const [sellers, basis] = [currentSellers(), currentBasis()];
    const isSame = before?.sellers === sellers && before.basis === basis;
    if (isSame && at - before.at < JUDGED_EVERY_MS) return;
    const selling = [...sellers.values()].filter(({ tenant }) => tenant.kinds.includes('sales'));
    const domains = new Set(selling.flatMap(({ tenant }) => tenant.products.flatMap(publishersOf)));
    const filesByDomain = await files(domains);
    const allowed = new Map<string, ReadonlySet<string>>();
    const unauthorized: string[] = [];
    for (const { tenant, url } of selling) {
      const authorized = tenant.products.filter((product) => isSellable(product, url, filesByDomain, at));
      allowed.set(tenant.path, new Set(authorized.map(({ product_id }) => product_id)));
      const withheld = tenant.products.filter((product) => !authorized.includes(product));
      unauthorized.push(...withheld.map(({ product_id }) => `${tenant.path}: ${product_id}`));
    }
    this.#logChange(before?.unauthorized ?? [], unauthorized);
    // Whatever was worked out for the same products stays good: an index of search words, cached answers.
    const isAsBefore = before?.sellers === sellers && unauthorized.join() === before.unauthorized.join();
    if (!isAsBefore) this.#narrowed = new WeakMap();
    this.#judgement = { sellers, basis, at, allowed, unauthorized };
  }

  #logChange(before: readonly string[], now: readonly string[]): void {
    const { log, policy } = this.#options;
    const lost = now.filter((one) => !before.includes(one));
    const regained = before.filter((one) => !now.includes(one));
    const outcome = policy === 'refuse' ? 'withheld from buyers' : 'sold all the same, by policy';
    if (lost.length > 0) {
      log.warn(
        { products: lost },
        `their publishers do not authorize this agent; ${outcome} ("registry explain" says why)`,
      );
    }
    if (regained.length > 0) log.warn({ products: regained }, 'their publishers authorize this agent again');
  }
}

function publishersOf({ publisher_properties }: Product): readonly string[] {
  return publisher_properties.map(({ publisher_domain }) => publisherDomain(publisher_domain));
}

function isSellable(
  { publisher_properties }: Product,
  agent: string,
  files: ReadonlyMap<string, EffectiveAdagents | undefined>,
  at: number,
): boolean {
  // Where and on which placements it runs is for the order to say.
  const question = { agent, publisher_properties, at, openLimits: 'report' } as const;
  return isProductAuthorized(question, (domain) => files.get(domain)).authorized;
}
