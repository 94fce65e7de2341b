import path from 'node:path';
import { Low } from 'lowdb';
import type { KeyUse } from '../../../protocol/names.js';
import { type Clock, DAY_MS, isoTime, MINUTE_MS } from '../../kernel/clock.js';
import { TaskError } from '../../kernel/errors.js';
import type { Ids } from '../../kernel/ids.js';
import type { Log } from '../../kernel/log.js';
import type { Algorithm } from '../algorithms.js';
import type { KeyPin, PublicJwk, Purpose, SigningKey } from './jwk.js';
import { broken, closeToOthers, type KeyFile, keyFile } from './key-file.js';
import { begin, type KeyRow, nextChange, PUBLISHED, replace, settle, succeed, withdraw } from './key-life.js';
import { generatePair, isPair, openKey, pairOfSeed, publicJwk } from './key-pair.js';

/** The file of the keys below the data folder. */
export const KEY_FILE = path.join('keys', 'signing.json');

/** What a key ring is made of. */
export type KeyRingOptions = {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Members of a published key that say its purpose (`ProtocolNames.keyUses`). */
  readonly keyUses: readonly KeyUse[];
  /** Which keys sign webhooks; the others are for verifiers of 3.0 (facts 7, row 3). */
  readonly webhookPurpose?: Purpose;
};

/** A new key: of which purpose (`request-signing`) and algorithm (`ed25519`), or of which seed. */
export type NewKeyRequest = {
  readonly purpose?: Purpose | undefined;
  readonly alg?: Algorithm | undefined;
  /** 32 bytes, base64url: the ed25519 key of it. */
  readonly seed?: string | undefined;
};

/** A key without its private part. */
export type KeySummary = Omit<KeyRow, 'd'>;

/** The signing keys of a data folder: one active key for each purpose, and those before and after it. */
export type KeyRing = {
  /** The key that signs now. For webhooks the one that the settings choose. Throws when `ensure` has not made one. */
  readonly signing: (purpose: Purpose) => SigningKey;
  /** What the JWKS publishes: next, active and retiring keys. The same object until a key changes. */
  readonly publicJwks: () => { readonly keys: readonly PublicJwk[] };
  /** The algorithms of the keys that the JWKS publishes. The same list until a key changes. */
  readonly algorithms: () => readonly Algorithm[];
  /** What an adagents.json pins: the same keys, and those that were revoked within a day. */
  readonly pins: () => readonly KeyPin[];
  /** Every key there ever was, oldest first. */
  readonly list: () => readonly KeySummary[];
  /** Makes an active key for every purpose that signs and has none, durably. */
  readonly ensure: () => Promise<void>;
  /** The first key of a purpose. Throws INVALID_STATE when there is one already. */
  readonly generate: (wish: NewKeyRequest) => Promise<KeySummary>;
  /**
   * Publishes a key that takes over in an hour; `now`: takes over at once, and the one before it is revoked and published no more.
   * Throws INVALID_STATE while another one waits to take over.
   */
  readonly rotate: (wish: NewKeyRequest & { readonly now?: boolean | undefined }) => Promise<KeySummary>;
  /** Takes a key back that waits or retires; a retiring one only when its last signatures have expired, unless `now`. Throws INVALID_STATE. */
  readonly retire: (kid: string, now?: boolean) => Promise<KeySummary>;
  /** The keys with their private parts, for the self-check of the operator. */
  readonly rows: () => readonly KeyRow[];
  /** Writes down what time has done to the keys. */
  readonly tick: () => Promise<void>;
};

const USE_WRITTEN_EVERY_MS = 10 * MINUTE_MS;

type Opened = {
  readonly rows: readonly KeyRow[];
  readonly changesAt: number;
  readonly active: ReadonlyMap<Purpose, SigningKey>;
  readonly jwks: { readonly keys: readonly PublicJwk[] };
  readonly algorithms: readonly Algorithm[];
};

/**
 * Opens the keys of a data folder; the folder must be held. Throws ConfigError when the file is not ours, or a private key is not
 * that of the public key beside it: then nobody could verify what it signs.
 */
export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const { clock, ids, keyUses, log, webhookPurpose = 'request-signing' } = options;
  const file = path.join(options.dataDir, KEY_FILE);
  if (await closeToOthers(file)) log.warn({ file }, 'others could read the signing keys; now only the owner can');
  const db = new Low<KeyFile>(keyFile(file), { keys: [] });
  await db.read();
  selfCheck(db.data.keys);
  let opened = openRows(settle(db.data.keys, clock.now()));
  const used = new Map<string, number>();
  let working: Promise<unknown> = Promise.resolve();

  function selfCheck(rows: readonly KeyRow[]): void {
    for (const row of rows.filter(({ state }) => PUBLISHED.has(state))) {
      if (!isSound(row)) {
        throw broken(
          file,
          `the private key of "${row.kid}" does not belong to its public key`,
          'Put the last good copy of the file back, or remove this key from it.',
        );
      }
    }
  }

  function isSound(row: KeyRow): boolean {
    try {
      return isPair(openKey(row, keyUses), row);
    } catch {
      return false;
    }
  }

  function openRows(rows: readonly KeyRow[]): Opened {
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

  function present(): Opened {
    const now = clock.now();
    if (now >= opened.changesAt) opened = openRows(settle(opened.rows, now));
    return opened;
  }

  /** The file first: what is not on disk was never published. One change at a time. */
  function change(move: (rows: readonly KeyRow[]) => readonly KeyRow[]): Promise<void> {
    const changing = working.then(async () => {
      const before = db.data;
      db.data = { keys: move(present().rows).map(withUse) };
      await db.write().catch((error: unknown) => {
        db.data = before;
        throw error;
      });
      opened = openRows(db.data.keys);
    });
    working = changing.catch(() => undefined);
    return changing;
  }

  function withUse(row: KeyRow): KeyRow {
    const at = used.get(row.kid);
    return at === undefined ? row : { ...row, last_used_at: isoTime(at) };
  }

  async function newRow({ purpose = 'request-signing', alg = 'ed25519', seed }: NewKeyRequest): Promise<KeyRow> {
    const pair = seed === undefined ? generatePair(alg) : await pairOfSeed(seed);
    if (pair === undefined || (seed !== undefined && alg !== 'ed25519')) {
      throw new TaskError('INVALID_REQUEST', 'The seed is not that of an ed25519 key.', {
        field: 'seed',
        suggestion: 'Give 32 random bytes as base64url without padding, or leave the seed out.',
      });
    }
    return { kid: ids.next('key'), alg, purpose, state: 'next', ...pair, created_at: isoTime(clock.now()) };
  }

  /** Makes a key and answers the one of its purpose that is newest afterwards: it, or one that was published before it. */
  async function add(wish: NewKeyRequest, move: typeof begin): Promise<KeySummary> {
    const fresh = await newRow(wish);
    await change((rows) => move(rows, fresh, clock.now()));
    const ofPurpose = present().rows.filter(({ purpose }) => purpose === fresh.purpose);
    return summary(ofPurpose.at(-1) ?? fresh);
  }

  return {
    signing: (purpose) => {
      const wanted = purpose === 'webhook-signing' ? webhookPurpose : purpose;
      const key = present().active.get(wanted);
      if (key === undefined) throw new Error(`there is no key for ${wanted} yet`);
      used.set(key.kid, clock.now());
      return key;
    },
    publicJwks: () => present().jwks,
    algorithms: () => present().algorithms,
    pins: () => [
      ...present().jwks.keys,
      ...present().rows.flatMap((row) => {
        const { revoked_at } = row;
        const isRecent = revoked_at !== undefined && clock.now() - Date.parse(revoked_at) < DAY_MS;
        return isRecent ? [{ ...publicJwk(row, keyUses), revoked_at }] : [];
      }),
    ],
    list: () => present().rows.map(withUse).map(summary),
    rows: () => present().rows,
    ensure: async () => {
      const missing = [...new Set<Purpose>(['request-signing', webhookPurpose])].filter(
        (purpose) => !present().active.has(purpose),
      );
      if (missing.length === 0) return;
      const fresh = await Promise.all(missing.map((purpose) => newRow({ purpose })));
      await change((rows) => fresh.reduce((before, row) => begin(before, row, clock.now()), rows));
      for (const { kid, purpose } of fresh) log.info({ kid, purpose }, 'a signing key was generated');
    },
    generate: (wish) => add(wish, begin),
    rotate: ({ now = false, ...wish }) => add(wish, now ? replace : succeed),
    retire: async (kid, now = false) => {
      await change((rows) => withdraw(rows, kid, clock.now(), now));
      const row = present().rows.find((one) => one.kid === kid);
      if (row === undefined) throw new Error('a retired key left the file');
      return summary(row);
    },
    tick: async () => {
      const states = present().rows.map(({ kid, state }) => `${kid} ${state}`);
      const written = new Map(db.data.keys.map((row) => [row.kid, row]));
      const isSettled = db.data.keys.every(({ kid, state }) => states.includes(`${kid} ${state}`));
      const isUseOld = [...used].some(
        ([kid, at]) => at - Date.parse(written.get(kid)?.last_used_at ?? isoTime(0)) >= USE_WRITTEN_EVERY_MS,
      );
      if (isSettled && !isUseOld) return;
      await change((rows) => rows);
      if (!isSettled) log.warn({ keys: states }, 'the signing keys changed');
    },
  };
}

function summary({ d: _, ...row }: KeyRow): KeySummary {
  return row;
}
