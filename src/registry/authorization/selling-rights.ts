import { type Clock, MINUTE_MS } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import type { Product } from '../../seller/domain/product/product.js';
import { narrowSeller, type Seller } from '../../seller/domain/tenant/seller.js';
import type { Principal } from '../../seller/domain/tenant/tenant.js';
import type { EffectiveAdagents } from '../adagents/discovery.js';
import { publisherDomain } from '../model/domains.js';
import { isProductAuthorized } from './product.js';

/** Where the file that counts for a publisher is looked up; undefined when it cannot be known, which is a no. */
export type FileLookup = (domains: ReadonlySet<string>) => Promise<ReadonlyMap<string, EffectiveAdagents | undefined>>;

/** What rights are judged from. */
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
   * The seller as a caller may see it: without the products that no publisher authorizes it to sell, and without those that were not
   * judged yet. A sandbox sees everything.
   */
  readonly seen: (seller: Seller, principal: Principal | undefined) => Seller;
  /** Judges anew when tenants or basis have changed, or a minute is over. */
  readonly judge: () => Promise<void>;
  /** Products that no publisher authorizes, as `tenant: product_id`; undefined before the first judgement. */
  readonly unauthorized: () => readonly string[] | undefined;
};

const JUDGED_EVERY_MS = MINUTE_MS;

type Judgement = {
  readonly of: ReadonlyMap<string, Seller>;
  readonly basis: string;
  readonly at: number;
  /** By tenant: the ids of what may be sold. */
  readonly allowed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly unauthorized: readonly string[];
};

/** Opens the rights; nothing is allowed before the first judgement. */
export function createSellingRights({
  basis,
  clock,
  files,
  log,
  policy,
  sellers,
}: SellingRightsOptions): SellingRights {
  let judgement: Judgement | undefined;
  let narrowed = new WeakMap<Seller, Seller>();

  let last: Promise<void> = Promise.resolve();

  /** One judgement after the other. */
  function judge(): Promise<void> {
    last = last.catch(() => undefined).then(judgeAnew);
    return last;
  }

  async function judgeAnew(): Promise<void> {
    const now = clock.now();
    const [of, stands] = [sellers(), basis()];
    const isSame = judgement !== undefined && judgement.of === of && judgement.basis === stands;
    if (isSame && now - (judgement?.at ?? 0) < JUDGED_EVERY_MS) return;
    const selling = [...of.values()].filter(({ tenant }) => tenant.kinds.includes('sales'));
    const domains = new Set(selling.flatMap(({ tenant }) => tenant.products.flatMap(publishersOf)));
    const found = await files(domains);
    const allowed = new Map<string, ReadonlySet<string>>();
    const unauthorized: string[] = [];
    for (const { tenant, url } of selling) {
      const may = tenant.products.filter((product) => isAllowed(product, url, found, now));
      allowed.set(tenant.path, new Set(may.map(({ product_id }) => product_id)));
      const not = tenant.products.filter((product) => !may.includes(product));
      unauthorized.push(...not.map(({ product_id }) => `${tenant.path}: ${product_id}`));
    }
    tell(judgement?.unauthorized ?? [], unauthorized);
    // What was worked out for the same products goes on: an index of search words, answers that are kept.
    const isAsBefore = judgement?.of === of && unauthorized.join() === judgement.unauthorized.join();
    if (!isAsBefore) narrowed = new WeakMap();
    judgement = { of, basis: stands, at: now, allowed, unauthorized };
  }

  function tell(before: readonly string[], now: readonly string[]): void {
    const products = now.filter((one) => !before.includes(one));
    const regained = before.filter((one) => !now.includes(one));
    const what = policy === 'refuse' ? 'withheld from buyers' : 'sold all the same, by policy';
    if (products.length > 0) {
      log.warn({ products }, `their publishers do not authorize this agent; ${what} ("registry explain" says why)`);
    }
    if (regained.length > 0) log.warn({ products: regained }, 'their publishers authorize this agent again');
  }

  return {
    seen: (seller, principal) => {
      if (policy === 'warn' || principal?.sandbox === true || !seller.tenant.kinds.includes('sales')) return seller;
      const known = narrowed.get(seller);
      if (known !== undefined) return known;
      const ids = judgement?.allowed.get(seller.tenant.path) ?? new Set();
      const seen = narrowSeller(seller, ({ product_id }) => ids.has(product_id));
      narrowed.set(seller, seen);
      return seen;
    },
    judge,
    unauthorized: () => judgement?.unauthorized,
  };
}

function publishersOf({ publisher_properties }: Product): readonly string[] {
  return publisher_properties.map(({ publisher_domain }) => publisherDomain(publisher_domain));
}

function isAllowed(
  { publisher_properties }: Product,
  agent: string,
  found: ReadonlyMap<string, EffectiveAdagents | undefined>,
  at: number,
): boolean {
  // Where and on which placements it runs is for the order to say.
  const question = { agent, publisher_properties, at, openLimits: 'report' } as const;
  return isProductAuthorized(question, (domain) => found.get(domain)).authorized;
}
