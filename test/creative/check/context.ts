import { checkManifest } from '../../../src/creative/check/check.js';
import type { AssetProbe, FetchedAsset } from '../../../src/creative/check/file.js';
import type { Finding } from '../../../src/creative/check/finding.js';
import { houseFormats } from '../../../src/creative/formats/catalog/catalog.js';
import type { AssetType, Format, Slot } from '../../../src/creative/formats/format.js';
import type { Manifest } from '../../../src/creative/formats/manifest.js';
import { writeVast } from '../../../src/creative/vast/write.js';

export const HOUSE = 'http://127.0.0.1:3000/creative/mcp';
const formats = houseFormats(HOUSE);
export const format = (id: string) => formats.find((each) => each.format_id.id === id) as Format;

export function formatOf(...assets: readonly Slot[]): Format {
  return { ...format('display_300x250'), assets, assets_required: assets.filter((slot) => slot.required) };
}
export const slotOf = (asset_type: AssetType, requirements: object): Slot => ({
  item_type: 'individual',
  asset_id: 'it',
  asset_type,
  required: true,
  requirements: { ...requirements },
});

/** A probe that answers these bytes for every URL. */
export const holding =
  (bytes: Uint8Array, more: FetchedAsset = {}): AssetProbe =>
  async () => ({ bytes, ...more });

export const check = (assets: Record<string, unknown>, of: Format, probe?: AssetProbe, strictKeys = false) =>
  checkManifest({ manifest: { assets } as Manifest, format: of, probe, strictKeys });
export const errorsOf = (findings: readonly Finding[]) => findings.filter(({ severity }) => severity === 'error');
export const brief = (findings: readonly Finding[]) =>
  findings.map(({ severity, pointer, keyword }) => [severity, pointer, keyword]);

export const image = (more: object = {}) => ({ url: 'https://cdn.example/a.png', width: 300, height: 250, ...more });
export const video = (more: object = {}) => ({ url: 'https://cdn.example/a.mp4', ...more });
export const audio = (more: object = {}) => ({ url: 'https://cdn.example/a.mp3', ...more });
export const text = (content: string) => ({ content });
export const url = (value: string, more: object = {}) => ({ url: value, ...more });
export const tag = (version: string, duration = '00:00:30') =>
  writeVast({
    id: 'a',
    title: 'a',
    adSystem: 'a',
    durationMs: 1,
    mediaFiles: [{ url: 'https://cdn.example/a.mp4', width: 1920, height: 1080 }],
    trackers: [{ event: 'impression', url: 'https://t.example/i' }],
  })
    .replace('4.2', version)
    .replace('00:00:00.001', duration);
export const daast = (version: string) =>
  `<DAAST version="${version}"><Ad><InLine><Creatives><Creative><Linear><Duration>00:00:30</Duration><MediaFiles><MediaFile>https://a.example/a.mp3</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></DAAST>`;
export const catalog = (items: readonly object[], more: object = {}) => ({ type: 'offering', items, ...more });
