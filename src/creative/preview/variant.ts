import { webUrl } from '../../platform/net/url.js';
import { macroTopic } from '../macros/catalog.js';
import { fillHtml, fillText, fillUrl, listPlaceholders, type MacroValues } from '../macros/fill.js';
import type { PreviewModel, PreviewPiece, PreviewSize } from './model.js';

/** One macro of a variant: its value, where that comes from, and whether the creative has a place for it. */
type VariantMacro = {
  readonly name: string;
  readonly value?: string;
  readonly source: 'input' | 'creative' | 'none';
  readonly topic?: string;
  readonly used: boolean;
};

/** A model seen through one of its inputs: every text and address filled, markup filled for its context. */
export type Variant = {
  readonly name: string;
  readonly description?: string;
  readonly model: PreviewModel;
  readonly pieces: readonly PreviewPiece[];
  /** The values that it was filled with. */
  readonly values: MacroValues;
  readonly macros: readonly VariantMacro[];
  /** Where a click leads, as it was filled; not necessarily an address that may be linked. */
  readonly clickThrough?: string;
  /** DEVICE_TYPE, in lower case. */
  readonly device?: string;
};

const CLICK_SLOTS = /^(?:click(?:_?through)?_?url|clickthrough|landing(?:_page)?(?:_url)?|cta_url|destination_url)$/;
/** Types whose text is markup; in others it is plain. */
const MARKUP_TYPES: ReadonlySet<string> = new Set(['html']);
/** Types whose text is left alone: filling code that is not markup could only break it. */
const SCRIPT_TYPES: ReadonlySet<string> = new Set(['javascript']);
/** Widths for what has none: a column of a feed, and a player. */
const FEED_WIDTH_PX = 360;
const PLAYER_WIDTH_PX = 640;

/** Returns the variant at `index`; undefined when the model has none there. */
export function openVariant(model: PreviewModel, index: number): Variant | undefined {
  const input = model.inputs[index];
  if (input === undefined) return undefined;
  const given = input.macros;
  const click = findClickUrl(model.pieces, given);
  const [size] = model.sizes;
  const own: MacroValues = {
    ...(size?.width === undefined ? {} : { AD_WIDTH: String(size.width) }),
    ...(size?.height === undefined ? {} : { AD_HEIGHT: String(size.height) }),
    ...(click === undefined ? {} : { CLICK_URL: click }),
  };
  const values = { ...own, ...given };
  const device = given.DEVICE_TYPE?.toLowerCase();
  return {
    name: input.name,
    description: input.context_description,
    model,
    pieces: model.pieces.map((piece) => fillPiece(piece, values)),
    values,
    macros: listVariantMacros(model, given, own),
    clickThrough: click,
    device,
  };
}

/** Returns the slot in pixels that a piece of a format is shown in, whether the format fixes it or not. */
export function measureBox(model: PreviewModel, size: PreviewSize): Box {
  const { width, height, ratio } = size;
  if (width !== undefined && height !== undefined) return fixedBox(width, height);
  const { type } = model.format;
  if (type === 'audio') return { width: width ?? PLAYER_WIDTH_PX, height: height ?? 240, fluid: true, label: 'audio' };
  const own = model.pieces.find((piece) => piece.type === 'image' || piece.type === 'video');
  const ownRatio = own?.width && own.height ? own.width / own.height : undefined;
  if (type === 'display' && ratio === undefined && width === undefined && own?.width && own.height) {
    return fixedBox(own.width, own.height);
  }
  const isPlayer = type === 'video' || type === 'dooh';
  const shape = parsePreviewRatio(ratio) ?? (isPlayer ? (ownRatio ?? 16 / 9) : undefined);
  const across = width ?? (isPlayer ? Math.round(PLAYER_WIDTH_PX * Math.min(1, shape ?? 1)) : FEED_WIDTH_PX);
  const down = Math.round(shape === undefined ? cardHeight(model, across) : across / shape);
  const label = `${ratio ?? (isPlayer ? 'any size' : 'fluid')}, shown ${across} px wide`;
  return { width: across, height: down, fluid: true, label };
}

/** A slot in pixels; `fluid` when the page or player it stands in decides. The label says its size in words. */
export type Box = { readonly width: number; readonly height: number; readonly fluid: boolean; readonly label: string };

function fixedBox(width: number, height: number): Box {
  return { width, height, fluid: false, label: `${width} × ${height}` };
}

/** Returns how high a native card gets, by the words and pictures it has to hold; one with a carousel by its highest card. */
function cardHeight({ pieces }: PreviewModel, width: number): number {
  const repetitions = [...new Set(pieces.flatMap(({ repetition }) => repetition ?? []))];
  const heights = repetitions.map((number) =>
    contentHeight(
      pieces.filter(({ repetition }) => repetition === number),
      width * CARD_OF_CAROUSEL,
    ),
  );
  const outside = pieces.filter(({ repetition }) => repetition === undefined);
  return Math.min(900, 100 + contentHeight(outside, width) + Math.max(0, ...heights));
}

/** The part of its width that a card of a carousel has. */
const CARD_OF_CAROUSEL = 0.78;

function contentHeight(pieces: readonly PreviewPiece[], width: number): number {
  const texts = pieces.filter(
    ({ type, slot, member = slot }) => (type === 'text' || type === 'markdown') && !/cta|sponsor/.test(member),
  );
  const columns = (width - 28) / 9;
  const lines = texts.reduce((sum, { content = '' }) => sum + countLines(content, columns), 0);
  const isArt = ({ type, slot, member = slot }: PreviewPiece) => type === 'image' && !/icon|logo/.test(member);
  return (pieces.some(isArt) ? (width - 28) / 1.91 : 0) + lines * 24 + texts.length * 8;
}

/** Letters as wide as they are high, between any two of which a line may end. */
const WIDE_LETTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/gu;
/** Of a text: a card that is as high as it gets has room for fewer. */
const MAX_MEASURED_CHARS = 2000;

/** Returns how many lines of so many narrow letters a text takes. */
function countLines(text: string, columns: number): number {
  let lines = 1;
  let used = 0;
  for (const word of text.slice(0, MAX_MEASURED_CHARS).split(/\s+/)) {
    const wide = word.match(WIDE_LETTERS)?.length ?? 0;
    const isBroken = wide === 0 && used > 0 && used + word.length > columns;
    if (isBroken) lines += 1;
    used = (isBroken ? 0 : used) + word.length + wide;
    const full = Math.max(0, Math.ceil(used / columns) - 1);
    lines += full;
    used += 1 - full * columns;
  }
  return lines;
}

function parsePreviewRatio(ratio: string | undefined): number | undefined {
  const [across, down] = (ratio ?? '').split(':').map(Number);
  return across !== undefined && down !== undefined && across > 0 && down > 0 ? across / down : undefined;
}

/** Whether a piece is the address a click leads to. */
export function isClick({ type, slot, role }: PreviewPiece): boolean {
  return type === 'url' && (role === 'clickthrough' || role === 'landing_page' || CLICK_SLOTS.test(slot));
}

function findClickUrl(pieces: readonly PreviewPiece[], values: MacroValues): string | undefined {
  const url =
    pieces.find(isClick)?.url ?? pieces.find((piece) => piece.tag?.clickThrough !== undefined)?.tag?.clickThrough;
  return url === undefined ? undefined : fillUrl(url, values);
}

function fillPiece(piece: PreviewPiece, values: MacroValues): PreviewPiece {
  const { content, url, alt } = piece;
  return {
    ...piece,
    content: content === undefined ? undefined : fillContent(piece.type, content, values),
    url: url === undefined ? undefined : fillUrl(url, values),
    alt: alt === undefined ? undefined : fillText(alt, values),
  };
}

function fillContent(type: string, content: string, values: MacroValues): string {
  if (MARKUP_TYPES.has(type)) return fillHtml(content, values);
  if (!SCRIPT_TYPES.has(type)) return fillText(content, values);
  const wrapped = fillHtml(`<script>${content}</script>`, values);
  return content.trimStart().startsWith('<')
    ? fillHtml(content, values)
    : wrapped.slice('<script>'.length, -'</script>'.length);
}

function listVariantMacros(
  { pieces, template }: PreviewModel,
  given: MacroValues,
  own: MacroValues,
): readonly VariantMacro[] {
  const texts = pieces.flatMap(({ content, url, alt, tag }) => [content, url, alt, tag?.clickThrough]);
  texts.push(template?.source);
  const used = new Set(texts.flatMap((text) => (text === undefined ? [] : listPlaceholders(text))));
  const inherited = Object.keys(own).filter((name) => used.has(name));
  return [...new Set([...Object.keys(given), ...inherited, ...used])].map((name) => {
    const values = [given, own].find((some) => Object.hasOwn(some, name));
    const topic = macroTopic(name);
    return {
      name,
      value: values?.[name],
      source: macroSource(name, given, own),
      topic,
      used: used.has(name),
    };
  });
}

function macroSource(name: string, given: MacroValues, own: MacroValues): VariantMacro['source'] {
  if (Object.hasOwn(given, name)) return 'input';
  return Object.hasOwn(own, name) ? 'creative' : 'none';
}

/** Returns the address as a link may carry it; undefined for `javascript:` and other things nobody should click. */
export function safeLink(url: string | undefined): string | undefined {
  return url === undefined ? undefined : webUrl(url);
}
