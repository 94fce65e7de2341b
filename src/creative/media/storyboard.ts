/** The pictures, clips and texts of a spot before they are timed. Lengths in milliseconds. */
type StoryboardOrder = {
  readonly durationMs: number;
  readonly framesPerSecond: number;
  /** How many stills there are; where there are no clips either, one is drawn. */
  readonly stills: number;
  /** The lengths of the supplied clips. */
  readonly clips: readonly number[];
  /** How many captions there are. */
  readonly captions: number;
};

const MOTIONS = ['in', 'right', 'out', 'left'] as const;
/** How a still moves: towards its middle, away from it, or across it. */
export type Motion = (typeof MOTIONS)[number];

/** A stretch of a spot; it overlaps the next one by the cross-fade between them. */
export type Scene = {
  readonly show:
    | { readonly kind: 'still'; readonly index: number; readonly motion: Motion }
    | { readonly kind: 'clip'; readonly index: number }
    | { readonly kind: 'end_card' };
  /** The caption over it. */
  readonly caption: number | undefined;
  readonly frames: number;
};

/** Scenes that take exactly `frames` pictures, cross-fades of `fadeFrames` counted once. */
export type Storyboard = {
  readonly scenes: readonly Scene[];
  readonly fadeFrames: number;
  readonly frames: number;
};

/** Longest and shortest time that one picture is looked at. */
const SCENE_MS = { most: 6000, least: 1500 } as const;
/** Share of a spot that its end card has, and its bounds. */
const END_CARD = { share: 0.22, leastMs: 1800, mostMs: 5000 } as const;
const FADE_MS = 400;

/**
 * Returns what is seen when: the material in its order, a clip before the stills, again with another motion where it is shorter than
 * the spot, and the end card last. Captions follow each other; each scene has one while there are any, and the last of them stays.
 */
export function planStoryboard(order: StoryboardOrder): Storyboard {
  const { durationMs, framesPerSecond, captions } = order;
  const toFrames = (ms: number): number => Math.round((ms * framesPerSecond) / 1000);
  const frames = toFrames(durationMs);
  const endMs = Math.min(END_CARD.mostMs, Math.max(END_CARD.leastMs, durationMs * END_CARD.share));
  const endFrames = Math.min(toFrames(endMs), Math.floor(frames / 2));
  const fadeFrames = Math.min(toFrames(FADE_MS), Math.floor(endFrames / 3));
  const shown = listMaterial(order);
  const count = countScenes(order, durationMs - endMs);
  // Every scene but the last is seen until the middle of a fade, so that each fade is counted twice.
  const room = frames - endFrames + count * fadeFrames;
  const scenes = Array.from({ length: count }, (_, index): Scene => {
    const frame = Math.floor((room * (index + 1)) / count) - Math.floor((room * index) / count);
    const round = Math.floor(index / shown.length);
    const { kind, index: at } = shown[index % shown.length] ?? STILL;
    const motion = MOTIONS[(index + round) % MOTIONS.length] ?? 'in';
    return {
      show: kind === 'clip' ? { kind, index: at } : { kind, index: at, motion },
      caption: captions === 0 ? undefined : Math.min(captions - 1, index),
      frames: frame,
    };
  });
  return {
    scenes: [...scenes, { show: { kind: 'end_card' }, caption: undefined, frames: endFrames }],
    fadeFrames,
    frames,
  };
}

type Material = { readonly kind: 'still' | 'clip'; readonly index: number };

const STILL: Material = { kind: 'still', index: 0 };

function listMaterial({ stills, clips }: StoryboardOrder): readonly Material[] {
  const moving = clips.map((_, index): Material => ({ kind: 'clip', index }));
  const still = Array.from({ length: stills }, (_, index): Material => ({ kind: 'still', index }));
  return moving.length + still.length === 0 ? [STILL] : [...moving, ...still];
}

/**
 * Returns as many scenes as there is material and time for; more where one would be looked at for too long or outlast
 * its clip.
 */
function countScenes(order: StoryboardOrder, roomMs: number): number {
  const { clips, captions } = order;
  const most = Math.max(1, Math.floor(roomMs / SCENE_MS.least));
  const longestMs = Math.min(SCENE_MS.most, ...clips.map((ms) => ms - FADE_MS));
  const wanted = Math.max(listMaterial(order).length, Math.min(captions, 2), Math.ceil(roomMs / longestMs));
  return Math.min(most, wanted);
}
