import PQueue from 'p-queue';
import { MINUTE_MS } from '../../platform/kernel/clock.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { type FetchReason, fetchReason } from '../../platform/net/fetch-error.js';
import { isUrl } from '../../platform/net/url.js';
import { humanizeBytes } from '../../platform/web/humanize.js';
import { asTaskError, TaskError } from '../../protocol/errors.js';
import { dataBytes, isDataUrl } from '../data-url.js';
import { PREVIEWS_PATH } from '../preview/path.js';
import type { MediaStore } from '../preview/ports.js';

/** The file of an asset; of one that is too large the beginning alone, and then `whole` is false. */
type AssetFile = {
  readonly bytes: Uint8Array;
  readonly whole: boolean;
  /** Bytes of the whole file, or the least that it must have. */
  readonly size: number;
};

/** The files behind the addresses that one call names, each fetched once however often it is asked for. */
export type AssetFiles = {
  /** A file, or its beginning. Throws VALIDATION_ERROR when there is none to be had. */
  readonly read: (url: string) => Promise<AssetFile>;
  /** A whole file. Throws VALIDATION_ERROR, also for one that is too large. */
  readonly readWhole: (url: string) => Promise<Uint8Array>;
  /** For how long (ms) an answer that rests on what was read may be given again: not at all when something could not be read. */
  readonly freshForMs: () => number;
};

/** The ports that files are read with; a `Renderer` has them. */
type AssetFilesPorts = {
  readonly outbound: Outbound;
  readonly media: Pick<MediaStore, 'find'>;
  /** Address of this server, without a trailing slash. */
  readonly baseUrl: string;
  /** Lets plain http and loopback through, in development mode. */
  readonly local: boolean;
  /** `MAX_FILE_BYTES` unless given. */
  readonly maxBytes?: number;
};

/** The largest file that is read to its end. */
const MAX_FILE_BYTES = 10 * 1024 ** 2;
/** What is held of a larger one: enough for its header. */
const HEAD_BYTES = 1024 ** 2;
/** What one call may hold in memory, and the most addresses it may have fetched. */
const CALL_LIMITS = { bytes: 128 * 1024 ** 2, addresses: 250 } as const;
/** Hosts that serve one file after the other are slow when many are asked of them at once. */
const TIMEOUT_MS = 15_000;
const CONCURRENT_FETCHES = 12;
/** A host that so many files of one call were waited for in vain is not asked again by it. */
const MAX_TIMEOUTS_OF_HOST = CONCURRENT_FETCHES;
/** Who has just put another file at an address wants to see that one. */
const FRESH_MS = MINUTE_MS;

/** Opens the files of one call. A batch shares them, and so do the check of a manifest and the drawing of its preview. */
export function openAssetFiles(ports: AssetFilesPorts): AssetFiles {
  const { maxBytes = MAX_FILE_BYTES } = ports;
  const fetcher = new CallFetcher({ ...ports, maxBytes });
  const reads = new Map<string, Promise<AssetFile>>();
  let queue: PQueue | undefined;

  // Most calls name no file, and a queue costs as much as the check of a manifest (bench row `preview_html`).
  function readQueued(url: string): Promise<AssetFile> {
    queue ??= new PQueue({ concurrency: CONCURRENT_FETCHES });
    return queue.add(() => fetcher.read(url));
  }

  function read(url: string): Promise<AssetFile> {
    const reading = reads.get(url) ?? (isDataUrl(url) ? decodeDataUrl(url) : readQueued(url));
    reads.set(url, reading);
    return reading;
  }

  return {
    read,
    readWhole: async (url) => {
      const { bytes, whole } = await read(url);
      if (!whole) throw tooLarge(maxBytes);
      return bytes;
    },
    freshForMs: () => fetcher.freshMs,
  };
}

/** Fetches the files of one call, within what one call may hold and ask for. */
class CallFetcher {
  readonly #ports: AssetFilesPorts & { readonly maxBytes: number };
  /** Below this address stand the copies that this server has made. */
  readonly #own: string;
  readonly #spent = { bytes: 0, addresses: 0 };
  /** Files that were waited for in vain, by host. */
  readonly #timeouts = new Map<string, number>();
  #freshMs = Number.POSITIVE_INFINITY;

  constructor(ports: AssetFilesPorts & { readonly maxBytes: number }) {
    this.#ports = ports;
    this.#own = `${ports.baseUrl}${PREVIEWS_PATH}/media/`;
  }

  /** Returns for how long (ms) all that was read so far is good. */
  get freshMs(): number {
    return this.#freshMs;
  }

  async read(url: string): Promise<AssetFile> {
    const copy = url.startsWith(this.#own) ? await this.#ports.media.find(url.slice(this.#own.length)) : undefined;
    if (copy !== undefined) return wholeFile(copy.bytes);
    const spent = this.#spent;
    if (spent.bytes >= CALL_LIMITS.bytes || spent.addresses >= CALL_LIMITS.addresses) throw tooMany();
    const host = isUrl(url) ? new URL(url).host : '';
    const late = this.#timeouts.get(host) ?? 0;
    if (late >= MAX_TIMEOUTS_OF_HOST) throw unreadFile('Its server did not answer in time for other files.');
    spent.addresses += 1;
    try {
      const file = await this.#fetchFile(url);
      spent.bytes += file.bytes.length;
      this.#freshMs = Math.min(this.#freshMs, FRESH_MS);
      return file;
    } catch (error) {
      this.#freshMs = 0;
      if (fetchReason(error) === 'timeout') this.#timeouts.set(host, (this.#timeouts.get(host) ?? 0) + 1);
      throw error;
    }
  }

  async #fetchFile(url: string): Promise<AssetFile> {
    const { local, maxBytes, outbound } = this.#ports;
    const { status, headers, bytes } = await outbound.fetch(url, {
      maxBytes: maxBytes + 1,
      overflow: 'cut',
      timeoutMs: TIMEOUT_MS,
      local,
    });
    if (status !== 200) throw notThere(status);
    if (bytes.length <= maxBytes) return wholeFile(bytes);
    const head = Buffer.from(bytes.subarray(0, HEAD_BYTES));
    return { bytes: head, whole: false, size: Math.max(bytes.length, Number(headers['content-length']) || 0) };
  }
}

/** Whose move it is after a file could not be read: nobody serves it now, and may later; or what was sent is wrong. */
type FileFault = 'later' | 'wrong';

const FILE_FAULTS: Readonly<Record<FetchReason, FileFault>> = {
  unresolved: 'later',
  unreachable: 'later',
  timeout: 'later',
  broken_answer: 'later',
  insecure: 'wrong',
  not_https: 'wrong',
  too_many_redirects: 'wrong',
  not_a_url: 'wrong',
  credentials: 'wrong',
  private_address: 'wrong',
  too_large: 'wrong',
};

/**
 * Returns who has to act after a file could not be read, for previews, builds and the library alike; undefined for a fault of our own. A
 * server that answers otherwise than 200 has the file later: buyers send creatives before their files are up.
 */
export function fileFault(error: unknown): FileFault | undefined {
  const reason = readFaultReason(error);
  if (reason !== undefined) return FILE_FAULTS[reason];
  const refusal = asTaskError(error);
  if (refusal === undefined) return undefined;
  const { reason: why, status } = refusal.extras.details ?? {};
  return status !== undefined || why === UNREAD ? 'later' : 'wrong';
}

/** Returns why a file could not be read, a file that is too large among the reasons; undefined for an error of another kind. */
function readFaultReason(error: unknown): FetchReason | undefined {
  const isTooLarge = error instanceof TaskError && error.extras.details?.reason === TOO_LARGE;
  return isTooLarge ? TOO_LARGE : fetchReason(error);
}

const TOO_LARGE: FetchReason = 'too_large';
const UNREAD = 'file_unread';

function wholeFile(bytes: Uint8Array): AssetFile {
  return { bytes, whole: true, size: bytes.length };
}

async function decodeDataUrl(url: string): Promise<AssetFile> {
  const bytes = dataBytes(url);
  if (bytes !== undefined) return wholeFile(bytes);
  throw new TaskError('VALIDATION_ERROR', 'The data URL cannot be read.', {
    suggestion: 'Send an address, or data:image/png;base64, and the file in base64.',
  });
}

function notThere(status: number): TaskError {
  return new TaskError('VALIDATION_ERROR', `The server answered ${status}.`, {
    suggestion: 'Send an address that answers 200 with the file itself.',
    details: { status },
  });
}

function tooLarge(maxBytes: number): TaskError {
  return new TaskError('VALIDATION_ERROR', `The file is larger than ${humanizeBytes(maxBytes)}.`, {
    suggestion: 'Serve a smaller file.',
    details: { reason: TOO_LARGE, max_bytes: maxBytes },
  });
}

/** Returns the error of a file that was not read, though it may be there. */
export function unreadFile(message: string): TaskError {
  return new TaskError('VALIDATION_ERROR', message, { details: { reason: UNREAD } });
}

function tooMany(): TaskError {
  return new TaskError('VALIDATION_ERROR', 'The call names more files than are fetched at once.', {
    suggestion: 'Send fewer creatives in one call.',
    details: { reason: UNREAD },
  });
}
