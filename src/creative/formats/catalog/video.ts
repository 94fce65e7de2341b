import type { FormatParameter, IndividualSlot, Requirements } from '../format.js';
import {
  clickThrough,
  exactly,
  type FormatRow,
  FROM_FORMAT_ID,
  inRole,
  lasting,
  optional,
  PLAYER,
  slot,
  TRACKERS,
  text,
} from './rows.js';

const FILES = { containers: ['mp4', 'mov', 'webm'] } as const;

function videoFile(asset_id: string, limits: Requirements): IndividualSlot {
  return slot(asset_id, 'video', { ...FILES, ...limits });
}

/** Id, length in seconds, name: a spot for in-stream players. */
const SPOTS = [
  ['video_standard_15s', 15, 'Standard Video 15s'],
  ['video_standard_30s', 30, 'Standard Video 30s'],
] as const;

/** The short ids that buyers' tools use, where the asset is named `video`; no length means that each will do. */
const SHORT_SPOTS: readonly (readonly [id: string, name: string, seconds?: number])[] = [
  ['video_15s', 'Video 15s', 15],
  ['video_30s', 'Video 30s', 30],
  ['video_preroll', 'Pre-roll Video'],
  ['video_pre_roll_15s', 'Pre-roll Video 15s', 15],
  ['video_pre_roll_30s', 'Pre-roll Video 30s', 30],
  ['preroll_15s', 'Pre-roll 15s', 15],
  ['preroll_30s', 'Pre-roll 30s', 30],
  ['ssai_15s', 'Server-side Inserted Video 15s', 15],
  ['ssai_30s', 'Server-side Inserted Video 30s', 30],
];

const SIZES = [
  [1920, 1080],
  [1280, 720],
  [1080, 1920],
  [1080, 1080],
] as const;

const CTV_BREAKS = [
  ['preroll', 'Pre-roll', 'before the programme'],
  ['midroll', 'Mid-roll', 'within the programme'],
] as const;

/** Lengths of a broadcast spot, and the ids each has. */
const BROADCAST_SECONDS = [15, 30, 60] as const;

const BROADCAST: Requirements = {
  ...exactly(1920, 1080),
  codecs: ['h264'],
  gop_type: 'closed',
  loudness_lufs: -24,
  loudness_tolerance_db: 2,
};

/** Id, name, which parameter, slots: formats that get their length or size from the format id. */
const TEMPLATES: readonly (readonly [string, string, FormatParameter, FormatRow['slots']])[] = [
  ['video_standard', 'Standard Video', 'duration', [videoFile('video_file', FROM_FORMAT_ID), ...TRACKERS]],
  ['video_hosted', 'Hosted Video', 'duration', [videoFile('video_file', FROM_FORMAT_ID), ...TRACKERS]],
  ['video_dimensions', 'Sized Video', 'dimensions', [videoFile('video_file', FROM_FORMAT_ID), ...TRACKERS]],
  ['video_vast', 'VAST Video', 'duration', [slot('vast_tag', 'vast', FROM_FORMAT_ID)]],
];

function tag30(id: string, name: string): FormatRow {
  return {
    id,
    name,
    description: 'A 30-second video spot served by a VAST tag.',
    type: 'video',
    dimensions: PLAYER,
    slots: [slot('vast_tag', 'vast', { vast_version: '4.2' })],
  };
}

function broadcast(id: string, seconds: number): FormatRow {
  return {
    id,
    name: `Broadcast Spot ${seconds}s`,
    description: `A ${seconds}-second spot for broadcast: 1920x1080, H.264 with closed groups of pictures, -24 LUFS.`,
    type: 'video',
    dimensions: { width: 1920, height: 1080 },
    slots: [
      videoFile('video_file', { ...lasting(seconds), ...BROADCAST, containers: ['mp4', 'mov'] }),
      optional(slot('captions_file', 'url')),
    ],
  };
}

/** The video formats of the catalog and the short ids beside them. */
export const VIDEO_ROWS: readonly FormatRow[] = [
  ...SPOTS.map(
    ([id, seconds, name]): FormatRow => ({
      id,
      name,
      description: `A hosted video spot of exactly ${seconds} seconds for in-stream players.`,
      type: 'video',
      dimensions: PLAYER,
      slots: [videoFile('video_file', lasting(seconds)), ...TRACKERS],
    }),
  ),
  ...SHORT_SPOTS.map(
    ([id, name, seconds]): FormatRow => ({
      id,
      name,
      description: `A video spot${seconds === undefined ? '' : ` of ${seconds} seconds`} with an optional click-through.`,
      type: 'video',
      dimensions: PLAYER,
      slots: [videoFile('video', seconds === undefined ? {} : lasting(seconds)), optional(clickThrough()), ...TRACKERS],
    }),
  ),
  tag30('video_vast_30s', 'VAST Video 30s'),
  tag30('vast_30s', 'VAST Tag 30s'),
  ...CTV_BREAKS.map(
    ([position, name, when]): FormatRow => ({
      id: `video_ctv_${position}_30s`,
      name: `CTV ${name} 30s`,
      description: `A full-screen 30-second spot on connected TV, ${when}.`,
      type: 'video',
      dimensions: PLAYER,
      slots: [videoFile('video_file', { ...lasting(30), containers: ['mp4', 'mov'] }), ...TRACKERS],
      macros: ['PLAYER_SIZE'],
    }),
  ),
  ...SIZES.map(
    ([width, height]): FormatRow => ({
      id: `video_${width}x${height}`,
      name: `Video ${width}x${height}`,
      description: `A hosted video file of exactly ${width}x${height} pixels.`,
      type: 'video',
      dimensions: { width, height },
      slots: [videoFile('video_file', exactly(width, height)), ...TRACKERS],
    }),
  ),
  ...BROADCAST_SECONDS.flatMap((seconds) => [
    broadcast(`broadcast_spot_${seconds}s`, seconds),
    broadcast(`broadcast_${seconds}s`, seconds),
  ]),
  ...TEMPLATES.map(
    ([id, name, parameter, slots]): FormatRow => ({
      id,
      name,
      description: `A video of the ${parameter === 'duration' ? 'length' : 'size'} that the format id names.`,
      type: 'video',
      parameters: [parameter],
      slots,
    }),
  ),
  {
    id: 'video_30s_generative',
    name: 'Generative Video 30s',
    description: 'A 30-second video spot from a sentence or a brief: the agent makes the assets.',
    type: 'video',
    dimensions: PLAYER,
    slots: [
      inRole('generation_prompt', text('generation_prompt', 4000)),
      optional(slot('brief', 'brief')),
      ...TRACKERS,
    ],
    outputs: ['video_standard_30s'],
  },
];
