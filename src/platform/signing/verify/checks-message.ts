import { isAlgorithm } from '../algorithms.js';
import { LABEL, MAX_LIFETIME_SECONDS, NONCE } from '../sign.js';
import { COMPONENTS, type Component } from '../signature-base.js';
import { isSingleValue, readByteMembers, readSignatureFields } from '../signature-fields.js';
import type { Failure } from './codes.js';
import { PROFILE_RULES } from './profiles.js';
import { requireStep, type Verification } from './verification.js';

const MAX_NONCE_CHARACTERS = 255;
const ALWAYS_COVERED: readonly Component[] = ['@method', '@target-uri', '@authority'];

/** Reads both headers, which have to be there and well formed, as does every header that they cover (step 1). */
export function readHeaders(verification: Verification): Failure | undefined {
  const { header, options, request } = verification;
  const input = header('signature-input');
  const signature = header('signature');
  if (input === undefined && signature === undefined) return PROFILE_RULES[options.profile].unsigned;
  const fields =
    input === undefined || signature === undefined
      ? undefined
      : readSignatureFields(input, signature, LABEL, options.bytes);
  if (fields === undefined || new Set(fields.components).size !== fields.components.length) {
    return 'signature_header_malformed';
  }
  verification.signatureFields = fields;
  if (!isVisibleAscii(request.url)) return 'signature_header_malformed';
  return fields.components.every((component) => isReadable(component, verification))
    ? undefined
    : 'signature_header_malformed';
}

/** Whether a covered component has a value: one of ours, or a header that was sent. */
function isReadable(component: string, { header, options }: Pick<Verification, 'header' | 'options'>): boolean {
  if (component.startsWith('@')) return isComponent(component);
  const value = header(component);
  if (value === undefined) return false;
  if (component === 'content-type') return isSingleValue(value);
  return component !== 'content-digest' || readByteMembers(value, options.bytes)?.has('sha-256') === true;
}

const NUMBERS = ['created', 'expires'] as const;
const TEXTS = ['nonce', 'keyid', 'alg', 'tag'] as const;

/** Reads the six parameters (step 2). One of the wrong type is malformed, as is a nonce that is padded or short. */
export function readParameters(verification: Verification): Failure | undefined {
  const { parameters } = requireStep(verification.signatureFields);
  const [created, expires] = NUMBERS.map((name) => parameters.get(name));
  const [nonce, keyid, alg, tag] = TEXTS.map((name) => parameters.get(name));
  const isTyped =
    [created, expires].every((value) => value === undefined || Number.isInteger(value)) &&
    [nonce, keyid, alg, tag].every((value) => value === undefined || typeof value === 'string');
  if (!isTyped) return 'signature_header_malformed';
  if (![...NUMBERS, ...TEXTS].every((name) => parameters.has(name))) return 'signature_params_incomplete';
  if (!NONCE.test(String(nonce)) || String(nonce).length > MAX_NONCE_CHARACTERS) return 'signature_header_malformed';
  verification.parameters = {
    created: Number(created),
    expires: Number(expires),
    nonce: String(nonce),
    keyid: String(keyid),
    alg: String(alg),
    tag: String(tag),
  };
  return undefined;
}

/** Checks that the tag is the one of the profile, under an accepted name of the protocol (step 3). */
export function checkTag({ options: { names, profile }, parameters }: Verification): Failure | undefined {
  const tags = PROFILE_RULES[profile].tags(names);
  return tags.includes(requireStep(parameters).tag) ? undefined : 'signature_tag_invalid';
}

/** Checks that the algorithm is one of the two (step 4). */
export function checkAlgorithm({ parameters }: Verification): Failure | undefined {
  return isAlgorithm(requireStep(parameters).alg) ? undefined : 'signature_alg_not_allowed';
}

/** Checks that the signature is valid for at most five minutes, and that now is inside, clocks apart (step 5). */
export function checkWindow({ parameters, nowSeconds, maxSkewSeconds: skew }: Verification): Failure | undefined {
  const { created, expires } = requireStep(parameters);
  const lifetime = expires - created;
  const isValid =
    lifetime > 0 && lifetime <= MAX_LIFETIME_SECONDS && created <= nowSeconds + skew && expires >= nowSeconds - skew;
  return isValid ? undefined : 'signature_window_invalid';
}

/** Checks that every component that the profile requires is covered; content-digest as the policy says (step 6). */
export function checkComponents({ signatureFields, options, request }: Verification): Failure | undefined {
  const rules = PROFILE_RULES[options.profile];
  const covered = new Set(requireStep(signatureFields).components);
  const policy = rules.contentDigest ?? options.contentDigest;
  const needed: Component[] = [...ALWAYS_COVERED];
  if (rules.needsContentType || request.body.length > 0) needed.push('content-type');
  if (policy === 'required') needed.push('content-digest');
  if (!needed.every((component) => covered.has(component))) return 'signature_components_incomplete';
  return policy === 'forbidden' && covered.has('content-digest') ? 'signature_components_unexpected' : undefined;
}

function isComponent(name: string): name is Component {
  return (COMPONENTS as readonly string[]).includes(name);
}

function isVisibleAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}
