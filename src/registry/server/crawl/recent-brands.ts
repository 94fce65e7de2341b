import { type Clock, DAY_MS } from '../../../platform/kernel/clock.js';
import { retryDelay } from './retries.js';

/** The outcome of reading a brand.json: `found`, or why there is none and whether waiting may help. */
export type BrandReading = { readonly reason: string; readonly isTransient: boolean };

/** When a brand.json is read again, how often in a row it could not be, and whether it ever was. */
type RecentBrand = { readonly dueAt: number; readonly failures: number; readonly wasRead: boolean };

/** How long a brand.json counts as read, and how many are remembered. */
const LASTS_MS = DAY_MS;
const MAX_BRANDS = 100_000;

/** Domains whose brand.json was read lately, or is read again because it could not be. */
export class RecentBrands {
  readonly #clock: Clock;
  readonly #brands = new Map<string, RecentBrand>();
  readonly #failing = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns whether a domain's brand.json is to be read now; from then on it counts as read. */
  admit(domain: string): boolean {
    const before = this.#brands.get(domain);
    if (before !== undefined && before.dueAt > this.#clock.now()) return false;
    if (before === undefined && this.#brands.size >= MAX_BRANDS) {
      this.#brands.clear();
      this.#failing.clear();
    }
    const { failures = 0, wasRead = false } = before ?? {};
    this.#brands.set(domain, { dueAt: this.#clock.now() + LASTS_MS, failures, wasRead });
    return true;
  }

  /** Notes what a reading came to: trouble is read again soon, later each time; a domain that never had a file waits its day. */
  note(domain: string, { reason }: BrandReading): void {
    const { failures: before = 0, wasRead = false } = this.#brands.get(domain) ?? {};
    const isRead = reason === 'found';
    const isRetried = !isRead && (reason !== 'not_found' || wasRead);
    const failures = isRetried ? before + 1 : 0;
    const waitMs = isRetried ? retryDelay(failures) : LASTS_MS;
    this.#brands.set(domain, { dueAt: this.#clock.now() + waitMs, failures, wasRead: wasRead || isRead });
    if (isRetried) this.#failing.add(domain);
    else this.#failing.delete(domain);
  }

  /** Returns domains whose brand.json could not be read and is due again, at most so many. */
  listRetries(limit: number): readonly string[] {
    const nowMs = this.#clock.now();
    const due: string[] = [];
    for (const domain of this.#failing) {
      if (due.length === limit) break;
      if ((this.#brands.get(domain)?.dueAt ?? 0) <= nowMs) due.push(domain);
    }
    return due;
  }

  /** Lets a domain's brand.json be read again at once. */
  hurry(domain: string): void {
    const before = this.#brands.get(domain);
    if (before !== undefined) this.#brands.set(domain, { ...before, dueAt: 0 });
  }

  /** Forgets a domain. */
  forget(domain: string): void {
    this.#brands.delete(domain);
    this.#failing.delete(domain);
  }
}
