import type { ForeignIds } from '../../domain/booking/foreign-ids.js';
import { OrderRefusedError, RetryLaterError, UnknownOutcomeError } from '../errors.js';
import { RestRefusedError } from '../rest/errors.js';
import { MappingMissing, MappingRefusal } from './refusal.js';

/** Members of Kevel that only the tenant file fills: what is wrong with them no buyer can mend. */
const OF_THE_OPERATOR =
  /\b(priority|priorityid|siteid|zoneid|adtypeid|advertiserid|ratetype|keywords?|customtargeting)\b/i;

/** Members of Kevel, and what of an order they are made of. */
const FIELDS: readonly (readonly [member: RegExp, field: string])[] = [
  [/\bStartDate(ISO)?\b/i, 'start_time'],
  [/\bEndDate(ISO)?\b/i, 'end_time'],
  [/\b(Impressions|LifetimeCapAmount|GoalType|CapType)\b/i, 'budget'],
  [/\bPrice\b/i, 'pricing_option_id'],
  [/\bRegion\b/i, 'targeting_overlay.geo_regions'],
  [/\b(Country(Code)?|GeoTargeting|LocationId)\b/i, 'targeting_overlay.geo_countries'],
  [/\bFreqCap\w*/i, 'targeting_overlay.frequency_cap'],
  [/\b(WeekDays|StartTime|EndTime|DayPart\w*)\b/i, 'targeting_overlay.daypart_targets'],
  [/\b(Url|ImageLink|ScriptBody|Title|Body|Creative)\b/i, 'creatives'],
];

/** Returns the member of an order that a refusal of Kevel is about: the first that it names; undefined where it names none. */
function fieldOfRefusal(message: string): string | undefined {
  const named = FIELDS.map(([member, field]) => ({ field, index: message.search(member) }));
  return named.filter(({ index }) => index >= 0).toSorted((one, other) => one.index - other.index)[0]?.field;
}

/** Returns an error of a booking as one of the port, with the ids of what is there by now. */
export function portError(error: unknown, foreign: ForeignIds | undefined): unknown {
  if (error instanceof MappingRefusal) {
    const { field, message, suggestion = '' } = error.objection;
    return new OrderRefusedError(`${message} ${suggestion}`.trim() + namingField(field), { foreign });
  }
  if (error instanceof MappingMissing) return new RetryLaterError(error.message, { foreign });
  if (error instanceof RestRefusedError) return refusalOf(error, foreign);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RetryLaterError) {
    return new RetryLaterError(message, { foreign, retryAfterMs: error.retryAfterMs });
  }
  return new UnknownOutcomeError(message, { foreign });
}

function refusalOf({ message, status }: RestRefusedError, foreign: ForeignIds | undefined): Error {
  // What was there a moment ago was taken away meanwhile, or what the tenant file names is not there.
  if (status === 404) return new RetryLaterError(message, { foreign });
  if (OF_THE_OPERATOR.test(message)) {
    const advice = 'Compare the product’s "adapter" object with the network: `check --online` does.';
    return new RetryLaterError(`${message}. ${advice}`, { foreign });
  }
  return new OrderRefusedError(`${message}${namingField(fieldOfRefusal(message))}`, { foreign });
}

function namingField(field: string | undefined): string {
  return field === undefined ? '' : ` (${field})`;
}
