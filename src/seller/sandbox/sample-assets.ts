import type { Format, GroupSlot } from '../../creative/formats/format.js';
import type { Asset } from '../../creative/formats/manifest.js';
import type { Creative } from '../domain/creative/creative.js';

/** The host of sample files; it never answers. */
const HOST = 'https://assets.sandbox.example';
const USUAL_MS = 30_000;
/** Pixels of a sample in a piece of no fixed size. */
const USUAL_SIZE = { width: 1280, height: 720 } as const;

/** A sample of what a slot takes, by its type; what is not here cannot be made up. */
const SAMPLES: Partial<Record<GroupSlot['asset_type'], (slot: GroupSlot, format: Format) => Asset>> = {
  image: (slot, format) => ({ asset_type: 'image', url: `${HOST}/sample.png`, ...sizeOf(slot, format) }),
  video: (slot, format) => ({
    asset_type: 'video',
    url: `${HOST}/sample.mp4`,
    ...sizeOf(slot, format),
    duration_ms: durationOf(slot),
  }),
  audio: (slot) => ({ asset_type: 'audio', url: `${HOST}/sample.mp3`, duration_ms: durationOf(slot) }),
  vast: (slot) => ({ asset_type: 'vast', delivery_type: 'inline', vast_version: '4.2', content: tagOf(slot) }),
  text: () => ({ asset_type: 'text', content: 'Sample' }),
  html: () => ({ asset_type: 'html', content: '<p>Sample</p>' }),
  javascript: () => ({ asset_type: 'javascript', content: 'document.write("Sample");' }),
  url: () => ({ asset_type: 'url', url: `${HOST}/` }),
};

/** Returns the assets of a creative that nobody made, with a sample in each place that its format needs and they leave empty. */
export function withSamples(format: Format | undefined, assets: Creative['assets']): Creative['assets'] {
  const missing = (format?.assets ?? []).flatMap((slot) =>
    slot.item_type === 'individual' && slot.required && !Object.hasOwn(assets, slot.asset_id) ? [slot] : [],
  );
  const samples = missing.flatMap((slot) => {
    const sample = format === undefined ? undefined : SAMPLES[slot.asset_type]?.(slot, format);
    return sample === undefined ? [] : [[slot.asset_id, sample] as const];
  });
  return { ...assets, ...Object.fromEntries(samples) };
}

function sizeOf({ requirements = {} }: GroupSlot, { renders }: Format): { width: number; height: number } {
  const { min_width: width, min_height: height } = requirements;
  if (typeof width === 'number' && typeof height === 'number') return { width, height };
  const piece = renders[0]?.dimensions;
  if (piece?.width === undefined || piece.height === undefined) return USUAL_SIZE;
  return { width: piece.width, height: piece.height };
}

function durationOf({ requirements = {} }: GroupSlot): number {
  const { min_duration_ms: least, max_duration_ms: most } = requirements;
  if (typeof least === 'number') return least;
  return typeof most === 'number' ? Math.min(most, USUAL_MS) : USUAL_MS;
}

function tagOf(slot: GroupSlot): string {
  const length = new Date(durationOf(slot)).toISOString().slice(11, 19);
  return [
    '<VAST version="4.2"><Ad id="sample"><InLine><AdSystem>sandbox</AdSystem><AdTitle>Sample</AdTitle>',
    `<Impression><![CDATA[${HOST}/impression]]></Impression><Creatives><Creative><Linear><Duration>${length}</Duration>`,
    '<MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1280" height="720">',
    `<![CDATA[${HOST}/sample.mp4]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`,
  ].join('');
}
