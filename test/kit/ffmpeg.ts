import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg } from '../../src/creative/media/find-ffmpeg.js';
import { temporaryFolder } from './surroundings.js';

const run = promisify(execFile);

/** Path of ffmpeg on this machine; tests that need it are skipped, and say so, where it is undefined. */
export const FFMPEG = await findFfmpeg(undefined, process.env.PATH);

/** What tests that are skipped without ffmpeg are named behind. */
export const NEEDS_FFMPEG = FFMPEG === undefined ? 'SKIPPED, ffmpeg is not installed: ' : '';

/** Makes a file with ffmpeg and returns its bytes; `name` has the ending of its kind. */
export async function makeMedia(name: string, args: readonly string[]): Promise<Buffer> {
  const folder = temporaryFolder('seller-agent-media-');
  const file = path.join(folder, name);
  await run(FFMPEG ?? 'ffmpeg', ['-y', '-loglevel', 'error', ...args, file]);
  const { readFile } = await import('node:fs/promises');
  return readFile(file);
}

/** What ffprobe says of a file: its format and its streams. */
export type Probed = {
  readonly format: { readonly duration: string; readonly format_name: string };
  readonly streams: readonly {
    readonly codec_type: string;
    readonly codec_name: string;
    readonly width?: number;
    readonly height?: number;
    readonly r_frame_rate: string;
    readonly nb_read_packets: string;
    readonly duration?: string;
    readonly sample_rate?: string;
  }[];
};

/** Returns what ffprobe says of bytes. */
export async function probeWithFfprobe(bytes: Uint8Array): Promise<Probed> {
  const file = keep(bytes);
  const ffprobe = (FFMPEG ?? 'ffmpeg').replace(/ffmpeg([^/]*)$/, 'ffprobe$1');
  const { stdout } = await run(ffprobe, [
    ...['-v', 'error', '-count_packets', '-show_format', '-show_streams', '-of', 'json', file],
  ]);
  return JSON.parse(stdout) as Probed;
}

/** Returns the integrated loudness of bytes by EBU R 128, in LUFS, and the true peak in dBTP. */
export async function measureLoudness(bytes: Uint8Array): Promise<{ readonly lufs: number; readonly peak: number }> {
  const args = [
    '-nostats',
    '-hide_banner',
    '-i',
    keep(bytes),
    '-map',
    '0:a',
    '-af',
    'ebur128=peak=true',
    '-f',
    'null',
    '-',
  ];
  const { stderr } = await run(FFMPEG ?? 'ffmpeg', args);
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  return {
    lufs: Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1]),
    peak: Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1]),
  };
}

/** Returns the picture of a video at a second, as PNG. */
export async function frameAt(bytes: Uint8Array, seconds: number): Promise<Buffer> {
  return makeMedia('frame.png', ['-i', keep(bytes), '-ss', String(seconds), '-frames:v', '1']);
}

function keep(bytes: Uint8Array): string {
  const file = path.join(temporaryFolder('seller-agent-media-'), 'file');
  writeFileSync(file, bytes);
  return file;
}
