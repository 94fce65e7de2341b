import type { CommonReason } from './discovery-reasons.js';
import type { Finding } from './finding.js';
import { type Arrival, fetchDocument, type Hop, type RedirectRule, type Steps } from './steps.js';

/** The documents and findings of a discovery so far; every step adds to it. */
export type Trail = { readonly path: Hop[]; readonly findings: Finding[] };

/** A file that is wanted: where it should be, and how it is read when it is there. */
export type Wanted<T> = {
  readonly url: string;
  readonly maxBytes: number;
  readonly redirects: RedirectRule;
  readonly read: (bytes: Uint8Array, url: string) => { readonly findings: readonly Finding[]; readonly content?: T };
};

/** A file that was read, that there is none, or what went wrong. */
export type Served<T> =
  | { readonly kind: 'read'; readonly content: T; readonly url: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: CommonReason };

/** Fetches and reads one JSON file; what was seen is added to the trail. */
export function* fetchServed<T>({ url, maxBytes, redirects, read }: Wanted<T>, trail: Trail): Steps<Served<T>> {
  const arrival = yield* fetchDocument(url, { maxBytes, redirects }, trail.path);
  if (!arrival.ok) return { kind: 'failed', reason: arrival.reason };
  if (isAbsent(arrival)) return { kind: 'absent' };
  if (arrival.status !== 200) {
    return { kind: 'failed', reason: isTroubled(arrival.status) ? 'server_error' : 'http_error' };
  }
  if (arrival.contentType !== '' && !/\bjson\b/i.test(arrival.contentType)) {
    trail.findings.push({
      file: arrival.url,
      pointer: '',
      severity: 'warning',
      keyword: 'content_type',
      message: 'it is not served as JSON',
      fix: 'Serve it with Content-Type: application/json.',
    });
  }
  const { findings, content } = read(arrival.bytes, arrival.url);
  trail.findings.push(...findings);
  if (content !== undefined) return { kind: 'read', content, url: arrival.url };
  const keywords = new Set(findings.filter(({ severity }) => severity === 'error').map(({ keyword }) => keyword));
  if (keywords.has('html')) return { kind: 'failed', reason: 'html' };
  return { kind: 'failed', reason: keywords.has('json') ? 'not_json' : 'invalid' };
}

/** Whether a status says that the server has an error or is busy, which may pass. */
export function isTroubled(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** Whether there is no file, which only these say: not found, and what an S3 bucket answers for it. */
function isAbsent({ status, bytes }: Extract<Arrival, { ok: true }>): boolean {
  return status === 404 || (status === 403 && /<Code>\s*AccessDenied\s*<\/Code>/.test(new TextDecoder().decode(bytes)));
}
