const PROFILES = ['webhook', 'request'] as const;

/** A profile of signatures: of webhooks that are posted to a buyer, or of requests that a buyer's agent makes. */
export type Profile = (typeof PROFILES)[number];

type FailureRow = {
  /** The profiles that have a code for it. */
  readonly profiles: readonly Profile[];
  readonly meaning: string;
  /** What a receiver should do beside refusing. */
  readonly receiver: string;
  /** What the sender has to change. */
  readonly sender: string;
};

const BOTH: readonly Profile[] = PROFILES;
const REQUEST: readonly Profile[] = ['request'];
const WEBHOOK: readonly Profile[] = ['webhook'];

/** Every way in which a signature is refused; a code is the profile's name, `_`, and the name of the row. */
export const FAILURES = {
  signature_required: {
    profiles: REQUEST,
    meaning: 'The request has to be signed and is not.',
    receiver: 'Say in the capabilities which tasks need a signature.',
    sender: 'Sign the request; the capabilities say with what.',
  },
  signature_header_malformed: {
    profiles: BOTH,
    meaning: 'Signature, Signature-Input or a covered header is missing, doubled or not well formed.',
    receiver: 'Never fall back to another credential.',
    sender: 'Send both headers once, strings in quotes, bytes in one base64 alphabet, the host as A-labels.',
  },
  signature_params_incomplete: {
    profiles: BOTH,
    meaning: 'One of created, expires, nonce, keyid, alg and tag is missing.',
    receiver: 'Refuse; a default would sign for the sender.',
    sender: 'Send all six parameters.',
  },
  signature_tag_invalid: {
    profiles: BOTH,
    meaning: 'The signature was made for another purpose.',
    receiver: 'Refuse, whoever signed.',
    sender: 'Use the tag of this profile.',
  },
  signature_alg_not_allowed: {
    profiles: BOTH,
    meaning: 'The algorithm is neither ed25519 nor ecdsa-p256-sha256.',
    receiver: 'Refuse; never negotiate algorithms.',
    sender: 'Sign with ed25519 or ecdsa-p256-sha256.',
  },
  signature_window_invalid: {
    profiles: BOTH,
    meaning: 'The signature has expired, is dated in the future, or is valid for more than five minutes.',
    receiver: 'Check the clock when many senders fail.',
    sender: 'Sign every attempt anew and keep the clock right.',
  },
  signature_components_incomplete: {
    profiles: BOTH,
    meaning: 'A component that has to be covered is not.',
    receiver: 'Refuse; what is not covered is not signed.',
    sender: 'Cover @method, @target-uri, @authority, content-type and content-digest.',
  },
  signature_components_unexpected: {
    profiles: REQUEST,
    meaning: 'The digest is covered where the capabilities forbid it.',
    receiver: 'Allow the digest if the body can be kept as it came.',
    sender: 'Leave content-digest out, as the capabilities say.',
  },
  signature_key_unknown: {
    profiles: BOTH,
    meaning: 'The signer publishes no key with this keyid.',
    receiver: 'Fetch the keys once more, at most every 30 seconds, before refusing.',
    sender: 'Publish a key half an hour before signing with it.',
  },
  signature_key_purpose_invalid: {
    profiles: BOTH,
    meaning: 'The key is not for this purpose or its own members contradict each other or the signature.',
    receiver: 'Refuse, although the mathematics may fit.',
    sender: 'Publish the key with use, key_ops, alg and the purpose of this profile.',
  },
  signature_revocation_stale: {
    profiles: BOTH,
    meaning: 'The list of revoked keys is too old to be believed.',
    receiver: 'Fetch the list; until then nothing of this signer can be accepted.',
    sender: 'Publish the list of revoked keys before its next_update passes.',
  },
  signature_key_revoked: {
    profiles: BOTH,
    meaning: 'The key was revoked.',
    receiver: 'Raise an alarm: somebody still signs with it.',
    sender: 'Sign with another key.',
  },
  signature_rate_abuse: {
    profiles: BOTH,
    meaning: 'The key has more live nonces than one signer needs.',
    receiver: 'Raise an alarm: the key may be stolen or a sender may loop. Never make room by forgetting nonces.',
    sender: 'Send less, or with shorter validity.',
  },
  target_uri_malformed: {
    profiles: BOTH,
    meaning: 'The URL has no canonical form, or its host is not the one that the request was sent to.',
    receiver: 'Behind a proxy, verify against the public address that senders use.',
    sender: 'Sign the URL that is requested.',
  },
  signature_invalid: {
    profiles: BOTH,
    meaning: 'The signature does not fit the request and the key.',
    receiver: 'Refuse; do not say what was compared.',
    sender: 'Compare the signature base; most differences are in the canonical URL.',
  },
  signature_digest_mismatch: {
    profiles: BOTH,
    meaning: 'The body is not the one that was signed.',
    receiver: 'Take the digest of the raw bytes, before anything parses them.',
    sender: 'Send the bytes that were digested; writing JSON again changes them.',
  },
  signature_replayed: {
    profiles: BOTH,
    meaning: 'The nonce was used with this key before.',
    receiver: 'Refuse, although the signature fits.',
    sender: 'Take a new nonce for every attempt, retries too.',
  },
  body_malformed: {
    profiles: BOTH,
    meaning: 'The body is not JSON, or an object of it names a member twice.',
    receiver: 'Log the key and at most four cleaned names, never the body.',
    sender: 'Send JSON in which no object repeats a name.',
  },
  mode_mismatch: {
    profiles: WEBHOOK,
    meaning: 'The webhook came in another mode than it was registered for.',
    receiver: 'Accept one mode per registration and never fall back.',
    sender: 'Use the mode of the registration.',
  },
  signature_jwks_unavailable: {
    profiles: REQUEST,
    meaning: 'The keys of the signer cannot be fetched just now.',
    receiver: 'Remember the failure for no longer than a minute.',
    sender: 'Serve the JWKS over https, within 10 seconds and 64 KiB.',
  },
  signature_jwks_untrusted: {
    profiles: REQUEST,
    meaning: 'The host that the keys are on cannot be trusted.',
    receiver: 'Never fetch keys from private addresses or over http.',
    sender: 'Serve the JWKS over https on a public host, without a redirect.',
  },
  signature_brand_json_url_missing: bootstrap(
    'The agent does not say where its operator’s brand.json is.',
    'Set identity.brand_json_url in the capabilities, https.',
  ),
  signature_capabilities_unreachable: bootstrap(
    'The capabilities of the agent cannot be read.',
    'Answer the capabilities task at the agent’s URL.',
  ),
  signature_brand_json_unreachable: bootstrap(
    'The operator’s brand.json cannot be fetched.',
    'Serve brand.json over https, without a redirect, within 10 seconds and 256 KiB.',
  ),
  signature_brand_json_malformed: bootstrap(
    'The operator’s brand.json is not valid JSON, or an object of it repeats a name.',
    'Correct brand.json; an object may not repeat a name.',
  ),
  signature_brand_origin_mismatch: bootstrap(
    'The agent and its brand.json belong to different domains.',
    'Serve brand.json on the agent’s domain, or list that domain in authorized_operators.',
  ),
  signature_agent_not_in_brand_json: bootstrap(
    'The brand.json does not list the agent.',
    'List the agent in agents[] with exactly the URL that is called.',
  ),
  signature_brand_json_ambiguous: bootstrap(
    'The brand.json lists the agent more than once.',
    'List every agent URL once.',
  ),
  signature_key_origin_mismatch: bootstrap(
    'The keys are on another host than the agent says.',
    'Make identity.key_origins and jwks_uri name the same host.',
  ),
  signature_key_origin_missing: bootstrap(
    'The agent signs and does not say where its keys are.',
    'Set identity.key_origins for every purpose that is signed for.',
  ),
} as const satisfies Record<string, FailureRow>;

/** Returns the row of a step on the way from an agent's URL to its keys; a webhook has no codes for these. */
function bootstrap(meaning: string, sender: string) {
  return {
    profiles: REQUEST,
    meaning,
    receiver: 'Show it to the operator who onboards the agent; do not fall back to other keys.',
    sender,
  } as const;
}

/** A reason to refuse a signature: the name of a row. */
export type Failure = keyof typeof FAILURES;

/** A code as it is written in `WWW-Authenticate: Signature error="…"`. */
export type SignatureCode = `${Profile}_${Failure}`;

/** Returns the code of a failure under a profile, undefined where the profile has none. */
export function signatureCode(profile: Profile, failure: Failure): SignatureCode | undefined {
  return FAILURES[failure].profiles.includes(profile) ? `${profile}_${failure}` : undefined;
}

/** Every code of both profiles. */
export const SIGNATURE_CODES: readonly SignatureCode[] = (Object.keys(FAILURES) as Failure[]).flatMap((failure) =>
  FAILURES[failure].profiles.map((profile) => `${profile}_${failure}` as const),
);

/** Returns what a code says of a signature, for people. */
export function signatureMeaning(code: SignatureCode): string {
  return FAILURES[code.replace(/^(?:webhook|request)_/, '') as Failure].meaning;
}

/** Returns the challenge that goes with a refusal: the code and nothing else. */
export function signatureChallenge(code: SignatureCode): string {
  return `Signature error="${code}"`;
}
