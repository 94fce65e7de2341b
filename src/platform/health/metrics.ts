import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { DatabaseUnavailable } from '../database/unavailable.js';

/** The metrics of a process as a scraper reads them. */
export type Metrics = () => Promise<{ readonly contentType: string; readonly text: string }>;

/** The values of a gauge, each with its label where the gauge has one. */
type MetricValues = readonly (readonly [value: number, label?: string])[];

/** One gauge: read when it is asked for, with the few labels that it ever has. */
export type MetricRow = {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  readonly read: () => Promise<MetricValues>;
};

/** Returns the value of a gauge that may have none. */
export function valueOrNone(value: number | null | undefined): MetricValues {
  return value == null ? [] : [[value]];
}

/** What cannot be read while the database is away is absent; the rest is told. */
async function readOrNone(read: MetricRow['read']): Promise<MetricValues> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return [];
    throw error;
  }
}

/** Returns the metrics of the rows beside those of the process, in the text format of Prometheus. */
export function createMetrics(rows: readonly MetricRow[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { help, label, name, read } of rows) {
    new Gauge({
      name,
      help,
      registers: [registry],
      labelNames: label === undefined ? [] : [label],
      async collect() {
        const values = await readOrNone(read);
        this.reset();
        // A gauge without labels shows 0 after a reset.
        if (label === undefined) this.remove();
        for (const [value, named] of values) {
          if (label === undefined || named === undefined) this.set(value);
          else this.set({ [label]: named }, value);
        }
      },
    });
  }
  return async () => ({ contentType: registry.contentType, text: await registry.metrics() });
}
