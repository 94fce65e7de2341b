/** Row webhook_fairness: how soon a principal's webhook is answered, alone and beside others' at the same origin that fail or hang. */
import { median } from '../driver.mjs';
import { rotate } from '../measure.mjs';
import { runInFolder, startScript } from '../scripts.mjs';

/** Beside whom: the path, how many principals, how many events. The last is nobody. */
const NEIGHBORS = [
  ['12 events of one principal that fail', ['fail', 1, 12]],
  ['200 events of one principal that fail', ['fail', 1, 200]],
  ['12 events of one principal that hang', ['hang', 1, 12]],
  ['200 events of one principal that hang', ['hang', 1, 200]],
  ['four events each of 500 principals that fail', ['fail', 500, 2000]],
  ['four events each of 500 principals that hang', ['hang', 500, 2000]],
  ['alone', ['none', 1, 0]],
];

export const fairnessRow = {
  name: 'webhook_fairness',
  async measure(bench) {
    const { webhookRounds, webhookLatencies } = bench.plan;
    const receivers = startScript('receivers.mjs', [1]);
    const cells = new Map(NEIGHBORS.map(([name]) => [name, []]));
    try {
      const { ports } = await receivers.said;
      for (let round = 0; round < webhookRounds; round++) {
        for (const [name, args] of rotate(NEIGHBORS, round)) {
          bench.say(`round ${round + 1} of ${webhookRounds}: ${name}`);
          cells.get(name).push(await runInFolder('neighbors.mjs', [...args, webhookLatencies, ports[0]]));
        }
      }
    } finally {
      receivers.done();
    }
    const alone = cells.get('alone');
    const of = (name, part) => median(cells.get(name).map((cell) => cell[part])).toFixed(1);
    const rows = NEIGHBORS.slice(0, -1).map(([name]) => ({
      what: `webhooks: time to the answer, p99, beside ${name}, same origin / alone`,
      value: median(cells.get(name).map(({ p99 }, round) => p99 / alone[round].p99)),
      unit: 'x',
      aim: { atMost: 1.2 },
      detail: `p99 ${of(name, 'p99')} ms, median ${of(name, 'p50')} ms; alone ${of('alone', 'p99')} ms, ${of('alone', 'p50')} ms`,
    }));
    return [
      ...rows,
      {
        what: 'webhooks: from a change that gathers nothing to the answer of its first delivery, p99',
        value: median(alone.map(({ p99 }) => p99)),
        unit: ' ms',
        aim: { atMost: 1000 },
        detail: `median ${of('alone', 'p50')} ms, longest ${of('alone', 'worst')} ms`,
      },
    ];
  },
};
