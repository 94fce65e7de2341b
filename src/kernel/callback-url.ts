import { hostKind } from './address.js';
import { TaskError } from './errors.js';

/** What a test runner without a receiver leaves unfilled; kept in development mode, and never called. */
const PLACEHOLDER = /^\{\{[^{}]{1,200}\}\}$/;

/** Whether a caller may name plain http and loopback targets: in development mode, and only for sandbox principals. */
export type CallbackPolicy = { readonly local: boolean };

/**
 * Refuses an address that we would never call: not a URL, not https, with credentials in it, or a literal private address.
 * Names are judged again when they are resolved, at delivery. Throws INVALID_REQUEST with `field`.
 */
export function checkCallbackUrl(text: string, field: string, policy: CallbackPolicy): void {
  const refuse = (message: string, suggestion: string): never => {
    throw new TaskError('INVALID_REQUEST', message, { field, suggestion });
  };
  if (policy.local && PLACEHOLDER.test(text)) return;
  if (!URL.canParse(text))
    refuse('The callback URL cannot be read.', 'Send an absolute https URL such as https://buyer.example/hooks.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    refuse(
      'The callback URL carries a user name or password.',
      'Leave credentials out of the URL; deliveries are signed.',
    );
  }
  const kind = hostKind(url.hostname);
  if (policy.local && (url.protocol === 'http:' || url.protocol === 'https:') && kind === 'loopback') return;
  if (url.protocol !== 'https:' && !(policy.local && url.protocol === 'http:')) {
    refuse('The callback URL must be https.', 'Send an https URL that is reachable from the public internet.');
  }
  if (kind !== undefined && kind !== 'public') {
    refuse(
      'The callback URL names a private or local address.',
      'Send an https URL that is reachable from the public internet.',
    );
  }
}
