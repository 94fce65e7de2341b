import { amountText, countNoun, type Facts, idText, listOf, objectOf, oneLine } from './words.js';

/** A call that may come next: its task, and what to send with it. */
export type Step = readonly [task: string, how: string];

/**
 * An answer in short: what was found and what it costs, a line each, and the calls that may come next, the best first.
 */
export type Summary = {
  readonly lines: readonly string[];
  readonly steps?: readonly Step[];
  /** What to do where that is no call of another task. */
  readonly advice?: string;
};

/** Returns that a call goes on as a task. */
export function describeSubmitted({ task_id }: Facts): Summary {
  return {
    lines: [`Not done yet: the call goes on as the task ${idText(task_id)}. Do not send it again under another key.`],
    steps: [['get_task_status', `with task_id ${idText(task_id)} and include_result true, every few minutes`]],
  };
}

/** Returns what an answer of any task may say beside its own facts: errors of parts, a remark of the seller, whether it was given before, and whether it is real. */
export function describeEnvelope(answer: Facts): readonly string[] {
  const [error, ...others] = listOf(answer, 'errors');
  const more = others.length === 0 ? '' : ` (and ${countNoun(others.length, 'other')})`;
  return [
    error === undefined ? '' : `Not all of it: ${idText(error.code)}: ${textOf(error.message)}${more}`,
    answer.message === undefined ? '' : `Note: ${textOf(answer.message)}`,
    answer.replayed === true ? 'This is the stored answer to the same idempotency_key: nothing was done again.' : '',
    answer.sandbox === true ? 'This is the sandbox: nothing is charged.' : '',
  ];
}

/** Returns that there is more to read, and how. */
export function describeMore(answer: Facts): string {
  const { has_more, cursor, total_count } = objectOf(answer, 'pagination');
  if (has_more !== true) return '';
  const all = typeof total_count === 'number' ? ` (${total_count} in all)` : '';
  return `There are more${all}: ask again with pagination.cursor ${idText(cursor)}, or for less with filters or fields.`;
}

/** Returns a price of one unit, `4.2 EUR cpm`. */
export function unitPrice(amount: unknown, currency: unknown, model: unknown): string {
  const price = amountText(amount, currency);
  return price === '' ? '' : `${price} ${idText(model)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? oneLine(value, 300) : '';
}
