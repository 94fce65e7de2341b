import { SECOND_MS } from '../platform/kernel/clock.js';
import { TaskError } from './errors.js';

/** An answer that stands in for that of a source which did not answer. */
type Staleness = {
  /** The member of the answer that comes of it. */
  readonly field: string;
  /** How old it is, and how old it may be while its source answers; ms. */
  readonly ageMs: number;
  readonly freshnessMs?: number | undefined;
  readonly upstream: { readonly name: string } | { readonly url: string };
};

/**
 * Returns the remark that stands in `errors` beside an answer made of something kept past its time, as its source does not answer: it fails
 * nothing. Its details are error-details/stale-response.json of 3.1.
 */
export function staleResponse({ field, ageMs, freshnessMs, upstream }: Staleness): TaskError {
  const cache_age_seconds = Math.ceil(ageMs / SECOND_MS);
  return new TaskError(
    'STALE_RESPONSE',
    `What this depends on does not answer; it is as it was ${cache_age_seconds} seconds ago.`,
    {
      field,
      suggestion: 'Use the answer as it is, or ask again later for a fresh one.',
      details: {
        served_from_cache: true,
        cache_age_seconds,
        freshness_target_seconds: freshnessMs === undefined ? undefined : Math.floor(freshnessMs / SECOND_MS),
        upstream,
        original_error: { code: 'SERVICE_UNAVAILABLE' },
      },
    },
  );
}
