import { expect, test } from 'vitest';
import { houseFormats } from '../../../src/creative/formats/catalog/catalog.js';
import { boot } from '../../kit/boot.js';
import { succeeded } from '../../kit/buyer.js';
import { FFMPEG, NEEDS_FFMPEG } from '../../kit/ffmpeg.js';

const KINDS = new Map(houseFormats('https://x.example').map(({ format_id, type }) => [format_id.id, type]));

/** The formats that a server says it makes, those of them that are video or audio, and those that it lists. */
async function offer(ffmpegPath: string | undefined): Promise<Readonly<Record<'made' | 'spots' | 'listed', string[]>>> {
  const server = await boot({ settings: { ffmpegPath } });
  const ask = async (task: string) => succeeded(await server.call(task, {}, { tenant: 'creative', version: '3.1' }));
  const { creative } = (await ask('get_adcp_capabilities')) as unknown as {
    creative: { supported_formats: readonly { capability_id: string }[] };
  };
  const { formats } = (await ask('list_creative_formats')) as unknown as {
    formats: readonly { format_id: { id: string } }[];
  };
  const made = creative.supported_formats.map(({ capability_id }) => capability_id);
  const isSpot = (id: string): boolean => ['video', 'audio'].includes(KINDS.get(id) ?? '');
  return { made, spots: made.filter(isSpot), listed: formats.map(({ format_id }) => format_id.id) };
}

test.skipIf(FFMPEG === undefined)(
  `${NEEDS_FFMPEG}capabilities differ by video and audio, and by nothing else, with ffmpeg and without it; the list has all that are taken`,
  async () => {
    const [bare, full] = [await offer(undefined), await offer(FFMPEG)];
    expect(bare.spots).toEqual([]);
    expect(full.spots.length).toBeGreaterThan(0);
    expect(full.made.filter((id) => !full.spots.includes(id))).toEqual(bare.made);
    expect(full.listed).toEqual(bare.listed);
  },
);
