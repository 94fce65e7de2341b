import { isAlgorithm } from '../algorithms.js';
import { COMPONENTS, type Component } from '../base.js';
import { isSingleValue, readByteMembers, readSignatureFields } from '../fields.js';
import { LABEL, MAX_LIFETIME_SECONDS, NONCE } from '../sign.js';
import type { Attempt } from './attempt.js';
import { known } from './attempt.js';
import type { Failure } from './codes.js';
import type { HeaderReader } from './received.js';

const MOST_NONCE_LENGTH = 255;
const ALWAYS_COVERED: readonly Component[] = ['@method', '@target-uri', '@authority'];

/** Step 1: both headers are there and well formed, and so is every header that they cover. */
export function readHeaders(at: Attempt): Failure | undefined {
  const { header, options, request } = at;
  const input = header('signature-input');
  const signature = header('signature');
  if (input === undefined && signature === undefined && options.profile === 'request') return 'signature_required';
  const fields =
    input === undefined || signature === undefined ? undefined : readSignatureFields(input, signature, LABEL);
  if (fields === undefined || new Set(fields.components).size !== fields.components.length) {
    return 'signature_header_malformed';
  }
  at.fields = fields;
  if (!isAscii(request.url)) return 'signature_header_malformed';
  return fields.components.every((component) => isReadable(component, header))
    ? undefined
    : 'signature_header_malformed';
}

/** Whether a covered component is one that we know the value of: ours, or a header that came. */
function isReadable(component: string, header: HeaderReader): boolean {
  if (component.startsWith('@')) return isComponent(component);
  const value = header(component);
  if (value === undefined) return false;
  if (component === 'content-type') return isSingleValue(value);
  return component !== 'content-digest' || readByteMembers(value)?.has('sha-256') === true;
}

/** Step 2: all six parameters are there. One of the wrong type is malformed, as is a nonce that is padded or short. */
export function readParameters(at: Attempt): Failure | undefined {
  const { parameters } = known(at.fields);
  const missing = ['created', 'expires', 'nonce', 'keyid', 'alg', 'tag'].some((name) => !parameters.has(name));
  const [created, expires] = ['created', 'expires'].map((name) => parameters.get(name));
  const [nonce, keyid, alg, tag] = ['nonce', 'keyid', 'alg', 'tag'].map((name) => parameters.get(name));
  const isTyped =
    [created, expires].every(
      (value) => value === undefined || (typeof value === 'number' && Number.isInteger(value)),
    ) && [nonce, keyid, alg, tag].every((value) => value === undefined || typeof value === 'string');
  if (!isTyped) return 'signature_header_malformed';
  if (missing) return 'signature_params_incomplete';
  if (!NONCE.test(String(nonce)) || String(nonce).length > MOST_NONCE_LENGTH) return 'signature_header_malformed';
  at.parameters = {
    created: Number(created),
    expires: Number(expires),
    nonce: String(nonce),
    keyid: String(keyid),
    alg: String(alg),
    tag: String(tag),
  };
  return undefined;
}

/** Step 3: the tag is the one of the profile, under a name of the protocol that we accept. */
export function checkTag({ options: { names, profile }, parameters }: Attempt): Failure | undefined {
  const tags = profile === 'webhook' ? names.acceptedWebhookTags : names.acceptedRequestTags;
  return tags.includes(known(parameters).tag) ? undefined : 'signature_tag_invalid';
}

/** Step 4: the algorithm is one of the two. */
export function checkAlgorithm({ parameters }: Attempt): Failure | undefined {
  return isAlgorithm(known(parameters).alg) ? undefined : 'signature_alg_not_allowed';
}

/** Step 5: valid for at most five minutes, and now is inside, clocks apart. */
export function checkWindow({ parameters, nowSeconds, maxSkewSeconds: skew }: Attempt): Failure | undefined {
  const { created, expires } = known(parameters);
  const lasts = expires - created;
  const isValid =
    lasts > 0 && lasts <= MAX_LIFETIME_SECONDS && created <= nowSeconds + skew && expires >= nowSeconds - skew;
  return isValid ? undefined : 'signature_window_invalid';
}

/** Step 6: what has to be covered is covered; content-digest as the policy says. */
export function checkComponents({ fields, options, request }: Attempt): Failure | undefined {
  const { profile, contentDigest = 'either' } = options;
  const covered = new Set(known(fields).components);
  const policy = profile === 'webhook' ? 'required' : contentDigest;
  const required = [
    ...ALWAYS_COVERED,
    ...(profile === 'webhook' || request.body.length > 0 ? (['content-type'] as const) : []),
    ...(policy === 'required' ? (['content-digest'] as const) : []),
  ];
  if (!required.every((component) => covered.has(component))) return 'signature_components_incomplete';
  return policy === 'forbidden' && covered.has('content-digest') ? 'signature_components_unexpected' : undefined;
}

function isComponent(name: string): name is Component {
  return (COMPONENTS as readonly string[]).includes(name);
}

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}
