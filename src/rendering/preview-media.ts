import PQueue from 'p-queue';
import { TaskError } from '../kernel/errors.js';
import type { Outbound } from '../kernel/fetch.js';
import type { Probed } from './media-probe-types.js';
import type { MediaRef } from './preview-model.js';
import type { KeepTimes, PreviewStore } from './preview-store.js';

/** How remote media become local copies. */
export type MediaOrder = {
  readonly outbound: Outbound;
  readonly store: PreviewStore;
  readonly times: KeepTimes;
  /** What a file is by its bytes. */
  readonly probe: (bytes: Uint8Array) => Probed;
  /** Lets plain http and loopback through, in development mode. */
  readonly local?: boolean;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
};

/** The largest file that a preview keeps a copy of (facts C.11). */
export const MAX_MEDIA_BYTES = 10 * 1024 ** 2;

const DEFAULT_TIMEOUT_MS = 5000;
const CONCURRENT_FETCHES = 6;
const DATA_URL = /^data:([a-z]+\/[a-z0-9.+-]+)?(?:;[a-z0-9=-]+)*?(;base64)?,/i;

/** What an address led to: bytes and their type, or the reason for the box that stands in their place. */
type Fetch = { readonly bytes: Uint8Array; readonly mime: string } | { readonly missing: string };

/**
 * Copies what the addresses name into the store: through the guarded fetch, or out of a data URL, judged by bytes alone.
 * Never fails for what an address does; what could not be copied is `missing` with its reason. Throws when the store is full.
 */
export async function copyMedia(urls: readonly string[], order: MediaOrder): Promise<ReadonlyMap<string, MediaRef>> {
  const queue = new PQueue({ concurrency: CONCURRENT_FETCHES });
  const wanted = [...new Set(urls)];
  const fetched = await queue.addAll(wanted.map((url) => () => fetchOne(url, order)));
  const files = fetched.filter((one) => 'bytes' in one);
  const kept = files.length === 0 ? [] : await order.store.keepMedia(files, order.times);
  const refs = new Map<Fetch, MediaRef>(files.map((file, at) => [file, kept[at] ?? { missing: 'It was not kept.' }]));
  return new Map(wanted.map((url, at) => [url, refOf(fetched[at], refs)]));
}

function refOf(fetched: Fetch | undefined, refs: ReadonlyMap<Fetch, MediaRef>): MediaRef {
  if (fetched === undefined) return { missing: 'It was not fetched.' };
  return 'missing' in fetched ? fetched : (refs.get(fetched) ?? { missing: 'It was not kept.' });
}

async function fetchOne(url: string, order: MediaOrder): Promise<Fetch> {
  const { outbound, probe, local = false, timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = MAX_MEDIA_BYTES } = order;
  if (/^data:/i.test(url)) return judged(dataBytes(url), probe);
  try {
    const { status, bytes } = await outbound.fetch(url, { maxBytes, timeoutMs, local });
    return status === 200 ? judged(bytes, probe) : { missing: `The server answered ${status}.` };
  } catch (error) {
    if (error instanceof TaskError) return { missing: error.message };
    throw error;
  }
}

function judged(bytes: Uint8Array | undefined, probe: MediaOrder['probe']): Fetch {
  if (bytes === undefined) return { missing: 'The data URL cannot be read.' };
  const probed = probe(bytes);
  return probed.ok ? { bytes, mime: probed.media.mime } : { missing: probed.message };
}

function dataBytes(url: string): Uint8Array | undefined {
  const match = DATA_URL.exec(url);
  if (match === null) return undefined;
  const text = url.slice(match[0].length);
  if (match[2] !== undefined) return Buffer.from(text, 'base64');
  try {
    return Buffer.from(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}
