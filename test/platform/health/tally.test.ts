import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/platform/health/metrics.js';
import { LatencyTally, Tally } from '../../../src/platform/health/tally.js';
import { createLog } from '../../../src/platform/kernel/log.js';

describe('a count by labels', () => {
  it('has no more than 4000 combinations; what comes after them is counted together', () => {
    const tally = new Tally();
    for (let index = 0; index < 5000; index += 1) tally.add('sales', `task-${index}`);
    expect(tally.samples).toHaveLength(4001);
    expect(tally.samples.at(-1)).toEqual([1000, 'other', 'other']);
  });

  it('is written as a counter and a histogram of Prometheus', async () => {
    const tally = new Tally();
    tally.add('sales', 'ok');
    tally.add('sales', 'ok');
    const latency = new LatencyTally();
    for (const seconds of [0.0005, 0.02, 60]) latency.add(seconds, 'sales');
    const read = createMetrics(
      [
        { name: 'x_total', help: 'x', type: 'counter', labels: ['tenant', 'code'], read: async () => tally.samples },
        {
          name: 'x_seconds',
          help: 'x',
          type: 'histogram',
          labels: ['tenant'],
          read: async () => latency.distributions,
        },
      ],
      createLog('silent'),
    );
    const { text } = await read();
    for (const line of [
      '# TYPE x_total counter',
      'x_total{tenant="sales",code="ok"} 2',
      '# TYPE x_seconds histogram',
      'x_seconds_bucket{tenant="sales",le="0.001"} 1',
      'x_seconds_bucket{tenant="sales",le="0.025"} 2',
      'x_seconds_bucket{tenant="sales",le="10"} 2',
      'x_seconds_bucket{tenant="sales",le="+Inf"} 3',
      'x_seconds_sum{tenant="sales"} 60.0205',
      'x_seconds_count{tenant="sales"} 3',
    ])
      expect(text.split('\n')).toContain(line);
    // What was read once is not counted again.
    expect((await read()).text).toContain('x_total{tenant="sales",code="ok"} 2\n');
  });
});
