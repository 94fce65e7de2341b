import { AppError, type ErrorExtras } from '../../../platform/kernel/errors.js';

/** The codes of the registry's errors, with their REST status. */
export const PROBLEMS = {
  invalid_request: { status: 400 },
  invalid_domain: { status: 400 },
  /** A name that reads like another one's. */
  look_alike: { status: 400 },
  verification_failed: { status: 400 },
  authentication_required: { status: 401 },
  invalid_token: { status: 401 },
  forbidden: { status: 403 },
  membership_required: { status: 403 },
  /** The operator keeps it out. */
  blocked: { status: 403 },
  ownership_proof_required: { status: 403 },
  not_found: { status: 404 },
  no_challenge: { status: 404 },
  method_not_allowed: { status: 405 },
  conflict: { status: 409 },
  authoritative: { status: 409 },
  pending_review: { status: 409 },
  /** Its records may not be removed. */
  legal_hold: { status: 409 },
  cursor_expired: { status: 410 },
  nonce_expired: { status: 410 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  rate_limited: { status: 429 },
  internal: { status: 500 },
  bad_gateway: { status: 502 },
  unavailable: { status: 503 },
  no_provider: { status: 503 },
  crawl_queue_unavailable: { status: 503 },
  crawl_queue_at_capacity: { status: 503 },
  publisher_lookup_timeout: { status: 503 },
  timeout: { status: 504 },
} as const satisfies Record<string, { readonly status: number }>;

/** A code of the table. */
export type ProblemCode = keyof typeof PROBLEMS;

/** The members that an error carries beside code and message: `field` is an RFC 6901 pointer into the body, or the name of the parameter. */
type ProblemExtras = ErrorExtras & {
  /** The next step of the caller. */
  readonly suggestion: string;
  /** Whole seconds. */
  readonly retryAfter?: number;
};

/** The one error that the registry throws at a caller. Its text is safe to show. */
export class RegistryProblem extends AppError<ProblemCode, ProblemExtras> {
  override readonly name = 'RegistryProblem';

  constructor(code: ProblemCode, message: string, extras: ProblemExtras) {
    super(code, message, extras);
  }
}
