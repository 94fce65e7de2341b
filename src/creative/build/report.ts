import { withoutEnd } from '../compose/copy/text.js';
import type { AdNode } from '../compose/layout/nodes.js';
import { type Asset, isAsset, type Manifest } from '../formats/manifest.js';
import { type Change, TEXT_PARTS } from './direction.js';
import type { BuildSession } from './session.js';
import type { ChangeReport } from './types.js';

/** Returns what became of each command of a build, by what was drawn and filled. */
export function reportChanges(session: BuildSession, manifest: Manifest): readonly ChangeReport[] {
  const assets = Object.values(manifest.assets).flatMap((entry) => (isAsset(entry) ? [entry] : []));
  return (session.order.changes ?? []).flatMap((change) => {
    const isSilent = change.part === 'size' && change.value === undefined;
    if (isSilent) return [];
    const reason = change.refusal ?? session.failed.get(change.part) ?? CHECKS[change.part](session, change, assets);
    const words = quote(change.words);
    return [
      reason === undefined
        ? { isDone: true, text: `Done: ${describeChange(change)}.` }
        : { isDone: false, text: `Not done: "${words}": ${reason}.` },
    ];
  });
}

const MAX_QUOTED_CHARS = 120;

function quote(text: string): string {
  const plain = withoutEnd(text, /[.\s]/u);
  return plain.length <= MAX_QUOTED_CHARS ? plain : `${plain.slice(0, MAX_QUOTED_CHARS)}…`;
}

/** The parts as they are called in reports. */
export const PART_NAMES: Readonly<Record<Change['part'], string>> = {
  headline: 'the headline',
  'shorter headline': 'the headline',
  words: 'the words',
  callToAction: 'the button',
  body: 'the text below the headline',
  legal: 'the legal line',
  eyebrow: 'the line above the headline',
  offer: 'the badge',
  price: 'the price',
  logo: 'the logo',
  picture: 'the picture',
  motif: 'the motif',
  ground: 'the background',
  'button color': 'the button',
  'text color': 'the text',
  colors: 'the colors',
  click: 'the click',
  tone: 'the tone of the layout',
  language: 'the language',
  size: 'the size',
  style: 'the style',
  brief: 'the brief',
  other: 'the rest',
};

function describeChange(change: Change): string {
  const { part, value, isRemoval, words } = change;
  if (isRemoval) return `${PART_NAMES[part]} is left out`;
  if (part === 'brief') return `"${quote(words)}" was read as a part of the brief`;
  if (part === 'click') return `a click leads to ${value}`;
  if (value === undefined) return `${PART_NAMES[part]} ${part === 'colors' ? 'are changed' : 'is changed'}`;
  if (part === 'words') return `the words are now "${quote(value)}"`;
  const isText = TEXT_PARTS.has(part);
  return `${PART_NAMES[part]} is now ${isText ? `"${quote(value)}"` : value}`;
}

/** Returns why a command was not followed; undefined where it was. */
type Check = (session: BuildSession, change: Change, assets: readonly Asset[]) => string | undefined;

const NOT_DRAWN =
  'the picture of the source was taken over as it is, and its letters and colors cannot be changed; send its texts and pictures as assets of their own to have it laid out anew';

function checkDrawn({ drawn }: BuildSession): string | undefined {
  return drawn.length > 0 ? undefined : NOT_DRAWN;
}

/** Returns the check of a text, which is followed where it is drawn or stands in a slot of its own. */
function checkText(role: AdNode['role']): Check {
  return ({ drawn }, { value = '', isRemoval }, assets) => {
    if (isRemoval) return drawn.length > 0 ? undefined : NOT_DRAWN;
    const isInSlot = assets.some(({ content }) => content?.includes(value) === true);
    const [ad] = drawn;
    if (ad === undefined) return isInSlot ? undefined : NOT_DRAWN;
    const isShown = drawn.every(({ nodes }) => nodes.some((node) => node.role === role));
    return isShown || isInSlot ? undefined : `there is no room for it at ${ad.width}x${ad.height}`;
  };
}

/** The texts of an ad by the role that they are drawn in. */
const DRAWN_AS = {
  headline: 'headline',
  body: 'body',
  callToAction: 'action',
  legal: 'legal',
  eyebrow: 'eyebrow',
  offer: 'badge',
} as const;

/** Checks that words in place of others are in a text, and that this text is drawn or stands in a slot. */
const checkWords: Check = ({ copy, drawn }, { value = '' }, assets) => {
  const hasValue = (text = ''): boolean => text.toLowerCase().includes(value.toLowerCase());
  const places = (['headline', 'body', 'callToAction', 'legal', 'eyebrow', 'offer'] as const).filter((name) =>
    hasValue(copy[name]),
  );
  if (places.length === 0) return 'the words to replace are nowhere in the ad';
  if (assets.some(({ content }) => hasValue(content))) return undefined;
  const [ad] = drawn;
  if (ad === undefined) return NOT_DRAWN;
  const isShown = drawn.some(({ nodes }) => places.some((name) => nodes.some(({ role }) => role === DRAWN_AS[name])));
  return isShown ? undefined : `there is no room for them at ${ad.width}x${ad.height}`;
};

/** Checks that a price is read in whatever text of the ad. */
const checkPrice: Check = ({ drawn }, { value = '' }, assets) => {
  const has = (text = ''): boolean => text.toLowerCase().includes(value.toLowerCase());
  if (assets.some(({ content }) => has(content))) return undefined;
  const [ad] = drawn;
  if (ad === undefined) return NOT_DRAWN;
  const texts = ad.nodes.flatMap((node) => (node.kind === 'text' ? [node.fitted.lines.join(' ')] : []));
  return has(texts.join(' ')) ? undefined : `there is no room for it at ${ad.width}x${ad.height}`;
};

const CHECKS: Readonly<Record<Change['part'], Check>> = {
  headline: checkText('headline'),
  'shorter headline': (session, _change, assets) =>
    assets.some(({ content }) => content === session.copy.headline) ? undefined : checkDrawn(session),
  words: checkWords,
  callToAction: checkText('action'),
  body: checkText('body'),
  legal: checkText('legal'),
  eyebrow: checkText('eyebrow'),
  offer: checkText('badge'),
  price: checkPrice,
  logo: ({ drawn }, { isRemoval }) => {
    const [ad] = drawn;
    if (ad === undefined) return NOT_DRAWN;
    if (isRemoval) return undefined;
    if (ad.content.logo === undefined) return 'the brand has no logo; send its https address';
    return ad.nodes.some(({ role }) => role === 'logo')
      ? undefined
      : `there is no room for it at ${ad.width}x${ad.height}`;
  },
  picture: ({ drawn, files }, { isRemoval }, assets) => {
    if (isRemoval) return checkPictureGone(drawn);
    const isShown = drawn.some(({ nodes }) => nodes.some(({ role }) => role === 'picture'));
    const isFile = drawn.length === 0 && (files.length > 0 || assets.some(({ asset_type }) => asset_type === 'image'));
    return isShown || isFile ? undefined : 'it could not be used, or the layout of this size has no place for it';
  },
  motif: (session, { isRemoval }) => {
    const unseen = checkDrawn(session);
    if (unseen !== undefined || isRemoval) return unseen;
    const isShown = session.drawn.some(({ nodes }) => nodes.some(({ role }) => role === 'motif'));
    return isShown ? undefined : 'this layout shows a picture or plain ground, and no motif';
  },
  ground: checkDrawn,
  'button color': checkDrawn,
  'text color': checkDrawn,
  colors: checkDrawn,
  tone: checkDrawn,
  click: (_session, { value }, assets) =>
    assets.some(({ url }) => url === value)
      ? undefined
      : 'the format has no slot for the address of a click: the ad server fills it in',
  language: ({ copy }, { value }) => (copy.language === value ? undefined : 'the words could not be had in it'),
  size: ({ order }, { value }) => {
    const { width, height } = order.format.renders[0]?.dimensions ?? {};
    const own = `${width}x${height}`;
    return value === own
      ? undefined
      : `the size is that of target_format_id, ${width === undefined ? 'which is fluid' : own}`;
  },
  style: () => undefined,
  brief: () => undefined,
  other: () => undefined,
};

function checkPictureGone(drawn: BuildSession['drawn']): string | undefined {
  if (drawn.length === 0) return NOT_DRAWN;
  return drawn.some(({ nodes }) => nodes.some(({ role }) => role === 'picture')) ? 'the format needs it' : undefined;
}
