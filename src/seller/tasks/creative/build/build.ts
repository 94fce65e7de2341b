import type { z } from 'zod';
import { narrowBrand } from '../../../../creative/build/session.js';
import type { Brand } from '../../../../creative/compose/brand.js';
import { builtInWriter } from '../../../../creative/compose/copy/built-in-writer.js';
import { type CopyWriter, withFallback, writeOnce } from '../../../../creative/compose/copy/copy.js';
import { llmCopyWriter } from '../../../../creative/compose/copy/llm.js';
import type { Format } from '../../../../creative/formats/format.js';
import type { Manifest } from '../../../../creative/formats/manifest.js';
import type { ReportShare } from '../../../../creative/media/encoder.js';
import { openFiles } from '../../../../creative/renderer.js';
import { listOffered } from '../../../../creative/transformers/transformers.js';
import { asTaskError, TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import type { BuildPrice } from '../../../domain/creative/build-price.js';
import type { ServingPrice } from '../../../domain/creative/price.js';
import type { Progress } from '../../../domain/task/task.js';
import { meansOf } from '../../../domain/tenant/seller.js';
import type { Reader } from '../../../store/store.js';
import { findFormat, visitorOf } from '../formats.js';
import { resolveBrand } from './brand-source.js';
import { type Cell, type FanOut, readFanOut } from './fan-out/fan-out.js';
import { limitItems, narrowToItem, readItemOffering } from './fan-out/item-material.js';
import { describeCondition } from './fan-out/signal-condition.js';
import type { buildInput } from './input.js';
import { openEvaluator } from './judge/evaluator.js';
import type { Evaluator } from './judge/input.js';
import { requireLanguage } from './language.js';
import { type BuildRequest, type Built, buildGroup, locateError } from './leaf.js';
import { findSource } from './libraries.js';
import { type BuildPlan, planBuild } from './plan-build.js';
import { previewBuilt } from './preview-built.js';
import {
  type BuildTarget,
  checkMaterial,
  checkTargets,
  inheritBrand,
  inheritFrom,
  type Refinement,
  readAdaptation,
  readRefinement,
} from './refinement.js';
import { checkSpend, type Estimate, estimateBuild } from './spend.js';
import { openTranslator } from './translator.js';
import { openVoice } from './voice.js';

type Input = z.output<typeof buildInput>;

/** The creatives of one format about one thing; or why there are none about it. */
export type Group = {
  readonly cell: Cell;
  readonly built: readonly Built[];
  readonly error?: TaskError;
};

/** Everything that a call builds, before its answer is stored. */
export type BuildResult = {
  readonly plan: BuildPlan;
  readonly fanOut: FanOut;
  readonly refinement: Refinement | undefined;
  /** By what they are about, and for each of that by the formats; those that a ceiling left no room for are not in it. */
  readonly groups: readonly Group[];
  /** How many creatives the call asked for. */
  readonly asked: number;
  readonly isCapped: boolean;
  readonly preview: object | undefined;
  readonly price: BuildPrice | undefined;
  /** The price of serving the library's creative that this was built from. */
  readonly servingPrice: ServingPrice | undefined;
  /** What a buyer should know of how the creatives were judged. */
  readonly advice: readonly TaskError[];
};

type BuildContext = { readonly app: App; readonly call: Call; readonly args: Input; readonly db: Reader };

/** Builds everything that a build_creative call asks for; a dry run builds nothing, and answers an estimate. */
export async function buildAll(
  context: BuildContext,
  report: (progress: Progress) => void,
): Promise<BuildResult | Estimate> {
  const { app, call, db } = context;
  const refined = await readRefinement(context);
  const inherited = inheritFrom(refined?.parent, context.args);
  const language = requireLanguage(inherited.language, 'language');
  const { source: sent = refined?.parent?.source, price: servingPrice } = await findSource(app, call, inherited, db);
  const adapted = refined === undefined ? await readAdaptation(context, sent) : undefined;
  const args = inheritBrand(adapted?.origin, inherited);
  const refinement = refined ?? adapted;
  const usedSource = adapted?.source ?? sent;
  const targets = readTargets(app, call, args);
  const plan = planBuild(args, refinement?.parent, listOffered(meansOf(call.seller)));
  checkTargets(plan, targets, args);
  const evaluator = readEvaluator(context, plan);
  const fanOut = await readFanOut({ app, call, args, db }, usedSource, plan, targets.length);
  const formats = targets.length * fanOut.cells.length;
  const { price, room } = await checkSpend(context, plan, formats);
  if (args.mode === 'estimate') return estimateBuild(plan, { targets: targets.length, fanOut }, price);
  checkMaterial(plan, usedSource, args);
  const source = usedSource && limitItems(usedSource, args.item_limit);
  const material = await gatherMaterial({ app, call, args, source, language, refinement, evaluator });
  const groups = await buildGroups({ material, plan, fanOut, targets, room }, report);
  const built = groups.flatMap((group) => group.built);
  const isPreviewed = args.include_preview === true && !plan.hasVariants && !fanOut.isAsked;
  return {
    plan,
    fanOut,
    refinement,
    groups,
    asked: targets.length * fanOut.asked * plan.asked,
    isCapped: room < formats * plan.wanted,
    preview: isPreviewed ? await previewBuilt({ app, call, args }, built, material.files) : undefined,
    price,
    servingPrice,
    advice: evaluator?.advice() ?? [],
  };
}

/** The material that all creatives of a call are built from. */
type Material = Omit<BuildRequest, 'format' | 'target' | 'skipped' | 'onShare'>;

type GivenMaterial = Pick<Material, 'app' | 'call' | 'args' | 'source' | 'language' | 'refinement' | 'evaluator'>;

/** Adds the brand and the tools of a call to its material. */
async function gatherMaterial(given: GivenMaterial): Promise<Material> {
  const { app, args, call, refinement, source } = given;
  return {
    ...given,
    files: openFiles(app.renderer(), visitorOf(app, call)),
    brand: await resolveBrand(app, call, args, source),
    copyWriter: chooseCopyWriter(app, call),
    translate: openTranslator(app, call),
    speak: openVoice(app, call),
    message: refinement === undefined ? args.message : refinement.message,
  };
}

type Assignment = {
  readonly material: Material;
  readonly plan: BuildPlan;
  readonly fanOut: FanOut;
  readonly targets: readonly BuildTarget[];
  readonly room: number;
};

/** Builds one cell after the other while there is room. An item that cannot be built stands with its error, unless none can. */
async function buildGroups(
  { material, plan, fanOut, targets, room }: Assignment,
  report: (progress: Progress) => void,
): Promise<readonly Group[]> {
  const groups: Group[] = [];
  let left = room;
  for (const [index, cell] of fanOut.cells.entries()) {
    if (left <= 0) break;
    const skipped = fanOut.conditions === undefined ? 0 : (index % fanOut.conditions) * plan.wanted;
    const reportStep = (target: number, share: number): void =>
      report({
        share,
        step_number: index * targets.length + target + 1,
        total_steps: fanOut.cells.length * targets.length,
        current_step: `build ${[targets[target]?.format.format_id.id, cell.item?.item_id].filter(Boolean).join(' for ')}`,
      });
    try {
      const built = await buildCell({ ...narrowMaterial(material, cell), skipped }, plan, {
        targets,
        left,
        reportStep,
      });
      groups.push(...built.map((one) => ({ cell, built: one })));
      left -= built.flat().length;
    } catch (thrown) {
      const error = asTaskError(thrown);
      if (error === undefined || cell.item === undefined) throw thrown;
      groups.push({ cell, built: [], error });
    }
  }
  const [first] = groups;
  if (first?.error !== undefined && groups.every(({ error }) => error !== undefined)) throw first.error;
  return groups;
}

type CellOrder = {
  readonly targets: readonly BuildTarget[];
  readonly left: number;
  readonly reportStep: (target: number, share: number) => void;
};

/** Builds the creatives of one cell, a group for each format; all of them or none. */
async function buildCell(
  material: Omit<BuildRequest, 'format' | 'target' | 'onShare'>,
  plan: BuildPlan,
  { targets, left, reportStep }: CellOrder,
): Promise<readonly (readonly Built[])[]> {
  const groups: (readonly Built[])[] = [];
  let room = left;
  for (const [index, { format, named }] of targets.entries()) {
    if (room <= 0) break;
    reportStep(index, 0);
    const onShare = inSteps((share) => reportStep(index, share));
    const request: BuildRequest = { ...material, format, target: named, onShare };
    const building = buildGroup(request, plan, Math.min(room, plan.wanted));
    const built = await building.catch((error: unknown) => Promise.reject(locateError(error, index, request)));
    groups.push(built);
    room -= built.length;
  }
  return groups;
}

/** How much more of a spot has to be made before that is told: each word is a call to a webhook. */
const SHARE_STEP = 0.1;

/** Returns what passes shares on, those alone that are a step further; a share that comes again says that nothing is lost. */
function inSteps(reportStep: ReportShare): ReportShare {
  let reported = 0;
  return (share) => {
    if (share < reported + SHARE_STEP && share > 0) return;
    reported = Math.floor(share / SHARE_STEP) * SHARE_STEP;
    reportStep(reported);
  };
}

/** Returns what the creatives of a cell are built from. Throws ITEM_VALIDATION_FAILED for an item that says nothing. */
function narrowMaterial(material: Material, { item, condition }: Cell): Material {
  const { message, brand, source } = material;
  const words = [message, condition === undefined ? undefined : `For ${describeCondition(condition)}.`];
  const briefed = { ...material, message: words.filter(Boolean).join(' ') || undefined };
  if (item === undefined) return briefed;
  const offering = readItemOffering(item);
  const narrowed: { brand: Brand; source: Manifest } = {
    brand: narrowBrand(brand, offering),
    source: narrowToItem(source, item, offering),
  };
  return { ...briefed, ...narrowed };
}

/** Returns who judges the creatives of a call; undefined where nobody does. Throws INVALID_REQUEST where there is nothing to choose among, and what `openEvaluator` throws. */
function readEvaluator({ app, call, args }: BuildContext, { hasVariants }: BuildPlan): Evaluator | undefined {
  if (args.evaluator === undefined) return undefined;
  const evaluator = openEvaluator({ app, call }, args.evaluator);
  if (hasVariants || args.max_creatives !== undefined || args.signal_conditions !== undefined) return evaluator;
  throw new TaskError('INVALID_REQUEST', 'An evaluator judges alternatives, and the call asks for none.', {
    field: 'evaluator',
    suggestion: 'Add max_variants, or leave evaluator out; get_creative_features measures a single creative.',
  });
}

/** Returns the formats to build; a list wins over a single one. A generative format is filled with what it puts out, beside its prompt. */
function readTargets(
  app: App,
  call: Call,
  { target_format_id: one, target_format_ids: several }: Input,
): readonly BuildTarget[] {
  if (one === undefined && several === undefined) {
    throw new TaskError('INVALID_REQUEST', 'The format to build is missing.', {
      field: 'target_format_id',
      suggestion: 'Name one format as {"agent_url": …, "id": …} in target_format_id, or several in target_format_ids.',
    });
  }
  const named = several?.map((value, index) => findFormat(app, call, value, `target_format_ids[${index}]`)) ?? [
    findFormat(app, call, one, 'target_format_id'),
  ];
  return named.map((format) => {
    const output = format.output_format_ids?.[0];
    const made = output === undefined ? undefined : app.renderer().catalog.find(output);
    return {
      named: format.format_id,
      format: made === undefined ? format : { ...format, assets: joinSlots(made, format) },
    };
  });
}

function joinSlots(made: Format, { assets }: Format): Format['assets'] {
  const nameOf = (slot: Format['assets'][number]): string =>
    slot.item_type === 'individual' ? slot.asset_id : slot.asset_group_id;
  const names = new Set(made.assets.map(nameOf));
  return [...made.assets, ...assets.filter((slot) => !names.has(nameOf(slot)))];
}

/** Returns the writer of the copy: the tenant's text endpoint where it has one, and whenever that fails the built-in writer. */
function chooseCopyWriter(app: App, { seller: { tenant } }: Call): CopyWriter {
  const { llm, path } = tenant;
  if (llm === undefined) return builtInWriter;
  const asked = llmCopyWriter({ ...llm, ask: app.renderer().outbound.fetch });
  const logFailure = (cause: unknown): void => {
    // Its message alone: the request holds the key, the answer is a stranger's.
    const reason = cause instanceof Error ? cause.message : 'unknown';
    app.log.warn({ tenant: path, reason }, 'the text endpoint failed; the built-in writer wrote the copy');
  };
  return writeOnce(withFallback(asked, builtInWriter, logFailure));
}
