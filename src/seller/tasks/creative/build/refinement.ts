import type { z } from 'zod';
import {
  type Change,
  type Direction,
  mergeDirections,
  replaceWords,
  withPrice,
} from '../../../../creative/build/direction.js';
import { changeTexts, isAction, isBody, isDisclosure, isHeadline } from '../../../../creative/build/texts.js';
import type { Copy } from '../../../../creative/compose/copy/copy.js';
import { shortenText } from '../../../../creative/compose/copy/fitting.js';
import { collectTexts } from '../../../../creative/compose/copy/translate.js';
import type { Format, FormatId } from '../../../../creative/formats/format.js';
import { type AssetEntry, isAsset, type Manifest } from '../../../../creative/formats/manifest.js';
import { type Instruction, readInstruction } from '../../../../creative/transformers/instruction/read.js';
import { directBuild, type Transformer } from '../../../../creative/transformers/transformers.js';
import { withoutUndefined } from '../../../../platform/kernel/json/json.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import { type BuildVariant, digestDrawn, restoreSource } from '../../../domain/creative/build-variant.js';
import type { Reader } from '../../../store/store.js';
import { findFormat } from '../formats.js';
import type { buildInput } from './input.js';
import type { BuildPlan } from './plan-build.js';

type Input = z.output<typeof buildInput>;

/** A format to build: as it was named, and as what it is built. */
export type BuildTarget = { readonly named: FormatId; readonly format: Format };

/** The changes that a call asks for to a creative that is there already. */
export type Refinement = {
  /** The creative that is refined by its id; undefined where a manifest is adapted. */
  readonly parent: BuildVariant | undefined;
  /** What all refinements so far asked for. */
  readonly direction: Direction;
  readonly message: string | undefined;
  /** The commands of the message. */
  readonly changes: readonly Change[];
  /** The words of the creative, where it was built here and they stay. */
  readonly copy: Copy | undefined;
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
  return { parent, ...followMessage({ call }, parent, { before: Object.fromEntries(earlier), message }) };
}

/** A message about a creative that was built here, and what it was built with. */
type Asked = { readonly before: Direction; readonly message: string | undefined };

/** Returns what a message makes of a creative that was built here: its words stay unless a brief or a language asks for others. */
function followMessage(
  { call }: Pick<RefinementContext, 'call'>,
  variant: BuildVariant,
  { before, message }: Asked,
): Omit<Refinement, 'parent'> {
  const { copy } = variant;
  if (message === undefined) return { direction: before, message: variant.message, changes: [], copy };
  const present = { ...directBuild(variant.config), ...before };
  const texts = [...listWords(copy), ...collectTexts(variant.source?.assets), ...collectTexts(variant.manifest.assets)];
  const { direction, changes, unread, brief } = readFor(call, message, { before: present, texts });
  const isWritten = brief !== undefined || direction.headlineChars !== undefined;
  return {
    direction: mergeDirections(before, direction),
    message: brief === undefined ? variant.message : joinBriefs(variant, brief),
    changes: [...changes, ...unread],
    copy: isWritten ? undefined : copy,
  };
}

/** A creative before a message: its direction and its words. */
type Before = { readonly before: Direction; readonly texts: readonly string[] };

/** Reads a message; without a text model nothing is translated, which its command is told. */
function readFor({ seller }: Call, message: string, { before, texts }: Before): Instruction {
  const read = readInstruction(message, before, texts);
  if (seller.tenant.llm !== undefined) return read;
  const changes = read.changes.map((change) =>
    change.part === 'language' && change.refusal === undefined ? { ...change, refusal: UNTRANSLATED } : change,
  );
  return { ...read, changes };
}

function listWords(copy: Copy | undefined): readonly string[] {
  if (copy === undefined) return [];
  const { headline, body, callToAction, legal, eyebrow, offer } = copy;
  return [headline, body, callToAction, legal, eyebrow, offer].filter((text) => text !== undefined);
}

const UNTRANSLATED =
  'nothing is translated here without a text model; send the texts in that language, each in quotation marks or as an asset of creative_manifest';

/**
 * Returns what a call asks to be done with a manifest that it sends, and what is built of in its place: the parts of a creative that was built here
 * in the last days, and is found by the picture or page that was made for it. Undefined for a call without a manifest.
 */
export async function readAdaptation(
  { call, args, db }: RefinementContext,
  sent: Manifest | undefined,
): Promise<(Refinement & { readonly source: Manifest; readonly origin: BuildVariant | undefined }) | undefined> {
  if (sent === undefined || Object.entries(sent.assets).every(([key, entry]) => isOffer(key, entry))) return undefined;
  const { message } = args;
  const origin = isRecomposed(args) ? await findOrigin(call, sent, db) : undefined;
  const source = origin === undefined ? sent : restoreSource(origin, sent);
  if (origin !== undefined && source !== undefined) {
    const before = { ...omitUndefined(directBuild(origin.config)), ...origin.direction };
    return { parent: undefined, source, origin, ...followMessage({ call }, origin, { before, message }) };
  }
  const given = { parent: undefined, source: sent, origin: undefined, copy: undefined };
  if (message === undefined) return { ...given, direction: {}, changes: [], message };
  const { direction, changes, unread, brief } = readFor(call, message, {
    before: {},
    texts: collectTexts(sent.assets),
  });
  // Where the manifest has no words of its own, what is no command is the brief that they are written from.
  if (!hasHeadline(sent) && unread.length > 0) return { ...given, direction, changes, message };
  return { ...given, direction, changes: [...changes, ...unread], message: brief };
}

function hasHeadline(sent: Manifest): boolean {
  return Object.entries(sent.assets).some(
    ([key, entry]) => isHeadline(key) && isAsset(entry) && entry.content !== undefined,
  );
}

/** Whether an entry is an offer to make an ad of, and nothing to adapt. */
function isOffer(key: string, entry: AssetEntry): boolean {
  return key === 'promoted_offerings' || (isAsset(entry) && String(entry.asset_type) === 'catalog');
}

/** Whether a manifest is to be adapted as a whole: other transformers work on what is sent, and catalogs bring parts of their own. */
function isRecomposed({ transformer_id = 'resize', max_creatives }: Input): boolean {
  return transformer_id === 'resize' && max_creatives === undefined;
}

function omitUndefined(direction: Direction): Direction {
  return withoutUndefined(direction);
}

async function findOrigin(call: Call, sent: Manifest, db: Reader): Promise<BuildVariant | undefined> {
  const drawn = digestDrawn(sent, undefined);
  return drawn === undefined ? undefined : db.buildVariants.findDrawn(call.owner, drawn, call.now.ms);
}

/** Joins what is said now to what was said before; a headline is written anew of what is said now. */
function joinBriefs({ transformer_id, message }: BuildVariant, more: string): string {
  return message === undefined || transformer_id === 'rewrite_headline' ? more : `${message}\n${more}`;
}

function checkInherited({ app, call, args }: Omit<RefinementContext, 'db'>, { target }: BuildVariant): void {
  const { target_format_id: one, target_format_ids: several } = args;
  const [named, ...others] = several ?? (one === undefined ? [] : [one]);
  if (named !== undefined) {
    const field = several === undefined ? 'target_format_id' : 'target_format_ids';
    const isSame = findFormat(app, call, named, field).format_id.id === target.id;
    if (!isSame || others.length > 0) {
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

/** Returns arguments with the brand and the macros of the creative that a manifest was built as, where they name none. */
export function inheritBrand(origin: BuildVariant | undefined, args: Input): Input {
  if (origin === undefined) return args;
  return {
    ...args,
    brand: args.brand ?? (origin.brand as Input['brand']),
    macro_values: args.macro_values ?? origin.macros,
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
  const { headlineChars, price, without = [], replaced = [] } = direction;
  const written = transformer_id === 'rewrite_headline' ? changeTexts(source, isHeadline, () => undefined) : source;
  const texts = [
    [isHeadline, direction.headline, false],
    [isAction, direction.callToAction, false],
    [isBody, direction.body, without.includes('body')],
    [isDisclosure, direction.legal, without.includes('legal')],
  ] as const;
  const changed = texts.reduce(
    (manifest, [isPart, text, isGone]) =>
      text === undefined && !isGone ? manifest : changeTexts(manifest, isPart, () => text),
    written,
  );
  const swapped = replaced.reduce(
    (manifest, replacement) =>
      changeTexts(
        manifest,
        () => true,
        (text) => replaceWords(text, replacement),
      ),
    changed,
  );
  const priced = price === undefined ? swapped : changeTexts(swapped, isBody, (text) => withPrice(text, '', price));
  return headlineChars === undefined
    ? priced
    : changeTexts(priced, isHeadline, (text) => shortenText(text, headlineChars));
}
