import { DAY_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Fetched, Outbound } from '../../../platform/net/fetch.js';
import { fetchReason } from '../../../platform/net/fetch-error.js';
import { AUTHORITATIVE_MAX_BYTES } from '../../adagents/discovery.js';
import type { StepAnswer, StepRequest } from '../../documents/steps.js';
import type { CrawlState, ServedDocument } from './records.js';

/** How often a publisher is read in full, whatever its servers say of their files. */
const FULL_EVERY_MS = DAY_MS;
const TIMEOUT_MS = 10 * SECOND_MS;
/** An etag and a date that may be sent in a header. */
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,256}"$/;
const DATE = /^[\w ,:+-]{1,64}$/;

/** The outcome of a conditional request: nothing changed, or a fetch that has the answers already. */
type UnchangedCheck =
  | { readonly isUnchanged: true }
  | { readonly isUnchanged: false; readonly outbound: Pick<Outbound, 'fetch'> };

/** Returns how a document is asked for again. */
export function describeServed({ url }: StepRequest, answer: Extract<StepAnswer, { ok: true }>): ServedDocument {
  const { etag = '', 'last-modified': lastModified = '' } = answer.headers;
  return {
    url,
    status: answer.status,
    bytes: answer.bytes.length,
    ...(ETAG.test(etag) && { etag }),
    ...(DATE.test(lastModified) && { lastModified }),
  };
}

/**
 * Asks whether the documents of the last reading have changed by conditional GET. Only a file that was found the same way
 * without a redirect, whose records were settled to the end, and that nothing about it waits or is remembered, can be found unchanged.
 */
export async function checkUnchanged(
  outbound: Pick<Outbound, 'fetch'>,
  before: CrawlState | undefined,
  { local, nowMs }: { readonly local: boolean; readonly nowMs: number },
): Promise<UnchangedCheck> {
  const { documents = [], fullAt = 0, pending, reason, revokedAt, settledAt } = before ?? {};
  const isQuiet = reason === 'found' && pending === undefined && revokedAt === undefined;
  const isAskable = isQuiet && settledAt !== undefined && nowMs - fullAt < FULL_EVERY_MS;
  if (!isAskable || documents.length === 0 || !documents.every(hasValidator)) return { isUnchanged: false, outbound };
  const answers = new Map<string, Fetched>();
  for (const document of documents) {
    const answer = await askFor(outbound, document, local);
    if (answer?.status === 304) continue;
    if (answer !== undefined) answers.set(document.url, answer);
    return { isUnchanged: false, outbound: withAnswers(outbound, answers) };
  }
  return { isUnchanged: true };
}

function hasValidator({ etag, lastModified, status }: ServedDocument): boolean {
  return status === 200 && (etag !== undefined || lastModified !== undefined);
}

async function askFor(
  outbound: Pick<Outbound, 'fetch'>,
  { etag, lastModified, url }: ServedDocument,
  local: boolean,
): Promise<Fetched | undefined> {
  const headers = {
    accept: 'application/json',
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
  try {
    const options = { maxBytes: AUTHORITATIVE_MAX_BYTES, timeoutMs: TIMEOUT_MS, maxRedirects: 0, local, headers };
    return await outbound.fetch(url, options);
  } catch (error) {
    // The reading that follows finds out what is wrong, and says it.
    if (fetchReason(error) === undefined) throw error;
    return undefined;
  }
}

/** Returns a way out on which what was answered just now is not asked for twice. */
function withAnswers(outbound: Pick<Outbound, 'fetch'>, answers: Map<string, Fetched>): Pick<Outbound, 'fetch'> {
  return {
    fetch: async (url, options) => {
      const answer = answers.get(url);
      answers.delete(url);
      return answer !== undefined && answer.bytes.length <= options.maxBytes ? answer : outbound.fetch(url, options);
    },
  };
}
