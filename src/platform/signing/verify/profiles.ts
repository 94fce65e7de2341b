import type { Failure, Profile } from './codes.js';

/** The protocol's names that a verifier reads: tags of both profiles, and members of a JWK that say what the key is for. */
export type VerifierNames = {
  readonly acceptedWebhookTags: readonly string[];
  readonly acceptedRequestTags: readonly string[];
  readonly keyUses: readonly string[];
};

/** Whether a signature has to cover Content-Digest, must not, or may. */
export type DigestPolicy = 'required' | 'forbidden' | 'either';

type ProfileRow = {
  readonly tags: (names: VerifierNames) => readonly string[];
  /** Purposes that a key may have unless the verifier is told others. */
  readonly purposes: readonly string[];
  /** The refusal of a message that carries neither signature header. */
  readonly unsigned: Failure;
  /** Whether Content-Type is covered also where there is no body. */
  readonly needsContentType: boolean;
  /** The digest policy that no option changes. */
  readonly contentDigest: DigestPolicy | undefined;
};

/** The two profiles of signatures: of webhooks that are posted to a buyer, and of requests that a buyer's agent makes. */
export const PROFILE_RULES = {
  webhook: {
    tags: (names) => names.acceptedWebhookTags,
    purposes: ['request-signing', 'webhook-signing'],
    unsigned: 'signature_header_malformed',
    needsContentType: true,
    contentDigest: 'required',
  },
  request: {
    tags: (names) => names.acceptedRequestTags,
    purposes: ['request-signing'],
    unsigned: 'signature_required',
    needsContentType: false,
    contentDigest: undefined,
  },
} as const satisfies Record<Profile, ProfileRow>;
