import { SECOND_MS } from '../../platform/kernel/clock.js';
import type { FetchReason } from '../../platform/net/fetch-error.js';
import { isUrl } from '../../platform/net/url.js';
import { domainName, isSameSite } from '../model/domains.js';

/** A document that a discovery wants. It follows redirects itself: the fetch must follow none. */
export type StepRequest = {
  readonly url: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Of the Accept header. */
  readonly accept: string;
};

/** The outcome of a step: an answer of any status, or the reason why there is none. Header names are in lower case. */
export type StepAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly bytes: Uint8Array;
    }
  | { readonly ok: false; readonly reason: FetchReason };

/**
 * A discovery as a machine of steps: it asks for a document, is given the answer with `next(answer)`, and returns what it found. It
 * does nothing by itself, so that the same steps run over the guarded fetch, over files and in tests.
 */
export type Steps<T> = Generator<StepRequest, T, StepAnswer>;

/** One document that was asked for, and what came of it. */
export type Hop = { readonly url: string; readonly says: string };

/** The end of one fetch with its redirects. */
export type Arrival =
  | {
      readonly ok: true;
      /** Where the last redirect led. */
      readonly url: string;
      readonly status: number;
      readonly contentType: string;
      readonly bytes: Uint8Array;
    }
  | { readonly ok: false; readonly url: string; readonly reason: ArrivalFault };

/** Why a fetch led nowhere. */
export type ArrivalFault =
  | FetchReason
  | 'redirect_not_https'
  | 'redirect_off_site'
  | 'redirect_refused'
  | 'redirect_loop';

/** How redirects are followed. */
export type RedirectRule = {
  readonly most: number;
  /** Redirects that may lead to another registrable domain; the others must stay. */
  readonly mostOffSite: number;
};

/** The rules of redirects: on the same site, none at all, and those of ads.txt. */
export const REDIRECTS = {
  sameSite: { most: 3, mostOffSite: 0 },
  none: { most: 0, mostOffSite: 0 },
  adsTxt: { most: 5, mostOffSite: 1 },
} as const satisfies Record<string, RedirectRule>;

/** Milliseconds for one document. */
const STEP_TIMEOUT_MS = 10 * SECOND_MS;
const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Bounds of a document that is fetched. */
type DocumentBounds = {
  readonly maxBytes: number;
  readonly redirects: RedirectRule;
  /** The media type that is asked for; JSON unless set. */
  readonly accept?: string;
};

/** Fetches a document by a rule of redirects; every answer on the way is written into `path`. */
export function* fetchDocument(
  url: string,
  { maxBytes, redirects: rule, accept = 'application/json' }: DocumentBounds,
  path: Hop[],
): Steps<Arrival> {
  const seen = new Set<string>();
  let at = url;
  for (let offSite = 0; ; ) {
    seen.add(at);
    const answer = yield { url: at, maxBytes, timeoutMs: STEP_TIMEOUT_MS, accept };
    if (!answer.ok) {
      path.push({ url: at, says: `could not be fetched (${answer.reason})` });
      return { ok: false, url: at, reason: answer.reason };
    }
    const { status, headers, bytes } = answer;
    const location = STATUSES.has(status) ? headers.location : undefined;
    if (location === undefined) {
      path.push({ url: at, says: `answered ${status}` });
      return { ok: true, url: at, status, contentType: headers['content-type'] ?? '', bytes };
    }
    const next = isUrl(location, at) ? new URL(location, at).href.replace(/#.*$/s, '') : undefined;
    path.push({ url: at, says: `redirects (${status}) to ${next ?? 'nowhere'}` });
    const isOffSite = next !== undefined && !isSameSite(hostOf(at), hostOf(next));
    offSite += isOffSite ? 1 : 0;
    const fault = redirectFault(next, seen, rule, offSite);
    if (fault !== undefined || next === undefined) return { ok: false, url: at, reason: fault ?? 'broken_answer' };
    at = next;
  }
}

/** Whether a URL is plain https without credentials, as every hop has to be. */
export function isSecure(url: string): boolean {
  if (!isUrl(url)) return false;
  const { protocol, username, password } = new URL(url);
  return protocol === 'https:' && username === '' && password === '';
}

function redirectFault(
  next: string | undefined,
  seen: ReadonlySet<string>,
  rule: RedirectRule,
  offSite: number,
): ArrivalFault | undefined {
  if (next === undefined) return 'broken_answer';
  if (rule.most === 0) return 'redirect_refused';
  if (!isSecure(next)) return 'redirect_not_https';
  if (seen.has(next)) return 'redirect_loop';
  if (offSite > rule.mostOffSite) return 'redirect_off_site';
  return seen.size > rule.most ? 'too_many_redirects' : undefined;
}

function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return domainName(hostname) ?? hostname;
}
