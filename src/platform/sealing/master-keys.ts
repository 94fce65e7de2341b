import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { writeSecret } from '../database/secret-file.js';
import { ConfigError } from '../kernel/errors.js';
import { freshBytes } from '../kernel/ids.js';
import { isObject, readJson } from '../kernel/json/json.js';

/** A key that texts of the database are sealed with. */
type MasterKey = { readonly id: string; readonly key: KeyObject };

/** The bytes of an AES-256 key. */
const KEY_BYTES = 32;
/** The environment variable that holds the key, or several: the first one seals, the others open. */
export const MASTER_KEY_VARIABLE = 'SELLER_AGENT_MASTER_KEY';

/** Where the keys come from. */
type MasterKeySource = {
  /** The file of the keys, below the data folder. */
  readonly file: string;
  /** The value of the environment variable, where it is set. */
  readonly given?: string | undefined;
};

/** The keys that a store is sealed with: one that seals, and older ones that open what it has not reached yet. */
export class MasterKeys {
  readonly #file: string;
  readonly #byId = new Map<string, MasterKey>();
  /** Keys of the file, the one that seals last. */
  #written: readonly MasterKey[];
  readonly #given: readonly MasterKey[];

  private constructor(file: string, written: readonly MasterKey[], given: readonly MasterKey[]) {
    this.#file = file;
    this.#written = written;
    this.#given = given;
    for (const key of [...written, ...given]) this.#byId.set(key.id, key);
  }

  /** Reads the keys; there may be none yet. Throws ConfigError for what is no key. */
  static open({ file, given }: MasterKeySource): MasterKeys {
    const texts = given === undefined || given === '' ? [] : given.split(',').map((text) => text.trim());
    const keys = texts.map((text) => readKey(text, `environment ${MASTER_KEY_VARIABLE}`, GIVEN_FIX));
    return new MasterKeys(file, existsSync(file) ? readKeyFile(file) : [], keys);
  }

  /** Whether the operator keeps the keys, so that none is made here. */
  get isGiven(): boolean {
    return this.#given.length > 0;
  }

  /** Whether there is a key to seal with. */
  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** Returns the key that seals. Throws where there is none. */
  get active(): MasterKey {
    const key = this.#given[0] ?? this.#written.at(-1);
    if (key === undefined) throw new Error('there is no master key yet');
    return key;
  }

  /** Returns a key by its id. */
  find(id: string): MasterKey | undefined {
    return this.#byId.get(id);
  }

  /** Makes a key that seals from now on; it is on disk when this returns. */
  generate(): MasterKey {
    const key = masterKey(freshBytes(KEY_BYTES));
    this.#write([...this.#written, key]);
    this.#byId.set(key.id, key);
    return key;
  }

  /** Deletes every key but the one that seals from the file, and returns their ids. This process can still open with them. */
  forgetOthers(): readonly string[] {
    const { id } = this.active;
    const others = this.#written.filter((key) => key.id !== id);
    // A key that the operator gives leaves no key in the file.
    if (others.length > 0) this.#write(this.#written.filter((key) => key.id === id));
    return others.map((key) => key.id);
  }

  #write(keys: readonly MasterKey[]): void {
    const rows = keys.map(({ id, key }) => ({ id, key: key.export().toString('base64') }));
    if (rows.length > 0) writeSecret(this.#file, JSON.stringify({ keys: rows }, null, 2));
    else rmSync(this.#file);
    this.#written = keys;
  }
}

const GIVEN_FIX = 'Set it to 32 random bytes as base64, for example from: openssl rand -base64 32.';
const FILE_FIX =
  'Put the last good copy of the file back; without its keys the secrets in the database cannot be read.';

function readKeyFile(file: string): readonly MasterKey[] {
  const content = readJson(readFileSync(file, 'utf8'));
  const rows = isObject(content) && Array.isArray(content.keys) ? content.keys : undefined;
  if (rows === undefined || rows.length === 0)
    throw keyProblem(file, 'it holds no master keys that we wrote', FILE_FIX);
  return rows.map((row: unknown) => readKey(isObject(row) ? String(row.key) : '', file, FILE_FIX));
}

function readKey(text: string, file: string, fix: string): MasterKey {
  const bytes = Buffer.from(text, 'base64');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text) || bytes.length !== KEY_BYTES)
    throw keyProblem(file, 'this is no master key: it is not 32 bytes as base64', fix);
  return masterKey(bytes);
}

/** Returns a master key under an id that follows from the key, so that it is recognized wherever it comes from. */
function masterKey(bytes: Buffer): MasterKey {
  const id = createHash('sha256').update('seller-agent master key\n').update(bytes).digest('hex').slice(0, 12);
  return { id, key: createSecretKey(bytes) };
}

/** Returns the error of master keys that no server can start with. */
export function keyProblem(file: string, message: string, fix: string): ConfigError {
  return new ConfigError([{ file, line: 0, pointer: '', message, fix }]);
}
