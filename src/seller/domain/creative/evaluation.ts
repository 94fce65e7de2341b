/** A measured feature of a creative, under its wire names. */
export type MeasuredFeature = {
  readonly feature_id: string;
  readonly value: boolean | number | string;
  readonly unit?: string | undefined;
  readonly confidence?: number | undefined;
  readonly measured_at?: string | undefined;
  readonly methodology_version?: string | undefined;
};

/** The measurements of a creative among others, and its rank; 1 is the best. */
export type Evaluation = {
  readonly features: readonly MeasuredFeature[];
  /** What measuring it took, where another agent did. */
  readonly calls_used?: number | undefined;
  readonly seconds_used?: number | undefined;
  readonly rank?: number;
  /** How many were measured with it, those that were dropped with them. */
  readonly ranked_against?: number;
};

/** A predicate over a feature, under its wire names. */
type FeatureRequirement = {
  readonly feature_id: string;
  readonly min_value?: number | undefined;
  readonly max_value?: number | undefined;
  readonly allowed_values?: readonly unknown[] | undefined;
  /** What becomes of a creative that has no value of it. */
  readonly if_not_covered?: 'exclude' | 'include' | undefined;
};

/** A feature to order by. */
type RankKey = { readonly feature_id: string; readonly direction?: 'maximize' | 'minimize' | undefined };

/** Whether the features of a creative meet every requirement. */
export function meetsRequirements(
  { features }: Evaluation,
  requirements: readonly FeatureRequirement[] | undefined,
): boolean {
  return (requirements ?? []).every(({ feature_id, min_value, max_value, allowed_values, if_not_covered }) => {
    const value = features.find((one) => one.feature_id === feature_id)?.value;
    if (value === undefined) return if_not_covered === 'include';
    if (allowed_values?.includes(value) === false) return false;
    if (min_value === undefined && max_value === undefined) return true;
    const isNumber = typeof value === 'number';
    return isNumber && value >= (min_value ?? value) && value <= (max_value ?? value);
  });
}

/** Returns creatives with their ranks, the best first: by the first key in which two differ. One without a value comes after those that have one. */
export function rankByFeatures<One extends { readonly evaluation?: Evaluation | undefined }>(
  creatives: readonly One[],
  keys: readonly RankKey[] | undefined,
  rankedAgainst: number,
): readonly One[] {
  const ordered = [...creatives].sort((one, other) => {
    for (const { feature_id, direction } of keys ?? []) {
      const [own, its] = [scoreOf(one, feature_id), scoreOf(other, feature_id)];
      if (own === its) continue;
      if (own === undefined) return 1;
      if (its === undefined) return -1;
      return direction === 'minimize' ? own - its : its - own;
    }
    return 0;
  });
  return ordered.map((one, index) =>
    one.evaluation === undefined
      ? one
      : { ...one, evaluation: { ...one.evaluation, rank: index + 1, ranked_against: rankedAgainst } },
  );
}

/** Returns the value of a feature as a score; undefined for words, which have no order. */
function scoreOf({ evaluation }: { readonly evaluation?: Evaluation | undefined }, id: string): number | undefined {
  const value = evaluation?.features.find(({ feature_id }) => feature_id === id)?.value;
  return value === undefined || typeof value === 'string' ? undefined : Number(value);
}
