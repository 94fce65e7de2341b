import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Driver } from '../bench.js';
import type { Step } from '../desk.js';
import type { EvalTask, Facts } from '../task.js';
import { TASKS } from '../tasks/index.js';

const FOLDER = fileURLToPath(new URL('../sessions', import.meta.url));

/** A call of a session. A text of its arguments that begins with `$` names a value: `$given.media_buy_id`, `$0.products.1.product_id` of the first answer. */
type RecordedCall = { readonly name: string; readonly args: Facts };

/** The tasks of which a session is there. */
export const RECORDED: readonly EvalTask[] = TASKS.filter(({ id }) =>
  readdirSync(FOLDER).includes(path.basename(fileOf(id))),
);

/** Makes the calls of a session again, with the ids that this seller gives. */
export const replay: Driver = async ({ desk, given, task }) => {
  const calls = JSON.parse(readFileSync(fileOf(task.id), 'utf8')) as readonly RecordedCall[];
  await desk.list();
  for (const { args, name } of calls) {
    const answers = desk.steps.map(({ reply }) => answerOf(reply.text));
    await desk.call(name, resolve(args, { ...answers, given }) as object);
  }
};

/** Returns the session of calls that were made: every id that an answer or the request told before stands in it by its name. */
export function sessionOf(given: Facts, steps: readonly Step[]): string {
  const calls = steps.map(({ args, name }, index) => {
    const names = new Map<unknown, string>();
    for (const [from, value] of [
      ...steps
        .slice(0, index)
        .map(({ reply }) => answerOf(reply.text))
        .entries(),
    ])
      nameValues(value, `$${from}`, names);
    nameValues(given, '$given', names);
    return { name, args: refer(args, names) };
  });
  return `${JSON.stringify(calls, null, 2)}\n`;
}

/** Returns the file of a task's session. */
export function fileOf(id: string): string {
  return path.join(FOLDER, `${id}.json`);
}

/** The JSON of an answer: its first text, on one line. */
function answerOf(text: string): unknown {
  return JSON.parse(text.split('\n')[0] ?? 'null');
}

function resolve(value: unknown, known: Facts): unknown {
  if (typeof value === 'string' && value.startsWith('$'))
    return value
      .slice(1)
      .split('.')
      .reduce<unknown>((at, step) => (at as Facts | undefined)?.[step], known);
  return mapParts(value, (part) => resolve(part, known));
}

function refer(value: unknown, names: ReadonlyMap<unknown, string>): unknown {
  return typeof value === 'string' ? (names.get(value) ?? value) : mapParts(value, (part) => refer(part, names));
}

/** Names ids alone: any other text may be there by chance. */
function nameValues(value: unknown, name: string, names: Map<unknown, string>): void {
  if (typeof value === 'string' && /_id$|agent_url$/.test(name) && !names.has(value)) names.set(value, name);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) nameValues(part, `${name}.${key}`, names);
}

function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, map(part)]));
}
