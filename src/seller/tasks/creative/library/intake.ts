import type { SubmissionResult } from '../../../../creative/check/submission.js';
import type { Format } from '../../../../creative/formats/format.js';

import { TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import type { Scope } from '../../../domain/account/scope.js';
import type { Reader } from '../../../store/store.js';
import { findFormat, visitorOf } from '../formats.js';
import type { CreativeAsset } from '../shapes.js';
import { readCanonicalCreative } from './canonical-creative.js';

/** A creative in the arguments of a call, and its path there, such as `creatives[3]`. */
export type LocatedCreative = { readonly asset: CreativeAsset; readonly field: string };

/** The results of the checks of a call's creatives; those of formats that this agent does not have are not in it. */
export type Judged = ReadonlyMap<CreativeAsset, SubmissionResult>;

/** The results of a call that brought no creatives. */
export const NOTHING_JUDGED: Judged = new Map();

/** Returns the creatives of a list in the arguments, with their paths. */
export function placedCreatives(list: readonly CreativeAsset[] | undefined, field: string): readonly LocatedCreative[] {
  return (list ?? []).map((asset, index) => ({ asset, field: `${field}[${index}]` }));
}

/** The context in which creatives are judged; `scope` is where a creative without assets has its earlier ones. */
type IntakeContext = {
  readonly app: App;
  readonly call: Call;
  readonly db: Reader;
  readonly scope: Scope;
};

/** Holds creatives against their formats and looks at their files, before the transaction that brings them into the library. */
export async function judgeCreatives(
  { app, call, db, scope }: IntakeContext,
  placed: readonly LocatedCreative[],
): Promise<Judged> {
  if (placed.length === 0) return NOTHING_JUDGED;
  const judgeable: (LocatedCreative & { readonly format: Format; readonly assets: unknown })[] = [];
  for (const { asset, field } of placed) {
    // Without assets a creative keeps those it had.
    const before = asset.assets === undefined ? await db.creatives.findAnywhere(scope, asset.creative_id) : undefined;
    const own = orNone(() => readCanonicalCreative(asset, { seller: call.seller, before, field }));
    const format = own && orNone(() => findFormat(app, call, own.format_id, 'format_id'));
    if (format === undefined) continue;
    const assets = own?.assets ?? before?.assets;
    judgeable.push({ asset, field, format, assets: assets ?? {} });
  }
  const { checkSubmissions: judgeIntake } = await import('../../../../creative/check/submission.js');
  const verdicts = await judgeIntake(app.renderer(), judgeable, visitorOf(app, call));
  return new Map(judgeable.map(({ asset }, index) => [asset, verdicts[index] ?? { warnings: [] }]));
}

/** Returns what is read of a creative; undefined for what is refused where it is stored. */
function orNone<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TaskError) return undefined;
    throw error;
  }
}
