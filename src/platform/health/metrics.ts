import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { DatabaseUnavailable } from '../database/unavailable.js';
import { LOST_LINES, type Log } from '../kernel/log.js';
import { type Distribution, LATENCY_BUCKETS, type Sample } from './tally.js';

/** The metrics of a process as a scraper reads them. */
export type Metrics = () => Promise<{ readonly contentType: string; readonly text: string }>;

/** One gauge, or one counter: read when it is asked for, with the few labels that it ever has. */
type ValueRow = {
  readonly name: string;
  readonly help: string;
  /** A gauge unless given. */
  readonly type?: 'counter' | 'gauge';
  /** The names of the labels, for one and for several. */
  readonly label?: string;
  readonly labels?: readonly string[];
  readonly read: () => Promise<readonly Sample[]>;
};

/** A histogram in the buckets of LATENCY_BUCKETS. */
type LatencyRow = {
  readonly name: string;
  readonly help: string;
  readonly type: 'histogram';
  readonly labels: readonly string[];
  readonly read: () => Promise<readonly Distribution[]>;
};

/** The measurement under one name of `/metrics`. */
export type MetricRow = ValueRow | LatencyRow;

/** Returns the value of a gauge that may have none. */
export function valueOrNone(value: number | null | undefined): readonly Sample[] {
  return value == null ? [] : [[value]];
}

/** Returns samples; none where they cannot be read while the database is away. */
async function readOrNone<Value>(read: () => Promise<readonly Value[]>): Promise<readonly Value[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return [];
    throw error;
  }
}

/** Returns the metrics of the rows beside those of the process and its log, in the text format of Prometheus. */
export function createMetrics(rows: readonly MetricRow[], log: Log): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const lines: MetricRow = {
    name: 'seller_agent_log_lines_lost_total',
    help: 'Lines of the log since the start that could not be written: its disk is full, or nobody reads it.',
    type: 'counter',
    read: async () => valueOrNone(log[LOST_LINES]?.()),
  };
  for (const row of [...rows, lines]) {
    if (row.type === 'histogram') registry.registerMetric(new ReadHistogram(row));
    else registerValues(registry, row);
  }
  return async () => ({ contentType: registry.contentType, text: await registry.metrics() });
}

function registerValues(registry: Registry, row: ValueRow): void {
  const { help, label, labels = label === undefined ? [] : [label], name, read, type } = row;
  async function collect(this: Counter | Gauge): Promise<void> {
    const samples = await readOrNone(read);
    this.reset();
    // One without labels shows 0 after a reset.
    if (labels.length === 0) this.remove();
    for (const [value, ...values] of samples) this.inc(nameLabels(labels, values), value);
  }
  const options = { name, help, registers: [registry], labelNames: labels, collect };
  if (type === 'counter') new Counter(options);
  else new Gauge(options);
}

function nameLabels(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

/** A line of a histogram, as the library writes it. */
type HistogramSample = { readonly metricName: string; readonly value: number; readonly labels: object };

/** A histogram whose values are read, where the library's own are observed one by one. */
class ReadHistogram extends Histogram {
  readonly #row: LatencyRow;

  constructor(row: LatencyRow) {
    super({ name: row.name, help: row.help, labelNames: row.labels, registers: [] });
    this.#row = row;
  }

  /** Returns what the library's registry writes of a histogram. */
  async getForPromString(): Promise<object> {
    const { help, labels: names, name, read } = this.#row;
    const values = (await readOrNone(read)).flatMap((one) =>
      histogramSamples(name, nameLabels(names, one.labels), one),
    );
    return { name, help, type: 'histogram', values };
  }
}

function histogramSamples(
  name: string,
  labels: Readonly<Record<string, string>>,
  { buckets, count, sum }: Distribution,
): readonly HistogramSample[] {
  let below = 0;
  const lines = LATENCY_BUCKETS.map((le, index) => {
    below += buckets[index] ?? 0;
    return { metricName: `${name}_bucket`, value: below, labels: { ...labels, le } };
  });
  return [
    ...lines,
    { metricName: `${name}_bucket`, value: count, labels: { ...labels, le: '+Inf' } },
    { metricName: `${name}_sum`, value: sum, labels },
    { metricName: `${name}_count`, value: count, labels },
  ];
}
