import type { z } from 'zod';
import type { Direction } from '../../../../creative/build/direction.js';
import { changeTexts, isAction, isHeadline } from '../../../../creative/build/texts.js';
import { shortenText } from '../../../../creative/compose/copy/fitting.js';
import type { Format, FormatId } from '../../../../creative/formats/format.js';
import type { Manifest } from '../../../../creative/formats/manifest.js';
import { readInstruction } from '../../../../creative/transformers/instruction.js';
import { directBuild, type Transformer } from '../../../../creative/transformers/transformers.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import type { BuildVariant } from '../../../domain/creative/build-variant.js';
import type { Reader } from '../../../store/store.js';
import { findFormat } from '../formats.js';
import type { buildInput } from './input.js';
import type { BuildPlan } from './plan-build.js';

type Input = z.output<typeof buildInput>;

/** A format to build: as it was named, and as what it is built. */
export type BuildTarget = { readonly named: FormatId; readonly format: Format };

/** The creative that a call refines, and what is asked of the new one. */
export type Refinement = {
  readonly parent: BuildVariant;
  /** What all refinements so far asked for. */
  readonly direction: Direction;
  readonly message: string | undefined;
};

/** Who asks, and for what. */
type RefinementContext = { readonly app: App; readonly call: Call; readonly args: Input; readonly db: Reader };

/** Returns what a call refines. Throws REFERENCE_NOT_FOUND for what is not there any more, INVALID_REQUEST for a refinement of something else at once. */
export async function readRefinement({ app, call, args, db }: RefinementContext): Promise<Refinement | undefined> {
  const { refine_from_build_variant_id: id, message, config } = args;
  if (id === undefined) return undefined;
  const parent = await db.buildVariants.find(call.owner, id, call.now.ms);
  if (parent === undefined) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such build to refine.', {
      field: 'refine_from_build_variant_id',
      suggestion:
        'Send a build_variant_id of the last 7 days, or the manifest itself as creative_manifest with a message.',
    });
  }
  checkInherited({ app, call, args }, parent);
  if (
    message === undefined &&
    config === undefined &&
    args.variant_axis === undefined &&
    args.max_variants === undefined
  ) {
    throw new TaskError('INVALID_REQUEST', 'A refinement says what to change.', {
      field: 'message',
      suggestion: 'Say it in message, or send a config with other values.',
    });
  }
  const set = Object.entries(directBuild(config ?? {})).filter(([, value]) => value !== undefined);
  const earlier = Object.entries(parent.direction).filter(([name]) => !set.some(([own]) => own === name));
  const before: Direction = Object.fromEntries(earlier);
  if (message === undefined) return { parent, direction: before, message: parent.message };
  const { direction, isBrief } = readInstruction(message, { ...directBuild(parent.config), ...before });
  return {
    parent,
    direction: { ...before, ...direction },
    message: isBrief ? joinBriefs(parent, message) : parent.message,
  };
}

/** A headline is written anew of what is said now; of an ad more is said than before. */
function joinBriefs({ transformer_id, message }: BuildVariant, more: string): string {
  return message === undefined || transformer_id === 'rewrite_headline' ? more : `${message}\n${more}`;
}

function checkInherited({ app, call, args }: Omit<RefinementContext, 'db'>, { target }: BuildVariant): void {
  const { target_format_id: one, target_format_ids: several } = args;
  const [named, ...others] = several ?? (one === undefined ? [] : [one]);
  if (named !== undefined) {
    const field = several === undefined ? 'target_format_id' : 'target_format_ids';
    const same = findFormat(app, call, named, field).format_id.id === target.id;
    if (!same || others.length > 0) {
      throw new TaskError('INVALID_REQUEST', 'A refinement has the format of what it refines.', {
        field,
        suggestion: `Leave ${field} out; other formats are built from the manifest.`,
      });
    }
  }
  const field = (['creative_manifest', 'creative_id'] as const).find((name) => args[name] !== undefined);
  if (field === undefined) return;
  throw new TaskError('INVALID_REQUEST', 'A refinement is built from what it refines.', {
    field,
    suggestion: `Leave ${field} out, or refine_from_build_variant_id.`,
  });
}

/** Returns the arguments of a refinement with those that it has from what it refines. */
export function inheritFrom(parent: BuildVariant | undefined, args: Input): Input {
  if (parent === undefined) return args;
  const { target_format_ids: _several, ...own } = args;
  return {
    ...own,
    target_format_id: parent.target,
    brand: args.brand ?? (parent.brand as Input['brand']),
    macro_values: args.macro_values ?? parent.macros,
  };
}

/** Refuses formats that the named transformer does not make. Throws FORMAT_NOT_SUPPORTED at the format. */
export function checkTargets({ transformer, isNamed }: BuildPlan, targets: readonly BuildTarget[], args: Input): void {
  const index = isNamed ? targets.findIndex(({ format }) => !transformer.makes(format)) : -1;
  if (index < 0) return;
  throw new TaskError('FORMAT_NOT_SUPPORTED', 'The transformer does not make this format.', {
    field: args.target_format_ids === undefined ? 'target_format_id' : `target_format_ids[${index}]`,
    suggestion: `Use one of the output_format_ids of ${transformer.transformer_id} in list_transformers.`,
  });
}

/** Refuses a build for which the named transformer lacks what it works on. Throws VALIDATION_ERROR. */
export function checkMaterial({ transformer, isNamed }: BuildPlan, source: Manifest | undefined, args: Input): void {
  if (!isNamed || transformer.takes === undefined) return;
  if (source === undefined) {
    throw new TaskError('VALIDATION_ERROR', 'The transformer works on a creative, and there is none.', {
      field: 'creative_manifest',
      suggestion: 'Send the creative as creative_manifest, or name one of your library as creative_id.',
    });
  }
  if (
    transformer.transformer_id !== 'rewrite_headline' ||
    args.message !== undefined ||
    args.refine_from_build_variant_id !== undefined
  )
    return;
  throw new TaskError('VALIDATION_ERROR', 'Nothing says what the headline is to be about.', {
    field: 'message',
    suggestion: 'Send a message, such as "Spring sale: 20% off trail shoes".',
  });
}

/** Returns a source with its texts as a transformer and a direction have them. */
export function prepareTexts(source: Manifest, { transformer_id }: Transformer, direction: Direction): Manifest {
  const { headline, callToAction, headlineChars } = direction;
  const written = transformer_id === 'rewrite_headline' ? changeTexts(source, isHeadline, () => undefined) : source;
  const titled = headline === undefined ? written : changeTexts(written, isHeadline, () => headline);
  const shortened =
    headlineChars === undefined ? titled : changeTexts(titled, isHeadline, (text) => shortenText(text, headlineChars));
  return callToAction === undefined ? shortened : changeTexts(shortened, isAction, () => callToAction);
}
