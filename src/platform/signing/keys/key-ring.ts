import path from 'node:path';
import { type Clock, DAY_MS, isoTime, MINUTE_MS } from '../../kernel/clock.js';
import { InputError } from '../../kernel/errors.js';
import type { Ids } from '../../kernel/ids.js';
import type { Log } from '../../kernel/log.js';
import type { Algorithm } from '../algorithms.js';
import type { KeyPin, KeyUse, PublicJwk, Purpose, SigningKey } from './jwk.js';
import { keyFileError } from './key-file.js';
import {
  addFirst,
  addNext,
  advanceKeys,
  type KeyRow,
  nextChange,
  PUBLISHED,
  replaceAtOnce,
  withdraw,
} from './key-life.js';
import { generatePair, isPair, openKey, publicJwk, readSeed } from './key-pair.js';
import { KeyFile, type KeyStorage } from './key-storage.js';

/** The file of the keys below the data folder. */
export const KEY_FILE = path.join('keys', 'signing.json');

/** The folder, ports and settings of a key ring. */
export type KeyRingOptions = {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Members of a published key that say its purpose (`ProtocolNames.keyUses`). */
  readonly keyUses: readonly KeyUse[];
  /** The purpose of the keys that sign webhooks; keys of the other purpose are for verifiers of release 3.0. */
  readonly webhookPurpose?: Purpose | undefined;
  /** Where the keys are stored; the file of the data folder unless given. */
  readonly storage?: KeyStorage | undefined;
};

/** The purpose (`request-signing` unless given) and algorithm (`ed25519`) of a new key, or its seed. */
type NewKeyRequest = {
  readonly purpose?: Purpose | undefined;
  readonly alg?: Algorithm | undefined;
  /** 32 bytes, base64url: the ed25519 key of it. */
  readonly seed?: string | undefined;
};

/** A new key that replaces the active one, in an hour or now. */
type RotationRequest = NewKeyRequest & { readonly now?: boolean | undefined };

/** A key without its private part. */
export type KeySummary = Omit<KeyRow, 'd'>;

/** The purposes of keys that a publisher pins: what its agents sign calls and webhooks with. */
const PINNED: ReadonlySet<string> = new Set<Purpose>(['request-signing', 'webhook-signing']);

/** The signing keys of a data folder: one active key for each purpose, and those before and after it. */
export type KeyRing = {
  /** Returns the key that signs now. For webhooks the settings choose the purpose. Throws when `ensure` has not made a key. */
  readonly signing: (purpose: Purpose) => SigningKey;
  /** Returns the published keys: next, active and retiring ones; one object until a key changes. */
  readonly publicJwks: () => { readonly keys: readonly PublicJwk[] };
  /** Returns the algorithms of the published keys; one list until a key changes. */
  readonly algorithms: () => readonly Algorithm[];
  /** Returns the keys that an adagents.json pins: the published ones, and those that were revoked within a day. */
  readonly pins: () => readonly KeyPin[];
  /** Returns every key there ever was, oldest first. */
  readonly list: () => readonly KeySummary[];
  /** Makes an active key for every purpose that signs and has none, and for `also`, durably. */
  readonly ensure: (also?: Purpose) => Promise<void>;
  /** Makes the first key of a purpose. Throws INVALID_STATE when there is one already. */
  readonly generate: (request: NewKeyRequest) => Promise<KeySummary>;
  /**
   * Publishes a key that takes over in an hour. With `now` it takes over at once, and the key before it is revoked and published no
   * more. Throws INVALID_STATE while another key waits to take over.
   */
  readonly rotate: (request: RotationRequest) => Promise<KeySummary>;
  /** Retires a key that waits or is retiring; a retiring one only when its last signatures have expired, unless `now`. Throws INVALID_STATE. */
  readonly retire: (kid: string, now?: boolean) => Promise<KeySummary>;
  /** Returns the keys with their private parts, for the self-check of the operator. */
  readonly rows: () => readonly KeyRow[];
  /** Reads the keys again where another process has changed them. */
  readonly refresh: () => Promise<void>;
  /** Writes the changes that time has made to the keys, and their last uses. */
  readonly tick: () => Promise<void>;
};

/** How old the use of a key in the file may be before a tick writes it again. */
const MAX_USE_AGE_MS = 10 * MINUTE_MS;

type OpenKeys = {
  readonly rows: readonly KeyRow[];
  /** When time next changes a key; infinite for never. */
  readonly changesAt: number;
  readonly active: ReadonlyMap<Purpose, SigningKey>;
  readonly jwks: { readonly keys: readonly PublicJwk[] };
  readonly algorithms: readonly Algorithm[];
};

/**
 * Opens the keys of a data folder; the folder must be held. Throws ConfigError when the file is not ours, or a private key is not
 * that of the public key beside it: then nobody could verify its signatures.
 */
export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const storage = options.storage ?? new KeyFile(path.join(options.dataDir, KEY_FILE), options.log);
  const rows = await storage.read();
  const broken = rows.find((row) => PUBLISHED.has(row.state) && !isSound(row, options.keyUses));
  if (broken === undefined) return new StoredKeyRing(options, storage, rows);
  throw keyFileError(
    storage.label,
    `the private key of "${broken.kid}" does not belong to its public key`,
    'Put the last good copy of the file back, or remove this key from it.',
  );
}

class StoredKeyRing implements KeyRing {
  readonly #options: KeyRingOptions;
  readonly #storage: KeyStorage;
  readonly #webhookPurpose: Purpose;
  /** When each key last signed, in ms. */
  readonly #uses = new Map<string, number>();
  /** The keys as they are stored. */
  #written: readonly KeyRow[];
  #open: OpenKeys;

  constructor(options: KeyRingOptions, storage: KeyStorage, rows: readonly KeyRow[]) {
    this.#options = options;
    this.#storage = storage;
    this.#webhookPurpose = options.webhookPurpose ?? 'request-signing';
    this.#written = rows;
    this.#open = openKeys(advanceKeys(rows, options.clock.now()), options.keyUses);
  }

  signing(purpose: Purpose): SigningKey {
    const wanted = purpose === 'webhook-signing' ? this.#webhookPurpose : purpose;
    const key = this.#present().active.get(wanted);
    if (key === undefined) throw new Error(`there is no key for ${wanted} yet`);
    this.#uses.set(key.kid, this.#options.clock.now());
    return key;
  }

  publicJwks(): { readonly keys: readonly PublicJwk[] } {
    return this.#present().jwks;
  }

  algorithms(): readonly Algorithm[] {
    return this.#present().algorithms;
  }

  pins(): readonly KeyPin[] {
    const { clock, keyUses } = this.#options;
    const rows = this.#present().rows.filter(({ purpose }) => PINNED.has(purpose));
    const published = rows.filter(({ state }) => PUBLISHED.has(state)).map((row) => publicJwk(row, keyUses));
    const revoked = rows.flatMap((row) => {
      const { revoked_at } = row;
      const isRecent = revoked_at !== undefined && clock.now() - Date.parse(revoked_at) < DAY_MS;
      return isRecent ? [{ ...publicJwk(row, keyUses), revoked_at }] : [];
    });
    return [...published, ...revoked];
  }

  list(): readonly KeySummary[] {
    return this.#present().rows.map((row) => summarizeKey(this.#withUse(row)));
  }

  rows(): readonly KeyRow[] {
    return this.#present().rows;
  }

  async ensure(also: Purpose = 'request-signing'): Promise<void> {
    const { clock, log } = this.#options;
    const purposes = [...new Set<Purpose>(['request-signing', this.#webhookPurpose, also])];
    const missing = purposes.filter((purpose) => !this.#present().active.has(purpose));
    if (missing.length === 0) return;
    const fresh = await Promise.all(missing.map((purpose) => this.#newRow({ purpose })));
    await this.#change((rows) =>
      fresh
        // Another process may have made one meanwhile.
        .filter(({ purpose }) => !rows.some((row) => row.purpose === purpose && row.state === 'active'))
        .reduce((before, row) => addFirst(before, row, clock.now()), rows),
    );
    for (const { kid, purpose } of this.#written.filter(({ kid: one }) => fresh.some((row) => row.kid === one)))
      log.info({ kid, purpose }, 'a signing key was generated');
  }

  generate(request: NewKeyRequest): Promise<KeySummary> {
    return this.#add(request, addFirst);
  }

  rotate({ now = false, ...request }: RotationRequest): Promise<KeySummary> {
    return this.#add(request, now ? replaceAtOnce : addNext);
  }

  async retire(kid: string, now = false): Promise<KeySummary> {
    await this.#change((rows) => withdraw(rows, kid, this.#options.clock.now(), now));
    const row = this.#present().rows.find((one) => one.kid === kid);
    if (row === undefined) throw new Error('a retired key is gone');
    return summarizeKey(row);
  }

  async refresh(): Promise<void> {
    const rows = await this.#storage.readChanged();
    if (rows !== undefined) this.#take(rows);
  }

  async tick(): Promise<void> {
    await this.refresh();
    const states = this.#present().rows.map(({ kid, state }) => `${kid} ${state}`);
    const isCurrent = this.#written.every(({ kid, state }) => states.includes(`${kid} ${state}`));
    if (isCurrent && !this.#isUseOld()) return;
    await this.#change((rows) => rows);
    if (!isCurrent) this.#options.log.warn({ keys: states }, 'the signing keys changed');
  }

  #present(): OpenKeys {
    const now = this.#options.clock.now();
    if (now >= this.#open.changesAt) this.#open = openKeys(advanceKeys(this.#open.rows, now), this.#options.keyUses);
    return this.#open;
  }

  /** Changes what is stored first: a key that is not on disk was never published. */
  async #change(edit: (rows: readonly KeyRow[]) => readonly KeyRow[]): Promise<void> {
    const { clock } = this.#options;
    const written = await this.#storage.change((rows) => {
      // What time did to them here was published when it did.
      const present = rows === this.#written ? this.#present().rows : advanceKeys(rows, clock.now());
      return edit(present).map((row) => this.#withUse(row));
    });
    this.#take(written);
  }

  #take(rows: readonly KeyRow[]): void {
    this.#written = rows;
    this.#open = openKeys(advanceKeys(rows, this.#options.clock.now()), this.#options.keyUses);
  }

  /** Makes a key and returns the newest of its purpose afterwards: this key, or one that was published before it. */
  async #add(request: NewKeyRequest, edit: typeof addFirst): Promise<KeySummary> {
    const fresh = await this.#newRow(request);
    await this.#change((rows) => edit(rows, fresh, this.#options.clock.now()));
    const ofPurpose = this.#present().rows.filter(({ purpose }) => purpose === fresh.purpose);
    return summarizeKey(ofPurpose.at(-1) ?? fresh);
  }

  async #newRow({ purpose = 'request-signing', alg = 'ed25519', seed }: NewKeyRequest): Promise<KeyRow> {
    const { ids, clock } = this.#options;
    const pair = seed === undefined ? generatePair(alg) : await readSeed(seed);
    if (pair === undefined || (seed !== undefined && alg !== 'ed25519')) {
      throw new InputError('INVALID_REQUEST', 'The seed is not that of an ed25519 key.', {
        field: 'seed',
        suggestion: 'Give 32 random bytes as base64url without padding, or leave the seed out.',
      });
    }
    return { kid: ids.next('key'), alg, purpose, state: 'next', ...pair, created_at: isoTime(clock.now()) };
  }

  #withUse(row: KeyRow): KeyRow {
    const at = this.#uses.get(row.kid);
    const isLater = at !== undefined && at > Date.parse(row.last_used_at ?? isoTime(0));
    return isLater ? { ...row, last_used_at: isoTime(at) } : row;
  }

  #isUseOld(): boolean {
    const written = new Map(this.#written.map((row) => [row.kid, row]));
    return [...this.#uses].some(
      ([kid, at]) => at - Date.parse(written.get(kid)?.last_used_at ?? isoTime(0)) >= MAX_USE_AGE_MS,
    );
  }
}

function openKeys(rows: readonly KeyRow[], keyUses: readonly KeyUse[]): OpenKeys {
  const active = rows.filter(({ state }) => state === 'active');
  const published = rows.filter(({ state }) => PUBLISHED.has(state));
  return {
    rows,
    changesAt: nextChange(rows) ?? Number.POSITIVE_INFINITY,
    active: new Map(active.map((row) => [row.purpose, openKey(row, keyUses)])),
    jwks: { keys: published.map((row) => publicJwk(row, keyUses)) },
    algorithms: [...new Set(published.map(({ alg }) => alg))],
  };
}

function isSound(row: KeyRow, keyUses: readonly KeyUse[]): boolean {
  try {
    return isPair(openKey(row, keyUses), row);
  } catch {
    return false;
  }
}

function summarizeKey({ d: _, ...row }: KeyRow): KeySummary {
  return row;
}
