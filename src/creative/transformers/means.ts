import { type AssetType, type Format, type GroupSlot, isGroup } from '../formats/format.js';
import { readAudioSpec } from '../media/audio-spec.js';
import { readVideoSpec } from '../media/video-spec.js';

/** The encoder and the models that are here to make creatives with, beside what comes with the package. */
export type Means = {
  /** ffmpeg. */
  readonly encoder: boolean;
  /** An endpoint that writes texts, and one that speaks them. */
  readonly textModel: boolean;
  readonly speech: boolean;
};

/** The means that a slot is made with: from words alone, and from pictures, clips and sounds that a source brings. */
type Needs = { readonly words: readonly (keyof Means)[]; readonly material: readonly (keyof Means)[] };

const NOTHING: Needs = { words: [], material: [] };
const FILM: Needs = { words: ['encoder'], material: ['encoder'] };
/** Where something has to be heard, somebody has to speak. */
const SOUND: Needs = { words: ['encoder', 'speech'], material: ['encoder'] };

/** The one table of what is made here, by the type of a slot; all other types a source has to bring. */
const NEEDS: Partial<Readonly<Record<AssetType, (slot: GroupSlot) => Needs | undefined>>> = {
  image: () => NOTHING,
  html: () => NOTHING,
  javascript: () => NOTHING,
  text: () => NOTHING,
  markdown: () => NOTHING,
  url: () => NOTHING,
  video: (slot) => {
    if (!isWritable(slot)) return undefined;
    return slot.requirements?.loudness_lufs === undefined ? FILM : SOUND;
  },
  vast: (slot) => (isWritable(slot) ? FILM : undefined),
  audio: (slot) => (isWritable(slot) ? SOUND : undefined),
};

/** The material that a creative is made from. */
export type Origin = keyof Needs;

/** Whether creatives of a format are made here, of words alone or of material that a source brings. */
export function isMakeable({ assets, type }: Format, origin: Origin, means: Means): boolean {
  const required = assets.filter((slot) => slot.required).flatMap((slot) => (isGroup(slot) ? slot.assets : [slot]));
  // Of a generative format the spot itself is made, beside its prompt.
  const spot = SPOTS[type];
  const isPrompted =
    spot !== undefined && !required.some(({ asset_type }) => NEEDS[asset_type] !== undefined && asset_type !== 'text');
  return [...required, ...(isPrompted ? [spot] : [])].every((slot) => {
    if (!slot.required) return true;
    const needs = NEEDS[slot.asset_type]?.(slot);
    return needs?.[origin].every((name) => means[name]) ?? false;
  });
}

const SPOTS: Partial<Readonly<Record<Format['type'], GroupSlot>>> = {
  video: { asset_id: 'video_file', asset_type: 'video', required: true },
  audio: { asset_id: 'audio_file', asset_type: 'audio', required: true },
};

/** Whether what a slot asks for is among what is written here; the size of a video comes with the format, and is judged when it is built. */
function isWritable(slot: GroupSlot): boolean {
  try {
    if (slot.asset_type === 'audio') readAudioSpec(slot);
    else readVideoSpec(slot, { width: 2, height: 2 });
    return true;
  } catch {
    return false;
  }
}
