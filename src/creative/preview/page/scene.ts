import { fillTemplate, type TemplateValue, templateValue } from '../../formats/template.js';
import type { PreviewPiece } from '../model.js';
import type { Variant } from '../variant.js';

/** A file to show, or the reason why a box stands in its place. */
export type ShownFile =
  | { readonly file: string; readonly alt: string }
  | { readonly missing: string; readonly what: string };

/** A native ad in its parts. */
export type Card = {
  readonly sponsor?: string;
  /** The word that marks it as an ad. */
  readonly label?: string;
  readonly title?: string;
  readonly body?: string;
  readonly action?: string;
  readonly disclosure?: string;
  readonly picture?: ShownFile;
  readonly icon?: ShownFile;
  readonly lines: readonly string[];
};

/** The content of the slot, by kind. */
export type Scene =
  | { readonly kind: 'markup'; readonly source: string }
  | { readonly kind: 'picture'; readonly picture: ShownFile }
  | { readonly kind: 'pictures'; readonly pictures: readonly ShownFile[] }
  | { readonly kind: 'video'; readonly video: ShownFile; readonly poster?: ShownFile; readonly note?: string }
  | { readonly kind: 'audio'; readonly audio: ShownFile; readonly title: string; readonly note?: string }
  | { readonly kind: 'card'; readonly card: Card }
  | { readonly kind: 'carousel'; readonly card?: Card; readonly cards: readonly Card[] }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'nothing'; readonly reason: string };

/** Returns the content that a variant shows in its slot: the first kind of asset it has, in the order of this list. */
export function chooseScene(variant: Variant): Scene {
  for (const view of VIEWS) {
    const scene = view(variant);
    if (scene !== undefined) return scene;
  }
  return { kind: 'nothing', reason: 'This creative has no asset that can be shown.' };
}

type View = (variant: Variant) => Scene | undefined;

const VIEWS: readonly View[] = [
  page,
  markup,
  script,
  tag,
  video,
  audio,
  carousel,
  requiredText,
  picture,
  card,
  address,
  other,
];

const REASONS: Readonly<Record<string, string>> = {
  zip: 'HTML5 bundles are not unpacked for a preview.',
  webhook: 'This creative is made by a server at the time of the impression.',
  published_post: 'This creative is a post that stands on its platform.',
  catalog: 'This creative is made of a catalog at the time of the impression.',
  brief: 'This is a brief: build the creative first.',
};

/** Returns the seller's own page around the assets, with local copies in the place of files. */
function page({ model, pieces, values }: Variant): Scene | undefined {
  const { template } = model;
  if (template === undefined) return undefined;
  const shown = Object.entries(template.pieces).flatMap(([slotPath, key]) => {
    const piece = pieces.find((one) => one.key === key);
    return piece === undefined ? [] : [[slotPath, pieceValue(piece)] as const];
  });
  return { kind: 'markup', source: fillTemplate(withCopies(template, template.source), new Map(shown), values) };
}

function pieceValue(piece: PreviewPiece): TemplateValue {
  const { type, media } = piece;
  if (media === undefined) return templateValue(type, piece);
  return { kind: 'address', text: 'file' in media ? `${COPIES}${media.file}` : '' };
}

function markup({ pieces }: Variant): Scene | undefined {
  const piece = pieces.find(({ type }) => type === 'html');
  return piece?.content === undefined ? undefined : { kind: 'markup', source: withCopies(piece, piece.content) };
}

/**
 * Returns a script asset as markup: a text of its own runs in the body of a page, a snippet that brings its tags along
 * stays as it is.
 */
function script({ pieces }: Variant): Scene | undefined {
  const piece = pieces.find(({ type }) => type === 'javascript');
  if (piece?.content === undefined) return undefined;
  if (piece.content.trimStart().startsWith('<')) return { kind: 'markup', source: piece.content };
  const code = piece.content.replaceAll(/<\/(?=script)/gi, '<\\/');
  return { kind: 'markup', source: `<!doctype html><html><head></head><body><script>${code}</script></body></html>` };
}

function tag({ pieces, model }: Variant): Scene | undefined {
  const piece = pieces.find(({ type }) => type === 'vast' || type === 'daast');
  if (piece === undefined) return undefined;
  const note = piece.tag?.note;
  if (piece.media === undefined) return { kind: 'nothing', reason: note ?? 'This tag was not read for the preview.' };
  const shown = showFile(piece, piece.type === 'daast' ? 'Audio' : 'Video');
  if (piece.type === 'daast')
    return { kind: 'audio', audio: shown, title: piece.tag?.title ?? model.format.name, note };
  return { kind: 'video', video: shown, note };
}

function video({ pieces }: Variant): Scene | undefined {
  const piece = pieces.find(({ type }) => type === 'video');
  if (piece === undefined) return undefined;
  const poster = pieces.find(({ type, media }) => type === 'image' && media !== undefined && 'file' in media);
  return {
    kind: 'video',
    video: showFile(piece, 'Video'),
    poster: poster && showFile(poster, 'Poster'),
  };
}

function audio({ pieces, model }: Variant): Scene | undefined {
  const piece = pieces.find(({ type }) => type === 'audio');
  return piece && { kind: 'audio', audio: showFile(piece, 'Audio'), title: model.name ?? model.format.name };
}

function requiredText(variant: Variant): Scene | undefined {
  const { pieces, model } = variant;
  const isCard = model.format.type === 'native' || pieces.some((piece) => piece.required && isWords(piece));
  return isCard ? card(variant) : undefined;
}

function picture({ pieces }: Variant): Scene | undefined {
  const [first, ...rest] = pieces.filter(({ type }) => type === 'image');
  if (first === undefined) return undefined;
  const siblings = first.several ? rest.filter(({ slot, several }) => several && slot === first.slot) : [];
  if (siblings.length === 0) return { kind: 'picture', picture: showFile(first, 'Image') };
  return { kind: 'pictures', pictures: [first, ...siblings].map((piece) => showFile(piece, 'Image')) };
}

function address({ pieces }: Variant): Scene | undefined {
  const url = pieces.find(({ type }) => type === 'url')?.url;
  return url === undefined ? undefined : { kind: 'address', url };
}

function other({ pieces }: Variant): Scene | undefined {
  const reason = pieces.map(({ type }) => REASONS[type]).find((text) => text !== undefined);
  return reason === undefined ? undefined : { kind: 'nothing', reason };
}

/** Which slot plays which part of a card, by the last word of its key. */
const PARTS: readonly (readonly [
  part: 'sponsor' | 'label' | 'title' | 'body' | 'action' | 'disclosure',
  slots: RegExp,
])[] = [
  ['action', /(?:^|_)(?:cta|cta_text|call_to_action|button|button_text)$/],
  ['sponsor', /(?:^|_)(?:sponsored_by|sponsor|brand|brand_name|advertiser|advertiser_name|author)$/],
  ['disclosure', /(?:^|_)(?:disclosure|disclaimer|legal)$/],
  ['label', /(?:^|_)(?:sponsored|ad)_label$/],
  ['title', /(?:^|_)(?:title|headline|name|product_name|mention_text)$/],
  ['body', /(?:^|_)(?:body|description|text|body_text|subheadline|tagline|summary)$/],
];

/** Returns the repetitions of a group that has words as cards beside each other, with what stands outside of it above them. */
function carousel({ pieces }: Variant): Scene | undefined {
  const grouped = pieces.filter(({ repetition }) => repetition !== undefined);
  if (!grouped.some(isWords)) return undefined;
  const slot = grouped.find(isWords)?.slot;
  const numbers = [...new Set(grouped.filter((piece) => piece.slot === slot).map(({ repetition = 0 }) => repetition))];
  const cards = numbers
    .sort((one, other) => one - other)
    .map((number) => cardOf(grouped.filter((piece) => piece.slot === slot && piece.repetition === number)));
  return {
    kind: 'carousel',
    card: cardOf(pieces.filter(({ repetition }) => repetition === undefined)),
    cards: cards.filter((each) => each !== undefined),
  };
}

function card({ pieces }: Variant): Scene | undefined {
  const whole = cardOf(pieces);
  return whole && { kind: 'card', card: whole };
}

/** Returns pieces as the parts of a card; undefined where there are neither words nor pictures. */
function cardOf(pieces: readonly PreviewPiece[]): Card | undefined {
  const texts = pieces.filter((piece) => isWords(piece) && piece.content !== undefined);
  const images = pieces.filter(({ type }) => type === 'image');
  if (texts.length === 0 && images.length === 0) return undefined;
  const parts: Partial<Record<(typeof PARTS)[number][0], string>> = {};
  const lines: string[] = [];
  for (const { slot, member = slot, content = '' } of texts) {
    const part = PARTS.find(([name, slots]) => parts[name] === undefined && slots.test(member))?.[0];
    if (part === undefined) lines.push(content);
    else parts[part] = content;
  }
  const icon = images.find(({ slot, member = slot }) => /icon|logo/.test(member));
  const main = images.find((piece) => piece !== icon);
  return {
    ...parts,
    lines,
    picture: main && showFile(main, 'Image'),
    icon: icon && showFile(icon, 'Icon'),
  };
}

/** Whether a piece is words that are shown; a prompt is what the creative was made of. */
function isWords({ type, role }: PreviewPiece): boolean {
  return (type === 'text' || type === 'markdown') && role !== 'generation_prompt';
}

function showFile({ media, alt, slot, member = slot }: PreviewPiece, what: string): ShownFile {
  if (media === undefined) return { missing: 'There is no file to show.', what };
  return 'file' in media
    ? { file: media.file, alt: alt ?? member.replaceAll('_', ' ') }
    : { missing: media.missing, what };
}

/** Stands for the folder of media files until the frame is written and its place known. */
export const COPIES = 'preview-media:';

/** Returns markup whose media are local copies; the longest address first, since one may begin with another. */
function withCopies({ embedded = {} }: Pick<PreviewPiece, 'embedded'>, source: string): string {
  return Object.entries(embedded)
    .sort(([one], [other]) => other.length - one.length)
    .reduce((text, [url, file]) => text.replaceAll(url, () => `${COPIES}${file}`), source);
}
