import type { z } from 'zod';
import { buildCreative as build } from '../../../../creative/build/build.js';
import type { Direction } from '../../../../creative/build/direction.js';
import type { ChangeReport } from '../../../../creative/build/types.js';
import { type Finding, throwOnErrors } from '../../../../creative/check/finding.js';
import type { Brand } from '../../../../creative/compose/brand.js';
import type { Copy, CopyWriter } from '../../../../creative/compose/copy/copy.js';
import type { CopyLanguage } from '../../../../creative/compose/copy/language/table.js';
import { readLanguageTag } from '../../../../creative/compose/copy/language/table.js';
import { collectTexts } from '../../../../creative/compose/copy/translate.js';
import type { Format, FormatId } from '../../../../creative/formats/format.js';
import type { Manifest } from '../../../../creative/formats/manifest.js';
import type { ReportShare } from '../../../../creative/media/encoder.js';
import type { Speak } from '../../../../creative/media/speech.js';
import type { AssetFiles } from '../../../../creative/probe/asset-files.js';
import { checkManifestFiles, publishPicture } from '../../../../creative/renderer.js';
import { explainBrief } from '../../../../creative/transformers/instruction/explain.js';
import {
  directBuild,
  type Transformer,
  type TransformerConfig,
} from '../../../../creative/transformers/transformers.js';
import { asTaskError, TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import type { Evaluation } from '../../../domain/creative/evaluation.js';
import { visitorOf } from '../formats.js';
import type { buildInput } from './input.js';
import type { Evaluator } from './judge/input.js';
import type { BuildPlan } from './plan-build.js';
import { prepareTexts, type Refinement } from './refinement.js';
import type { Translator } from './translator.js';

/** One finished creative. */
export type Built = {
  readonly manifest: Manifest;
  readonly format: Format;
  readonly notes: readonly string[];
  /** What became of each command of the message. */
  readonly reports: readonly ChangeReport[];
  readonly copy: Copy;
  /** Findings that are no errors. */
  readonly findings: readonly Finding[];
  /** Of several alternatives, the value that it was built for. */
  readonly value: unknown;
  readonly config: TransformerConfig;
  /** The format that was asked for. */
  readonly target: FormatId;
  /** What it was built from and about. */
  readonly source: Manifest | undefined;
  readonly message: string | undefined;
  /** How it was judged; undefined where nobody asked, or where nobody could. */
  readonly evaluation?: Evaluation | undefined;
};

/** One of the creatives that a call asks for. */
export type BuildRequest = {
  readonly app: App;
  readonly call: Call;
  readonly args: z.output<typeof buildInput>;
  readonly format: Format;
  readonly target: FormatId;
  readonly brand: Brand;
  readonly source: Manifest | undefined;
  readonly files: AssetFiles;
  readonly copyWriter: CopyWriter;
  readonly translate: Translator;
  readonly speak: Speak | undefined;
  readonly message: string | undefined;
  /** The language that the call asks for. */
  readonly language: CopyLanguage | undefined;
  readonly refinement: Refinement | undefined;
  readonly evaluator: Evaluator | undefined;
  /** Is told how much of a spot is made, 0 to 1. */
  readonly onShare: ReportShare;
  /** How many themes are left to the groups before. */
  readonly skipped: number;
};

/**
 * Builds the alternatives of one format, at most `most`, the best first where they are judged. Where nobody chose their values none is like
 * another. Throws VALIDATION_ERROR for a refinement that changes nothing, and where none meets what the buyer requires.
 */
export async function buildGroup(request: BuildRequest, plan: BuildPlan, most: number): Promise<readonly Built[]> {
  const { refinement, evaluator, skipped } = request;
  const before = refinement?.parent === undefined ? [] : [JSON.stringify(refinement.parent.manifest.assets)];
  const seen = new Set<string>(before);
  const built: Built[] = [];
  let dropped = 0;
  let reports: readonly ChangeReport[] = [];
  const { alternatives } = plan;
  const first = plan.isFixed ? 0 : skipped % alternatives.length;
  for (const { value, config } of [...alternatives.slice(first), ...alternatives.slice(0, first)]) {
    if (built.length >= most) break;
    const one = await buildOne(request, plan, config, value);
    const assets = JSON.stringify(one.manifest.assets);
    reports = one.reports;
    if (isVain(request, one)) throw refuseUnchanged('message', reports);
    if (!plan.isFixed && seen.has(assets)) continue;
    seen.add(assets);
    const evaluation = await evaluator?.evaluate(one.manifest);
    if (evaluation !== undefined && evaluator?.accepts(evaluation) === false) dropped += 1;
    else built.push({ ...one, evaluation });
  }
  if (built.length > 0) return evaluator === undefined ? built : evaluator.rank(built, built.length + dropped);
  if (dropped > 0) throw refuseUnmet(dropped);
  const { message } = request.args;
  const isBriefAlone = refinement !== undefined && reports.length === 0 && message !== undefined;
  const brief: readonly ChangeReport[] = isBriefAlone ? [{ text: explainBrief(message), isDone: false }] : reports;
  throw refuseUnchanged(refinement === undefined ? 'max_variants' : 'message', brief);
}

function refuseUnmet(dropped: number): TaskError {
  return new TaskError('VALIDATION_ERROR', `None of ${dropped} creatives that were built meets the requirement.`, {
    field: 'evaluator.feature_requirement',
    suggestion:
      'Require less, set if_not_covered to "include", or leave feature_requirement out: rank_by drops nothing.',
  });
}

/** Whether a creative of one size was to be changed, and nothing of it could be. */
function isVain({ source, format, refinement, args }: BuildRequest, { reports }: Built): boolean {
  if (refinement === undefined || reports.length === 0 || reports.some(({ isDone }) => isDone)) return false;
  const isSame = refinement.parent !== undefined || source?.format_id?.id === format.format_id.id;
  return isSame && args.max_variants === undefined && args.variant_axis === undefined && args.config === undefined;
}

function refuseUnchanged(field: 'message' | 'max_variants', reports: readonly ChangeReport[]): TaskError {
  const reasons = reports.filter(({ isDone }) => !isDone).map(({ text }) => text);
  return new TaskError('VALIDATION_ERROR', ['Nothing of the creative would change.', ...reasons].join(' '), {
    field,
    details: reasons.length === 0 ? undefined : { not_done: reasons },
    suggestion:
      'Say what to change, such as: change the headline to "Run further", use a dark blue background, make the button yellow, remove the description, invert the colors, another motif, a shorter headline; or send a config.',
  });
}

/** Returns an error that says which of several formats it is about, unless it is about an asset that the caller sent for all of them. */
export function locateError(thrown: unknown, index: number, { args, format, source }: BuildRequest): unknown {
  const error = asTaskError(thrown);
  if (error === undefined) return thrown;
  const { field, issues: _issues, details, ...extras } = error.extras;
  if (args.target_format_ids === undefined)
    return new TaskError(error.code, error.message, { field: 'target_format_id', ...error.extras });
  const asset = /^creative_manifest\.assets\.([^.[]+)/.exec(field ?? '')?.[1];
  if (asset !== undefined && Object.hasOwn(source?.assets ?? {}, asset)) return error;
  return new TaskError(error.code, error.message, {
    ...extras,
    field: `target_format_ids[${index}]`,
    details: { ...details, format_id: format.format_id },
  });
}

/** Builds a creative and holds it against its format: what goes out fits, and carries nothing on that a preview would refuse. */
async function buildOne(
  request: BuildRequest,
  { transformer }: BuildPlan,
  config: TransformerConfig,
  value: unknown,
): Promise<Built> {
  const { app, call, args, format, target, brand, source, files, message, refinement } = request;
  const { copyWriter, speak, onShare } = request;
  const renderer = app.renderer();
  const direction = { ...directBuild(config), ...refinement?.direction };
  const prepared = source && prepareTexts(source, transformer, direction);
  const sourceManifest = prepared && (await translateSource(prepared, request, { transformer, config, direction }));
  const template = renderer.catalog.template(format.format_id.id);
  const { manifest, notes, copy, reports } = await build({
    brand,
    format,
    template,
    message,
    sourceManifest,
    direction,
    changes: refinement?.changes,
    copy: refinement?.copy,
    language: readLanguageTag(config.language) ?? request.language,
    macros: args.macro_values,
    assetBytes: files.readWhole,
    images: renderer.images,
    media: { encoder: renderer.encoder, speak, onShare },
    publish: (file) => publishPicture(renderer, file, visitorOf(app, call)),
    copyWriter,
  });
  const findings = await checkManifestFiles(renderer, { format, manifest }, visitorOf(app, call), files);
  throwOnErrors(findings);
  return { manifest, format, notes, reports, copy, findings, value, config, target, source, message };
}

/** How one creative is built. */
type Manner = {
  readonly transformer: Transformer;
  readonly config: TransformerConfig;
  readonly direction: Direction;
};

/** Returns the texts of a source in the language that a transformer or a command asks for, where something translates here. */
async function translateSource(
  source: Manifest,
  { call, translate }: BuildRequest,
  { transformer, config, direction }: Manner,
): Promise<Manifest> {
  const asked = transformer.transformer_id === 'translate' ? config.language : direction.language;
  const hasTexts = collectTexts(source.assets).length > 0;
  const isPossible = transformer.transformer_id === 'translate' || (call.seller.tenant.llm !== undefined && hasTexts);
  return typeof asked === 'string' && isPossible ? translate(source, asked) : source;
}
