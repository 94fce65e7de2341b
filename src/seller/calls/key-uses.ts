import { MINUTE_MS } from '../../platform/kernel/clock.js';

/** When a key was used last: the beginning of its SHA-256 names it. `usedAt` in ms since the epoch. */
export type KeyUse = { readonly tenant: string; readonly keyId: string; readonly usedAt: number };

/** Digits of the SHA-256 that name a key. */
const DIGITS = 32;
/** Keys that are remembered; of more, those that were seen first are forgotten here, and are in the store. */
const MAX_KEYS = 10_000;
/** How exactly it is known when a key was used. */
const GRAIN_MS = MINUTE_MS;

/** Returns what names a key, of its SHA-256. */
export function keyIdOf(digest: string): string {
  return digest.slice(0, DIGITS);
}

/** When each key of the callers of this process was used last, to the minute, and which of that is not stored yet. */
export class KeyUses {
  readonly #uses = new Map<string, KeyUse>();
  readonly #unsaved = new Map<string, KeyUse>();

  /** Notes that a key was used; of several uses within a minute the first counts. */
  note(tenant: string, digest: string, usedAt: number): void {
    const name = `${tenant} ${digest}`;
    const before = this.#uses.get(name);
    if (before !== undefined && usedAt - before.usedAt < GRAIN_MS) return;
    const use = { tenant, keyId: keyIdOf(digest), usedAt };
    this.#uses.set(name, use);
    this.#unsaved.set(name, use);
    if (this.#uses.size <= MAX_KEYS) return;
    const [oldest] = this.#uses.keys();
    if (oldest !== undefined) this.#uses.delete(oldest);
  }

  /** Returns what was noted since it was asked last. */
  takeUnsaved(): readonly KeyUse[] {
    const uses = [...this.#unsaved.values()];
    this.#unsaved.clear();
    return uses;
  }
}
