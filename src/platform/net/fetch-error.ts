import { InputError } from '../kernel/errors.js';

/** The reason of a failed fetch, which the error's `details.reason` names. */
export type FetchReason = keyof typeof FAULTS;

/** Each reason as the end of "The address could not be fetched: …", and what the caller can do. */
const FAULTS = {
  not_a_url: ['it is not an absolute URL', 'Send an absolute https URL such as https://cdn.example/banner.png.'],
  not_https: ['it is not https', 'Send an https URL; redirects must stay on https too.'],
  credentials: ['it carries a user name or password', 'Leave credentials out of the URL.'],
  private_address: [
    'it does not lead to the public internet',
    'Send a URL that is reachable from the public internet.',
  ],
  unresolved: ['its host name does not resolve', 'Check the spelling of the host name.'],
  unreachable: ['nothing answers there', 'Check that the server is up and reachable from the public internet.'],
  insecure: ['its certificate is not valid', 'Serve the URL with a valid certificate for its host name.'],
  timeout: ['it did not answer in time', 'Try again, or serve the file from a faster place.'],
  too_large: ['the answer is larger than allowed', 'Serve a smaller file.'],
  too_many_redirects: ['it redirects too often', 'Send the URL where the file is.'],
  broken_answer: ['the answer breaks off or is not valid HTTP', 'Check what the server answers.'],
} as const satisfies Record<string, readonly [what: string, suggestion: string]>;

/** The error of a fetch. Its text names no host; `details.reason` says the reason again. */
export class FetchError extends InputError {
  override readonly name = 'FetchError';
  readonly reason: FetchReason;

  constructor(reason: FetchReason, { field, maxBytes }: { readonly field?: string; readonly maxBytes?: number } = {}) {
    const [what, suggestion] = FAULTS[reason];
    super('VALIDATION_ERROR', `The address could not be fetched: ${what}.`, {
      field,
      suggestion,
      details: reason === 'too_large' ? { reason, max_bytes: maxBytes } : { reason },
    });
    this.reason = reason;
  }
}

/** Returns a reason in words, such as "its host name does not resolve". */
export function describeFetchReason(reason: FetchReason): string {
  return FAULTS[reason][0];
}

/** Returns the reason of a failed fetch; undefined for any other error. */
export function fetchReason(error: unknown): FetchReason | undefined {
  return error instanceof FetchError ? error.reason : undefined;
}

/** Codes (or, where an error has none, names) by how they begin. */
const CODES: readonly (readonly [start: string, reason: FetchReason])[] = [
  ['ENOTFOUND', 'unresolved'],
  ['EAI_', 'unresolved'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['CERT_', 'insecure'],
  ['ERR_TLS_', 'insecure'],
  ['ERR_SSL_', 'insecure'],
  ['DEPTH_ZERO_', 'insecure'],
  ['SELF_SIGNED_', 'insecure'],
  ['UNABLE_TO_', 'insecure'],
  ['EPROTO', 'insecure'],
  ['HPE_', 'broken_answer'],
  ['HTTPParserError', 'broken_answer'],
  ['UND_ERR_', 'broken_answer'],
  ['Z_', 'broken_answer'],
  ['ERR__ERROR_FORMAT_', 'broken_answer'],
];

/** Returns the reason that an error of the network means. */
export function reasonOfFailure(error: unknown): FetchReason {
  if (error instanceof FetchError) return error.reason;
  const { code, name } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // The code of an aborted call is a number.
  return CODES.find(([start]) => String(code ?? name).startsWith(start))?.[1] ?? 'unreachable';
}
