import { sha256Hex } from '../../platform/kernel/canonical.js';
import { SECOND_MS } from '../../platform/kernel/clock.js';
import { createMemoryNonces, type NonceLimits, type NonceStore } from '../../platform/signing/verify/nonces.js';
import type { Store } from '../store/store.js';

type NonceUse = Parameters<NonceStore['claim']>[0];

/** Nonces that the processes on one database claim for each other. How many there are of a key, each process counts by itself. */
export class SharedNonces implements NonceStore {
  readonly #store: Pick<Store, 'transact'>;
  readonly #counted: NonceStore;

  constructor(store: Pick<Store, 'transact'>, limits: NonceLimits) {
    this.#store = store;
    this.#counted = createMemoryNonces(limits);
  }

  isFull(key: Omit<NonceUse, 'nonce'>, nowSeconds: number): boolean | Promise<boolean> {
    return this.#counted.isFull(key, nowSeconds);
  }

  async claim(use: NonceUse, untilSeconds: number, nowSeconds: number) {
    const digest = sha256Hex(JSON.stringify([use.source, use.keyid, use.nonce]));
    const isFirst = await this.#store.transact((tx) =>
      tx.nonces.claim(digest, untilSeconds * SECOND_MS, nowSeconds * SECOND_MS),
    );
    return isFirst ? this.#counted.claim(use, untilSeconds, nowSeconds) : 'seen';
  }
}
