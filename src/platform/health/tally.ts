/** The most combinations of labels that one count has; what comes after them is counted together. */
const MAX_SERIES = 4000;
/** The label of what is counted together. */
const OTHER = 'other';

/** One sample: its value, and the values of its labels in the order of their names. */
export type Sample = readonly [value: number, ...labels: string[]];

/** The upper bounds of a histogram's buckets, in seconds. */
export const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** A distribution by labels: how many values lie in each bucket (not above it), their number and their sum. */
export type Distribution = {
  readonly labels: readonly string[];
  readonly buckets: readonly number[];
  readonly count: number;
  readonly sum: number;
};

/** Counts what happens by its labels, in memory and for as long as the process lives. The combinations are bounded. */
export class Tally {
  readonly #series = new Map<string, { readonly labels: readonly string[]; value: number }>();

  /** Counts one more. A label holds no line feed. */
  add(...labels: readonly string[]): void {
    const series = this.#series.get(labels.join('\n'));
    if (series === undefined) this.#begin(labels);
    else series.value += 1;
  }

  /** Returns the counts so far. */
  get samples(): readonly Sample[] {
    return [...this.#series.values()].map(({ labels, value }) => [value, ...labels]);
  }

  #begin(labels: readonly string[]): void {
    if (this.#series.size >= MAX_SERIES && labels.some((label) => label !== OTHER))
      this.add(...labels.map(() => OTHER));
    else this.#series.set(labels.join('\n'), { labels, value: 1 });
  }
}

/** Counts how long things take by their labels; see Tally. */
export class LatencyTally {
  readonly #series = new Map<string, { labels: readonly string[]; buckets: number[]; count: number; sum: number }>();

  /** Counts something that took `seconds`. */
  add(seconds: number, ...labels: readonly string[]): void {
    const series = this.#series.get(labels.join('\n')) ?? this.#begin(labels);
    series.count += 1;
    series.sum += seconds;
    const bucket = LATENCY_BUCKETS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
  }

  /** Returns the distributions so far. */
  get distributions(): readonly Distribution[] {
    return [...this.#series.values()];
  }

  #begin(labels: readonly string[]): { buckets: number[]; count: number; sum: number } {
    const named = this.#series.size < MAX_SERIES ? labels : labels.map(() => OTHER);
    const key = named.join('\n');
    const series = this.#series.get(key) ?? { labels: named, buckets: LATENCY_BUCKETS.map(() => 0), count: 0, sum: 0 };
    this.#series.set(key, series);
    return series;
  }
}
