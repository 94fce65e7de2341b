import type { Outcome } from './bench.js';

/** What a person's request may cost a model. */
export const MOST = { calls: 6, bytes: 60_000 } as const;

/** Returns the outcomes of a driver as a table for a terminal, with their sum below. */
export function tableOf(driver: string, outcomes: readonly Outcome[]): string {
  const sum = (of: (outcome: Outcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  const done = outcomes.filter(({ problem }) => problem === undefined);
  return [
    `${driver}: ${done.length} of ${outcomes.length} tasks done`,
    line('task', 'done', 'calls', 'wrong', 'bytes read'),
    ...outcomes.map(({ bytes, calls, id, problem, wrongCalls }) =>
      line(id, problem === undefined ? 'yes' : 'NO', calls, wrongCalls, bytes),
    ),
    line(
      'all',
      `${done.length}/${outcomes.length}`,
      sum(({ calls }) => calls),
      sum(({ wrongCalls }) => wrongCalls),
      sum(({ bytes }) => bytes),
    ),
    ...outcomes.flatMap(({ id, problem }) => (problem === undefined ? [] : [`NOT DONE ${id}: ${problem}`])),
  ].join('\n');
}

function line(...[task, ...cells]: readonly (string | number)[]): string {
  return `  ${String(task).padEnd(34)}${cells.map((cell) => String(cell).padStart(11)).join('')}`;
}
