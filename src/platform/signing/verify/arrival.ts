import { isObject } from '../../kernel/json/json.js';
import { headerReader, type ReceivedRequest } from './received.js';

/** What is known of a request before its signature is looked at (facts 3.2). */
export type Arrival = {
  readonly request: Pick<ReceivedRequest, 'headers'>;
  /** Whether the operation is one that the capabilities list under `required_for`. */
  readonly isRequired: boolean;
  /** Whether another credential proves who calls. */
  readonly hasCredential: boolean;
  /** Whether it registers a webhook with a legacy `authentication` block; see `registersLegacy`. */
  readonly registersLegacy: boolean;
};

/** What a seller asks beyond the profile. */
export type ArrivalPolicy = {
  /** Another credential does not stand for a signature where one is required. */
  readonly isStrict?: boolean;
  /** A legacy block needs a signature, whatever the credential. */
  readonly signedLegacyOnly?: boolean;
};

/**
 * What happens to a request first: its signature is verified (also half a one, and a failure is final), or it goes on without,
 * or it is refused as `request_signature_required`.
 */
export type ArrivalDecision = 'verify' | 'unsigned' | 'signature_required';

/** Decides by the table of facts 3.2. A request with any trace of a signature never falls back to another credential. */
export function decideArrival(arrival: Arrival, policy: ArrivalPolicy = {}): ArrivalDecision {
  const { hasCredential, isRequired, registersLegacy, request } = arrival;
  const header = headerReader(request.headers);
  if (header('signature') !== undefined || header('signature-input') !== undefined) return 'verify';
  if (registersLegacy && (!hasCredential || policy.signedLegacyOnly === true)) return 'signature_required';
  return isRequired && (!hasCredential || policy.isStrict === true) ? 'signature_required' : 'unsigned';
}

const REGISTRATIONS: ReadonlySet<string> = new Set(['push_notification_config', 'notification_configs']);
const DEEPEST = 12;

/** Whether arguments hold a registration with an `authentication` block, valid or not: it is looked for before anything is validated. */
export function registersLegacy(args: unknown): boolean {
  let layer: readonly unknown[] = [args];
  for (let depth = 0; layer.length > 0 && depth <= DEEPEST; depth += 1) {
    const members = layer.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.entries(value) : [],
    );
    if (members.some(([name, value]) => REGISTRATIONS.has(name) && hasAuthentication(value))) return true;
    layer = members.map(([, value]) => value);
  }
  return false;
}

function hasAuthentication(registration: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(registration) ? registration : [registration];
  return list.some((one) => isObject(one) && one.authentication !== undefined && one.authentication !== null);
}
