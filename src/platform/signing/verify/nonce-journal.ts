import { createHash } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createMemoryNonces, type NonceLimits, type NonceStore } from './nonces.js';

/** A file of the journal; its number is that of the period that it began in. */
const FILE = /^nonces-(\d+)$/;
const FILE_MODE = 0o600;
/** Longer than any signature is good for, clocks apart: a file is over when the period after its own is. */
const PERIOD_SECONDS = 512;
const DIGEST_BYTES = 16;
/** Four bytes of the second until which a nonce is remembered, and its digest. */
const RECORD_BYTES = 4 + DIGEST_BYTES;

type NonceUse = Parameters<NonceStore['claim']>[0];
/** The nonces in one file of an earlier process, each with its end. */
type EarlierNonces = { readonly period: number; readonly until: ReadonlyMap<string, number> };

/**
 * Remembers nonces in memory, and in files of a folder for the process that comes after this one, however this one ends. Nobody waits for
 * the disk: what a power cut takes back is over before most machines are up again.
 */
export class NonceJournal implements NonceStore {
  readonly #folder: string;
  readonly #memory: NonceStore;
  /** Of processes before, a file each: digests, with the second until which they are remembered. */
  #earlier: readonly EarlierNonces[];
  #open: { readonly period: number; readonly descriptor: number } | undefined;

  constructor(folder: string, limits: NonceLimits) {
    this.#folder = folder;
    this.#memory = createMemoryNonces(limits);
    this.#earlier = this.#files().map(({ file, period }) => ({ period, until: new Map(readRecords(file)) }));
  }

  isFull(key: Omit<NonceUse, 'nonce'>, nowSeconds: number): boolean | Promise<boolean> {
    return this.#memory.isFull(key, nowSeconds);
  }

  async claim(use: NonceUse, untilSeconds: number, nowSeconds: number) {
    const digest = digestUse(use);
    if (this.#earlier.some(({ until }) => (until.get(digest) ?? 0) >= nowSeconds)) return 'seen';
    const claim = await this.#memory.claim(use, untilSeconds, nowSeconds);
    if (claim === 'claimed') this.#record(digest, untilSeconds, nowSeconds);
    return claim;
  }

  /** Closes the file. */
  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.descriptor);
    this.#open = undefined;
  }

  #record(digest: string, untilSeconds: number, nowSeconds: number): void {
    const bytes = Buffer.alloc(RECORD_BYTES);
    bytes.writeUInt32BE(untilSeconds, 0);
    bytes.write(digest, 4, 'latin1');
    try {
      writeSync(this.#descriptor(Math.floor(nowSeconds / PERIOD_SECONDS)), bytes);
    } catch {
      // A disk that is full refuses every change; what is read may be read again after a restart.
    }
  }

  /** Returns the file of a period, opened; files that are over are removed when a new one begins. */
  #descriptor(period: number): number {
    if (this.#open?.period === period) return this.#open.descriptor;
    this.close();
    const isOver = (one: { readonly period: number }): boolean => one.period < period - 1;
    this.#earlier = this.#earlier.filter((one) => !isOver(one));
    for (const one of this.#files()) if (isOver(one)) rmSync(one.file, { force: true });
    const descriptor = openSync(path.join(this.#folder, `nonces-${period}`), 'a', FILE_MODE);
    const { size } = fstatSync(descriptor);
    // A process that was killed may have left half a record.
    ftruncateSync(descriptor, size - (size % RECORD_BYTES));
    this.#open = { period, descriptor };
    return descriptor;
  }

  #files(): readonly { readonly file: string; readonly period: number }[] {
    return readdirSync(this.#folder).flatMap((name) => {
      const period = FILE.exec(name)?.[1];
      return period === undefined ? [] : [{ file: path.join(this.#folder, name), period: Number(period) }];
    });
  }
}

function digestUse({ source, keyid, nonce }: NonceUse): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([source, keyid, nonce]))
    .digest();
  return digest.toString('latin1', 0, DIGEST_BYTES);
}

/** Returns the records of a file; a last one that is not whole was never answered for. */
function readRecords(file: string): (readonly [digest: string, untilSeconds: number])[] {
  const bytes = readFileSync(file);
  return Array.from({ length: Math.floor(bytes.length / RECORD_BYTES) }, (_, index) => {
    const at = index * RECORD_BYTES;
    return [bytes.toString('latin1', at + 4, at + RECORD_BYTES), bytes.readUInt32BE(at)] as const;
  });
}
