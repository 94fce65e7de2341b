import { isObject, readJson } from '../../../../platform/kernel/json/json.js';
import { describeBuild, describeFormats, describeLibrary, describePreviews, describeSync } from './creatives.js';
import { describeBuys, describeChange, describeDelivery, describePurchase } from './media-buys.js';
import { describeEnvelope, describeMore, describeSubmitted, type Summary } from './outcomes.js';
import { describeActivation, describeCapabilities, describeProducts, describeSignals } from './products.js';
import { type Facts, oneLine } from './words.js';

/** The name of the capabilities in `SUMMARIES`: that of their task follows from the protocol's. */
export const CAPABILITIES = 'capabilities';

/** What the answers of tasks come to; of other tasks the seller's own remark is all that is said. */
export const SUMMARIES: Readonly<Record<string, (answer: Facts) => Summary>> = {
  [CAPABILITIES]: describeCapabilities,
  get_products: describeProducts,
  create_media_buy: describePurchase,
  update_media_buy: describeChange,
  get_media_buys: describeBuys,
  get_media_buy_delivery: describeDelivery,
  list_creative_formats: describeFormats,
  list_creatives: describeLibrary,
  sync_creatives: describeSync,
  build_creative: describeBuild,
  preview_creative: describePreviews,
  get_signals: describeSignals,
  activate_signal: describeActivation,
};

/** Most lines, the next step among them. */
const MAX_LINES = 10;
/** Longest answer that is read again to be described, in characters. */
const MAX_READ_CHARACTERS = 512 * 1024;

/**
 * Returns the answer of a task, as its JSON, in at most ten lines of plain words; undefined where there is nothing to say, and for a failure,
 * which is in plain words already.
 * `isOffered` tells which tasks the caller finds at the tenant, for the next step.
 */
export function summarize(
  task: string | undefined,
  json: string,
  isOffered: (task: string) => boolean,
): string | undefined {
  if (json.length > MAX_READ_CHARACTERS) return TOO_LONG;
  const answer = readJson(json);
  if (!isObject(answer) || answer.status === 'failed') return undefined;
  const { lines, steps = [], advice = '' } = describeAnswer(task, answer);
  const step = steps.find(([name]) => isOffered(name));
  const next = [advice, step === undefined ? '' : `${step[0]} ${step[1]}.`].filter((part) => part !== '').join(' ');
  const shown = [...lines, ...describeEnvelope(answer)].filter((line) => line !== '').slice(0, MAX_LINES - 1);
  const all = next === '' ? shown : [...shown, `Next: ${next}`];
  return all.length === 0 ? undefined : all.map((line) => oneLine(line)).join('\n');
}

const TOO_LONG = 'The answer is long. Next: ask for less, with filters, fields or a smaller pagination.max_results.';

function describeAnswer(task: string | undefined, answer: Facts): Summary {
  if (answer.status === 'submitted' || answer.status === 'working') return describeSubmitted(answer);
  const own = task !== undefined && Object.hasOwn(SUMMARIES, task) ? SUMMARIES[task] : undefined;
  return own?.(answer) ?? { lines: [describeMore(answer)] };
}
