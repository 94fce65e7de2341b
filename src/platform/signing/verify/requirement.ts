import { headerReader, type ReceivedRequest } from './received.js';

/** The facts about a request that are known before its signature is looked at. */
type UnverifiedRequest = {
  readonly request: Pick<ReceivedRequest, 'headers'>;
  /** Whether the operation is one that the capabilities list under `required_for`. */
  readonly isRequired: boolean;
  /** Whether another credential proves who calls. */
  readonly hasCredential: boolean;
  /** Whether it registers a webhook with a legacy `authentication` block. */
  readonly hasLegacyRegistration: boolean;
};

/** The demands of a seller beyond the profile. */
export type SignaturePolicy = {
  /** Another credential does not stand for a signature where one is required. */
  readonly isStrict?: boolean;
  /** A legacy block needs a signature, whatever the credential. */
  readonly signedLegacyOnly?: boolean;
};

/**
 * The first step with a request: its signature is verified (half a signature too, and a failure is final), or the request goes on
 * without, or it is refused as `request_signature_required`.
 */
type SignatureDecision = 'verify' | 'unsigned' | 'signature_required';

/** Decides whether a request is verified, goes on unsigned or is refused. With any trace of a signature it never falls back to another credential. */
export function decideSignature(incoming: UnverifiedRequest, policy: SignaturePolicy = {}): SignatureDecision {
  const { hasCredential, isRequired, hasLegacyRegistration, request } = incoming;
  const header = headerReader(request.headers);
  if (header('signature') !== undefined || header('signature-input') !== undefined) return 'verify';
  if (hasLegacyRegistration && (!hasCredential || policy.signedLegacyOnly === true)) return 'signature_required';
  return isRequired && (!hasCredential || policy.isStrict === true) ? 'signature_required' : 'unsigned';
}
