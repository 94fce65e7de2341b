import path from 'node:path';
import { type Clock, isoTime } from '../../../../platform/kernel/clock.js';
import type { Ids } from '../../../../platform/kernel/ids.js';
import type { Log } from '../../../../platform/kernel/log.js';
import { signJws } from '../../../../platform/signing/jws.js';
import type { PublicJwk, SigningKey } from '../../../../platform/signing/keys/jwk.js';
import { type KeyRing, openKeyRing } from '../../../../platform/signing/keys/key-ring.js';
import { KeyFile } from '../../../../platform/signing/keys/key-storage.js';
import type { ProtocolNames } from '../../../../protocol/names.js';
import { BADGE_TYPE } from '../../../client/badge.js';
import type { ServerStore } from '../../store/server-store.js';
import type { BadgeKey } from '../records.js';
import { LONGEST_BADGE_MS } from './revoked.js';

/** The file of the keys below the data folder: another than a seller's, which may live in the same one. */
const KEY_FILE = path.join('keys', 'badges.json');
const PURPOSE = 'badge-signing';
/** Public keys of a registry: one a process and change of keys, for a week and a day. */
const MAX_KEYS = 1000;

/** The folder and the parts of a registry that keys of badges need. */
type BadgeKeysOptions = {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly names: ProtocolNames;
  readonly store: ServerStore;
};

/** The keys that badges are signed with, made when the first one is: the private part in the data folder, the public one in the store. */
export class BadgeKeys {
  readonly #options: BadgeKeysOptions;
  #ring: Promise<KeyRing> | undefined;

  constructor(options: BadgeKeysOptions) {
    this.#options = options;
  }

  /** Returns claims as a signed badge whose key every process and mirror publishes. */
  async sign(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const key = (await this.#open()).signing(PURPOSE);
    await this.#publish(key);
    return signJws(claims, key, BADGE_TYPE);
  }

  /**
   * Has another key sign from now on, published in one transaction of the store; returns the ids of both. Badges of the one before are
   * verified until they expire or, with `isCompromised`, no more.
   */
  async replace(
    store: Pick<ServerStore, 'transact'>,
    isCompromised: boolean,
  ): Promise<{ readonly kid: string; readonly replaced: string }> {
    const ring = await this.#open();
    const { kid: replaced } = ring.signing(PURPOSE);
    const { kid } = await ring.rotate({ purpose: PURPOSE, now: true });
    // All keys of the file lay beside the one that somebody else may have.
    const dropped = isCompromised ? ring.list().filter((key) => key.kid !== kid) : [];
    const published = this.#publication(ring.signing(PURPOSE));
    await store.transact(async (tx) => {
      for (const key of dropped) await tx.badge_key.remove(key.kid);
      await tx.badge_key.put(published);
    });
    return { kid, replaced };
  }

  #open(): Promise<KeyRing> {
    this.#ring ??= this.#make().catch((error: unknown) => {
      this.#ring = undefined;
      throw error;
    });
    return this.#ring;
  }

  async #make(): Promise<KeyRing> {
    const { clock, dataDir, ids, log, names } = this.#options;
    const storage = new KeyFile(path.join(dataDir, KEY_FILE), log);
    const ring = await openKeyRing({ dataDir, clock, ids, log, keyUses: names.keyUses, storage });
    if (!ring.list().some(({ state }) => state === 'active')) await ring.generate({ purpose: PURPOSE });
    return ring;
  }

  /** Publishes a key for longer than a badge that it signs now can be valid. */
  async #publish(key: SigningKey): Promise<void> {
    const { clock, store } = this.#options;
    const published = await store.read.badge_key.find(key.kid);
    if (published !== undefined && Date.parse(published.until) >= clock.now() + LONGEST_BADGE_MS) return;
    await store.transact((tx) => tx.badge_key.put(this.#publication(key)));
  }

  #publication({ kid, publicJwk }: SigningKey): BadgeKey {
    return { kid, jwk: publicJwk, until: isoTime(this.#options.clock.now() + 2 * LONGEST_BADGE_MS) };
  }
}

/** Returns the public keys that verify the badges of a registry, as a JWKS. */
export async function listBadgeKeys({
  store,
}: {
  readonly store: ServerStore;
}): Promise<{ readonly keys: readonly PublicJwk[] }> {
  return { keys: (await store.read.badge_key.page('', MAX_KEYS)).map(({ jwk }) => jwk) };
}
