import type { Motion, Scene, Storyboard } from './storyboard.js';
import type { VideoSpec } from './video-spec.js';

/** The files of a video's job, by what they show. Stills and captions are of the video's size. */
export type VideoFiles = {
  readonly stills: readonly string[];
  readonly clips: readonly ClipFile[];
  readonly captions: readonly string[];
  readonly endCard: string;
  /** The finished sound, as long as the video. */
  readonly sound: string;
  readonly output: string;
};

/** A supplied clip and the only demuxer that may read it. */
type ClipFile = { readonly name: string; readonly demuxer: string };

/** How far a still is looked into or along, as a share of its size. */
const PAN_SHARE = 0.08;
/** When a caption comes, and how long it takes. */
const CAPTION_MS = { delay: 250, fade: 350 } as const;
const AUDIO_KBPS = 192;

/** Returns the arguments that ffmpeg makes a video with. Nothing in them is text or an address of anybody else's. */
export function videoArguments(board: Storyboard, spec: VideoSpec, files: VideoFiles): readonly string[] {
  const inputs = listInputs(board, files);
  const graph = [
    ...lengthenLast(board.scenes).map((scene, index) => drawScene(scene, index, inputs, spec)),
    ...fadeScenes(board, spec),
  ];
  const sound = inputs.flatMap(({ args }) => args).filter((one) => one === '-i').length;
  return [
    ...inputs.flatMap(({ args }) => args),
    ...readFile('wav', files.sound),
    '-filter_complex_threads',
    '2',
    '-filter_complex',
    graph.join(';'),
    '-map',
    '[film]',
    '-map',
    `${sound}:a`,
    ...encodeVideo(spec),
    ...encodeAudio(spec),
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    '-flags:v',
    spec.closedGop ? '+bitexact+cgop' : '+bitexact',
    '-flags:a',
    '+bitexact',
    ...MUXERS[spec.container](spec),
    files.output,
  ];
}

/** Returns the arguments that ffmpeg writes the sound of a video with alone, as `videoArguments` writes it. */
export function soundOnlyArguments(input: string, output: string, spec: VideoSpec): readonly string[] {
  const muxer = spec.container === 'webm' ? 'webm' : 'mp4';
  return [...readFile('wav', input), ...encodeAudio(spec), '-flags:a', '+bitexact', '-f', muxer, output];
}

/** The demuxer of each container. */
export const CONTAINER_DEMUXERS: Readonly<Record<VideoSpec['container'], string>> = {
  mp4: 'mov',
  mov: 'mov',
  webm: 'matroska',
};

/** More pictures than there are cross-fades. */
const SPARE_FRAMES = 120;

/** Returns the scenes, the last one longer than it is seen. */
function lengthenLast(scenes: readonly Scene[]): readonly Scene[] {
  return scenes.map((scene, index) =>
    index === scenes.length - 1 ? { ...scene, frames: scene.frames + SPARE_FRAMES } : scene,
  );
}

/** The input of a scene, and that of the caption over it; each is a number of `-i`. */
type SceneInputs = { readonly args: readonly string[]; readonly base: number; readonly caption: number | undefined };

function listInputs(board: Storyboard, { stills, clips, captions, endCard }: VideoFiles): readonly SceneInputs[] {
  let next = 0;
  return board.scenes.map(({ show, caption }) => {
    const base = next;
    next += 1;
    const clip = show.kind === 'clip' ? clips[show.index] : undefined;
    const still = show.kind === 'still' ? (stills[show.index] ?? endCard) : endCard;
    const own = clip === undefined ? readFile('image2', still) : readFile(clip.demuxer, clip.name);
    const over = caption === undefined ? undefined : captions[caption];
    if (over === undefined) return { args: own, base, caption: undefined };
    next += 1;
    return { args: [...own, ...readFile('image2', over)], base, caption: base + 1 };
  });
}

/** Reads a file of the job and nothing that it names: one demuxer, one protocol. */
function readFile(demuxer: string, name: string): readonly string[] {
  return ['-protocol_whitelist', 'file', '-f', demuxer, '-i', name];
}

function drawScene({ show, frames }: Scene, index: number, inputs: readonly SceneInputs[], spec: VideoSpec): string {
  const { base = 0, caption } = inputs[index] ?? {};
  const { width, height, frameRate } = spec;
  const time = `settb=1/${TIME_BASE},setpts=N*${TIME_BASE}/(${frameRate}),fps=${frameRate}`;
  const hold = `loop=loop=${frames - 1}:size=1:start=0,${time}`;
  const cut = `trim=end_frame=${frames},setpts=PTS-STARTPTS`;
  const exact = `scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height},setsar=1,format=yuv420p`;
  const look = {
    clip: () => `[${base}:v]fps=${frameRate},${exact},tpad=stop_mode=clone:stop=${frames},${time},${cut}`,
    end_card: () => `[${base}:v]${exact},${hold},${cut}`,
    still: () =>
      `[${base}:v]${exact},${hold},${show.kind === 'still' ? moveStill(show.motion, frames) : 'null'},${cut}`,
  }[show.kind]();
  if (caption === undefined) return `${look}[s${index}]`;
  const { delay, fade } = CAPTION_MS;
  const shown = `format=rgba,${hold},fade=t=in:st=${delay / 1000}:d=${fade / 1000}:alpha=1`;
  return `${look}[b${index}];[${caption}:v]${shown}[c${index}];[b${index}][c${index}]overlay=shortest=1:format=yuv420,format=yuv420p,${cut}[s${index}]`;
}

/** Ticks of a second: every frame rate that is offered falls on whole ones. */
const TIME_BASE = 90_000;

/** Returns the corners of what is seen of a still, picture by picture; sampled between pixels, so that slow moves do not jitter. */
function moveStill(motion: Motion, frames: number): string {
  const share = `${PAN_SHARE}*${EASED(frames)}`;
  const rest = `${PAN_SHARE}*(1-${EASED(frames)})`;
  // The four edges as shares cut off: left, right, top, bottom.
  const [left, right, top, bottom] = {
    in: [share, share, share, share],
    out: [rest, rest, rest, rest],
    right: [share, rest, `${PAN_SHARE}/2`, `${PAN_SHARE}/2`],
    left: [rest, share, `${PAN_SHARE}/2`, `${PAN_SHARE}/2`],
  }[motion];
  const corners = [
    [left, top],
    [right, top],
    [left, bottom],
    [right, bottom],
  ].map(([across, down], corner) => {
    const x = corner % 2 === 0 ? `W*${across}` : `W-W*${across}`;
    const y = corner < 2 ? `H*${down}` : `H-H*${down}`;
    return `x${corner}='${x}':y${corner}='${y}'`;
  });
  return `perspective=${corners.join(':')}:sense=source:interpolation=linear:eval=frame`;
}

/** Returns how much of a move is done at a picture: slow at both ends. */
const EASED = (frames: number): string => `(0.5-0.5*cos(PI*min(1,on/${Math.max(1, frames - 1)})))`;

function fadeScenes(
  { scenes, fadeFrames, frames: all }: Storyboard,
  { frameRate, framesPerSecond }: VideoSpec,
): readonly string[] {
  const time = (frames: number): string => (frames / framesPerSecond).toFixed(6);
  const [first, ...others] = scenes;
  let shown = first?.frames ?? 0;
  let last = 's0';
  const steps = others.map(({ frames }, at) => {
    const offset = shown - fadeFrames;
    shown += frames - fadeFrames;
    const step = `[${last}][s${at + 1}]xfade=transition=fade:duration=${time(fadeFrames)}:offset=${time(offset)}[x${at + 1}]`;
    last = `x${at + 1}`;
    return step;
  });
  // A cross-fade leaves out a picture; the end card has some to spare.
  return [...steps, `[${last}]fps=${frameRate},setpts=N,trim=end_frame=${all},format=yuv420p[film]`];
}

function encodeVideo({ frameRate, gopFrames, kbps, videoCodec }: VideoSpec): readonly string[] {
  const common = ['-r', frameRate, '-g', String(gopFrames), '-threads', '2'];
  const most = ['-maxrate', `${kbps.most}k`, '-bufsize', `${kbps.most * 2}k`];
  if (videoCodec === 'vp9') {
    const quality = ['-b:v', `${kbps.most}k`, '-crf', '31', '-deadline', 'realtime', '-cpu-used', '6', '-row-mt', '1'];
    return ['-c:v', 'libvpx-vp9', ...quality, ...common, '-pix_fmt', 'yuv420p'];
  }
  const rate =
    kbps.least === undefined
      ? ['-crf', '20', ...most]
      : ['-b:v', `${kbps.most}k`, '-minrate', `${kbps.most}k`, ...most, '-x264-params', 'nal-hrd=cbr:force-cfr=1'];
  const h264 = ['-preset', 'veryfast', '-profile:v', 'high', '-pix_fmt', 'yuv420p'];
  const color = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
  return [
    '-c:v',
    'libx264',
    ...h264,
    ...rate,
    ...color,
    '-keyint_min',
    String(gopFrames),
    '-sc_threshold',
    '0',
    ...common,
  ];
}

function encodeAudio({ audioCodec, sampleRateHz, channels }: VideoSpec): readonly string[] {
  const codec = { aac: 'aac', opus: 'libopus' }[audioCodec];
  return ['-c:a', codec, '-b:a', `${AUDIO_KBPS}k`, '-ar', String(sampleRateHz), '-ac', String(channels)];
}

const MUXERS: Readonly<Record<VideoSpec['container'], (spec: VideoSpec) => readonly string[]>> = {
  mp4: ({ indexAtEnd }) => ['-movflags', indexAtEnd ? '+negative_cts_offsets' : '+faststart', '-f', 'mp4'],
  mov: ({ indexAtEnd }) => ['-movflags', indexAtEnd ? '+negative_cts_offsets' : '+faststart', '-f', 'mov'],
  webm: () => ['-f', 'webm'],
};

/** Milliseconds as seconds. */
export function seconds(ms: number): string {
  return String(ms / 1000);
}
