/** How an endpoint answered last: well, badly, or not at all yet. */
export type Tier = 'proven' | 'unknown' | 'failing';

/** An attempt's part in what is under way. */
export type Slot = {
  readonly origin: string;
  readonly account: string;
  readonly startedMs: number;
  tier: Tier;
  /** It has had no answer for a while: a slow slot holds up none that are quick. */
  isSlow: boolean;
};

/** The endpoint that a slot is wanted for. */
type Wanted = Pick<Slot, 'origin' | 'account' | 'tier'>;

/** After how long without an answer an attempt is slow. */
const SLOW_AFTER_MS = 200;
/** Most attempts of endpoints that are not proven, and of those among them that fail, for each that may be quick at once. */
const UNPROVEN_SHARE = 16;
const FAILING_SHARE = 4;
/** Most connections to one origin; the last are for endpoints that are proven. */
const ORIGIN_CONNECTIONS = { proven: 768, unknown: 640, failing: 128 } as const;
/** Most attempts of one principal's endpoints at one origin that are not proven. */
const MAX_UNPROVEN_OF_ACCOUNT = 16;

type Counts = { all: number; unproven: number; failing: number };

/**
 * Decides whether an attempt may begin. Endpoints that are proven have a budget of their own, so that however many others hang or fail,
 * and wherever they do, those that answer are served as if they were alone.
 */
export class Slots {
  readonly #total: number;
  /** In the order in which they began. */
  readonly #quick = { proven: new Set<Slot>(), unproven: new Set<Slot>() };
  readonly #all: Counts = { all: 0, unproven: 0, failing: 0 };
  readonly #origins = new Map<string, Counts>();
  /** Attempts of unproven endpoints by principal and origin. */
  readonly #accounts = new Map<string, number>();

  /** `total` bounds the attempts under way that are quick. */
  constructor(total: number) {
    this.#total = total;
  }

  /** Begins an attempt at `nowMs`, of a clock that only goes on; undefined where there is no room for it. */
  begin(wanted: Wanted, nowMs: number): Slot | undefined {
    if (!this.#hasRoom(wanted)) return undefined;
    const slot: Slot = { ...wanted, startedMs: nowMs, isSlow: false };
    this.#quickOf(slot).add(slot);
    this.#count(slot, 1);
    return slot;
  }

  end(slot: Slot): void {
    if (!slot.isSlow) this.#quickOf(slot).delete(slot);
    this.#count(slot, -1);
  }

  /** Takes attempts without an answer out of the quick ones; returns in how many ms the next is slow, undefined when none is quick. */
  sortOut(nowMs: number): number | undefined {
    const proven = this.#sortOutOf(this.#quick.proven, nowMs);
    const unproven = this.#sortOutOf(this.#quick.unproven, nowMs);
    return proven === undefined ? unproven : Math.min(proven, unproven ?? proven);
  }

  #sortOutOf(quick: Set<Slot>, nowMs: number): number | undefined {
    for (const slot of quick) {
      const leftMs = slot.startedMs + SLOW_AFTER_MS - nowMs;
      if (leftMs > 0) return leftMs;
      quick.delete(slot);
      this.#count(slot, -1);
      slot.isSlow = true;
      if (slot.tier === 'proven') slot.tier = 'unknown';
      this.#count(slot, 1);
    }
    return undefined;
  }

  #hasRoom({ origin, account, tier }: Wanted): boolean {
    const atOrigin = this.#origins.get(origin) ?? { all: 0, unproven: 0, failing: 0 };
    if (atOrigin.all >= ORIGIN_CONNECTIONS.proven) return false;
    if (tier === 'proven') return this.#quick.proven.size < this.#total;
    if (this.#quick.unproven.size >= this.#total || this.#all.unproven >= UNPROVEN_SHARE * this.#total) return false;
    if (atOrigin.unproven >= ORIGIN_CONNECTIONS.unknown) return false;
    if ((this.#accounts.get(account) ?? 0) >= MAX_UNPROVEN_OF_ACCOUNT) return false;
    if (tier === 'unknown') return true;
    return this.#all.failing < FAILING_SHARE * this.#total && atOrigin.failing < ORIGIN_CONNECTIONS.failing;
  }

  #quickOf({ tier }: Slot): Set<Slot> {
    return tier === 'proven' ? this.#quick.proven : this.#quick.unproven;
  }

  #count({ origin, account, tier }: Slot, by: 1 | -1): void {
    const atOrigin = this.#origins.get(origin) ?? { all: 0, unproven: 0, failing: 0 };
    this.#origins.set(origin, atOrigin);
    for (const counts of [this.#all, atOrigin]) {
      counts.all += by;
      if (tier !== 'proven') counts.unproven += by;
      if (tier === 'failing') counts.failing += by;
    }
    if (atOrigin.all === 0) this.#origins.delete(origin);
    if (tier === 'proven') return;
    const ofAccount = (this.#accounts.get(account) ?? 0) + by;
    if (ofAccount === 0) this.#accounts.delete(account);
    else this.#accounts.set(account, ofAccount);
  }
}
