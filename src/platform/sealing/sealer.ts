import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Cache } from '../kernel/cache.js';
import { freshBytes } from '../kernel/ids.js';
import type { MasterKeys } from './master-keys.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Begins every sealed text; the id of its key follows, then nonce, ciphertext and tag as base64url. */
const PREFIX = 'sealed:';
const SEALED = /^sealed:([0-9a-f]{12}):([\w-]{38,})$/;

/** Registrations are read with every attempt of a webhook and every list of buys: bench row `webhooks`. */
const MAX_CACHED_TEXTS = 10_000;
const MAX_CACHED_BYTES = 8 * 1024 * 1024;
/** Larger texts are read once. */
const MAX_CACHED_CHARS = 8192;

type Opened = { readonly text: string; readonly use: string };

/** Seals texts that nobody may read in the database's file, and opens them: AES-256-GCM, bound to what the text is used for. */
export class Sealer {
  readonly #keys: MasterKeys;
  readonly #opened = new Cache<string, Opened>({
    maxEntries: MAX_CACHED_TEXTS,
    maxBytes: MAX_CACHED_BYTES,
    sizeOf: ({ text }, sealed) => 2 * (text.length + sealed.length),
  });
  /** One registration is stored with each of its events: the same text is sealed once, which tells nobody more than that they are equal. */
  readonly #sealed = new Cache<string, string>({
    maxEntries: MAX_CACHED_TEXTS,
    maxBytes: MAX_CACHED_BYTES,
    sizeOf: (sealed, named) => 2 * (sealed.length + named.length),
  });

  constructor(keys: MasterKeys) {
    this.#keys = keys;
  }

  /** Returns a text that only `open` for the same use makes readable. */
  seal(text: string, use: string): string {
    const { id, key } = this.#keys.active;
    const named = `${id}\n${use}\n${text}`;
    const before = text.length <= MAX_CACHED_CHARS ? this.#sealed.get(named) : undefined;
    if (before !== undefined) return before;
    const nonce = freshBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(use));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    const sealed = `${PREFIX}${id}:${bytes.toString('base64url')}`;
    if (text.length <= MAX_CACHED_CHARS) this.#sealed.set(named, sealed);
    this.#remember(sealed, { text, use });
    return sealed;
  }

  /** Returns the text that was sealed; one that never was, as it is. Throws where the key is missing or the text was changed. */
  open(sealed: string, use: string): string {
    if (!isSealed(sealed)) return sealed;
    const cached = this.#opened.get(sealed);
    if (cached?.use === use) return cached.text;
    const text = this.#decrypt(sealed, use);
    this.#remember(sealed, { text, use });
    return text;
  }

  /** Returns a text sealed with the present key; undefined for one that is already. */
  renew(stored: string, use: string): string | undefined {
    if (stored.startsWith(`${PREFIX}${this.#keys.active.id}:`)) return undefined;
    return this.seal(this.open(stored, use), use);
  }

  #decrypt(sealed: string, use: string): string {
    const [, id = '', body = ''] = SEALED.exec(sealed) ?? [];
    const master = this.#keys.find(id);
    if (master === undefined)
      throw new Error(`a stored secret was sealed with the master key ${id}, which is not here`);
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv(CIPHER, master.key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(use));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }

  #remember(sealed: string, opened: Opened): void {
    if (opened.text.length <= MAX_CACHED_CHARS) this.#opened.set(sealed, opened);
  }
}

/** Whether a stored text is sealed. */
export function isSealed(text: string): boolean {
  return text.startsWith(PREFIX);
}
