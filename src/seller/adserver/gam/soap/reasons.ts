import { SECOND_MS } from '../../../../platform/kernel/clock.js';
import { OrderRefusedError, RetryLaterError, UnknownOutcomeError } from '../../errors.js';

/** The meaning of a reason of Ad Manager for whoever asked; `help` says what a person does. */
type Meaning = {
  readonly reason: RegExp;
  readonly kind: 'refused' | 'later' | 'unknown';
  readonly retryAfterMs?: number;
  readonly help?: string;
};

/** What a person does when the version of the SOAP API was switched off. */
export const VERSION_HELP =
  'Set ad_server.soap_version to a version that is on: https://developers.google.com/ad-manager/api/deprecation.';

/**
 * Reasons of either API, the first that fits: `OrderActionError.PERMISSION_DENIED` of SOAP, and the same word in the text of a REST error
 * (https://developers.google.com/ad-manager/api/reference/latest/ForecastService.ForecastError.Reason and its like).
 */
const MEANINGS: readonly Meaning[] = [
  { reason: /REPORT_JOB_LIMIT/, kind: 'later', retryAfterMs: 600 * SECOND_MS },
  { reason: /QuotaError|EXCEEDED_QUOTA|RESOURCE_EXHAUSTED/, kind: 'later', retryAfterMs: 5 * SECOND_MS },
  {
    reason: /NO_FORECAST_YET/,
    kind: 'later',
    retryAfterMs: 60 * SECOND_MS,
    help: 'Ad Manager makes its forecast first.',
  },
  { reason: /ForecastError\.SERVER_NOT_AVAILABLE|CONCURRENT_MODIFICATION|ABORTED/, kind: 'later' },
  {
    reason: /CREDIT_STATUS_NOT_ACTIVE/,
    kind: 'later',
    retryAfterMs: 600 * SECOND_MS,
    help: 'Set the credit status of the company to active in Ad Manager.',
  },
  {
    reason: /ApiVersionError/,
    kind: 'later',
    retryAfterMs: 600 * SECOND_MS,
    help: VERSION_HELP,
  },
  {
    reason: /AuthenticationError|PermissionError|PERMISSION_DENIED|UNAUTHENTICATED/,
    kind: 'later',
    retryAfterMs: 600 * SECOND_MS,
    help: 'Give the service account a role in Ad Manager that may do this, and turn the API on there.',
  },
  {
    reason: /NOT_FOUND/,
    kind: 'later',
    help: 'Somebody deleted it there, or an id of ad_server or of a product is wrong: `check --online` says which.',
  },
  { reason: /ServerError|INTERNAL|UNAVAILABLE|DEADLINE_EXCEEDED/, kind: 'unknown' },
];

/** Returns the error of the port that reasons of Ad Manager mean; without a known one the order is refused. */
export function errorFor(reasons: readonly string[], message: string): Error {
  const texts = [...reasons, message].join('; ');
  const meaning = MEANINGS.find(({ reason }) => reason.test(texts));
  const text = `Google Ad Manager: ${[message, ...reasons].filter((one) => one !== '').join('; ')}.`;
  const whole = meaning?.help === undefined ? text : `${text} ${meaning.help}`;
  if (meaning === undefined || meaning.kind === 'refused') return new OrderRefusedError(whole);
  if (meaning.kind === 'unknown') return new UnknownOutcomeError(whole);
  return new RetryLaterError(whole, { retryAfterMs: meaning.retryAfterMs });
}
