import { InputError } from '../kernel/errors.js';
import { hostKind } from './address.js';
import type { Outbound } from './fetch.js';
import { isUrl } from './url.js';

/** A template that a test runner without a receiver leaves unfilled; stored in development mode, and never called. */
const PLACEHOLDER = /^\{\{[^{}]{1,200}\}\}$/;

/** The rules for an address that a caller chose for us to call. */
export type CallbackPolicy = {
  /** Whether it may be plain http and loopback: in development mode, and only for sandbox principals. */
  readonly local: boolean;
  /** The thing at the address, in the words of an error; `callback` unless set. */
  readonly what?: string;
};

const LOOKUP_TIMEOUT_MS = 2000;
const PUBLIC_URL = 'Send an https URL that is reachable from the public internet.';

/** Whether an address is a template that a test runner left unfilled. Such an address is never called. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/**
 * Refuses an address that we would never call: not a URL, with blanks or control characters, not https, with credentials in it, or a
 * literal private address.
 * Names are judged again when they are resolved, at delivery. Throws INVALID_REQUEST with `field`.
 */
export function checkCallbackUrl(text: string, field: string, policy: CallbackPolicy): void {
  const refuse = (message: string, suggestion: string): never => {
    throw new InputError('INVALID_REQUEST', message, { field, suggestion });
  };
  if (policy.local && isPlaceholder(text)) return;
  if (/[\s\p{Cc}]/u.test(text)) {
    refuse(
      `The ${policy.what ?? 'callback'} URL holds a blank, a line break or another control character.`,
      'Send the URL without them; percent-encode a blank that belongs to it as %20.',
    );
  }
  if (!isUrl(text))
    refuse(
      `The ${policy.what ?? 'callback'} URL cannot be read.`,
      'Send an absolute https URL such as https://buyer.example/hooks.',
    );
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    refuse(
      `The ${policy.what ?? 'callback'} URL carries a user name or password.`,
      'Leave credentials out of the URL; deliveries are signed.',
    );
  }
  const kind = hostKind(url.hostname);
  if (policy.local && (url.protocol === 'http:' || url.protocol === 'https:') && kind === 'loopback') return;
  if (url.protocol !== 'https:' && !(policy.local && url.protocol === 'http:')) {
    refuse(`The ${policy.what ?? 'callback'} URL must be https.`, PUBLIC_URL);
  }
  if (kind !== undefined && kind !== 'public') {
    refuse(`The ${policy.what ?? 'callback'} URL names a private or local address.`, PUBLIC_URL);
  }
}

/**
 * Refuses an address, checked before, whose host name leads to a private or local address just now. A name that does not resolve
 * passes: it may be there by the first delivery, which looks for itself. Throws INVALID_REQUEST with `field`.
 */
export async function checkCallbackHost(
  text: string,
  field: string,
  policy: CallbackPolicy,
  outbound: Pick<Outbound, 'leadsInside'>,
): Promise<void> {
  if (policy.local && isPlaceholder(text)) return;
  if (!(await outbound.leadsInside(text, { ...policy, timeoutMs: LOOKUP_TIMEOUT_MS }))) return;
  throw new InputError('INVALID_REQUEST', `The ${policy.what ?? 'callback'} URL leads to a private or local address.`, {
    field,
    suggestion: PUBLIC_URL,
  });
}
