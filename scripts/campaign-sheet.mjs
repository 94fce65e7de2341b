// Draws twelve campaigns in six sizes and four writings, and a sheet of them for each writing: node scripts/campaign-sheet.mjs OUTDIR [LANGUAGE…]
// With `--ads` every ad is written beside the sheets at its full size. Offline; the brands are fictional.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { buildCreative } from '../dist/creative/build/build.js';
import { readBrand } from '../dist/creative/compose/brand.js';
import { ImageProcessor } from '../dist/creative/compose/pictures/image-processor.js';
import { briefs, languages } from './campaigns/briefs.mjs';
import { drawLogo } from './campaigns/logos.mjs';
import { drawScene } from './campaigns/scenes.mjs';
import { displayFormat } from './display-format.mjs';

/** Where the six sizes of a campaign lie on the sheet: width and height of the ad, left and top, and the height it is shown at. */
const PLACES = [
  [160, 600, 0, 0],
  [970, 250, 172, 0],
  [728, 90, 172, 262],
  [300, 250, 172, 364],
  [320, 50, 484, 364],
  [1080, 1080, 912, 262, 230],
];
/** A page that is neither, so that white ads are seen as well as black ones. */
const PAGE = '#d9dbe0';
const TILE = { width: 1142, height: 614, gap: 26, columns: 3 };

const words = process.argv.slice(2);
const [folder, ...wanted] = words.filter((word) => !word.startsWith('--'));
if (folder === undefined) {
  process.stderr.write('usage: node scripts/campaign-sheet.mjs OUTDIR [LANGUAGE…] [--ads] [--scale=0.5]\n');
  process.exit(2);
}
const scale = Number(words.find((word) => word.startsWith('--scale='))?.slice(8) ?? 0.5);
const images = new ImageProcessor();
const files = new Map();
mkdirSync(folder, { recursive: true });

/** Returns the bytes behind the addresses of the briefs: `https://cdn.example/scene/NAME` and `…/logo/NAME`. */
function assetBytes(url) {
  const [kind, name] = new URL(url).pathname.slice(1).split('/');
  const drawn = files.get(url) ?? (kind === 'scene' ? drawScene(name) : drawLogo(name));
  files.set(url, drawn);
  return drawn;
}

/** Returns the picture of one ad. */
async function drawAd(brief, at, { width, height }) {
  const { brand, scene, logo } = brief;
  const pick = (texts) => texts?.[at];
  const copy = {
    language: languages[at],
    headline: pick(brief.headline),
    body: pick(brief.body),
    eyebrow: pick(brief.eyebrow),
    offer: pick(brief.offer),
    legal: pick(brief.legal),
    callToAction: pick(brief.action),
  };
  const marks =
    logo === undefined
      ? []
      : [
          { url: `https://cdn.example/logo/${logo}-light`, background: 'light-bg' },
          { url: `https://cdn.example/logo/${logo}-dark`, background: 'dark-bg' },
        ];
  const inline = scene === undefined ? [] : [{ name: brand.name, image_url: `https://cdn.example/scene/${scene}` }];
  const built = await buildCreative({
    message: copy.headline,
    brand: readBrand({ ...brand, logos: marks, inline_offerings: inline }, { field: 'brand' }),
    format: displayFormat(width, height),
    copyWriter: { write: async () => copy },
    images,
    assetBytes,
    publish: ({ name }) => `https://cdn.example/${name}`,
  });
  return built.files[0].bytes;
}

/** Returns a campaign as one picture: its six sizes side by side. */
async function drawCampaign(brief, at, number) {
  const layers = [];
  for (const [width, height, left, top, shown = height] of PLACES) {
    const bytes = await drawAd(brief, at, { width, height });
    if (words.includes('--ads'))
      writeFileSync(path.join(folder, `${languages[at]}-${number}-${width}x${height}.png`), bytes);
    layers.push({ input: await sharp(bytes).resize({ height: shown }).toBuffer(), left, top });
  }
  return sharp({ create: { width: TILE.width, height: TILE.height, channels: 3, background: PAGE } })
    .composite(layers)
    .png()
    .toBuffer();
}

for (const [at, language] of languages.entries()) {
  if (wanted.length > 0 && !wanted.includes(language)) continue;
  const { width, height, gap, columns } = TILE;
  const tiles = [];
  for (const [index, brief] of briefs.entries()) {
    const left = gap + (index % columns) * (width + gap);
    const top = gap + Math.floor(index / columns) * (height + gap);
    tiles.push({ input: await drawCampaign(brief, at, index + 1), left, top });
  }
  const rows = Math.ceil(briefs.length / columns);
  const whole = { width: gap + columns * (width + gap), height: gap + rows * (height + gap) };
  const sheet = await sharp({ create: { ...whole, channels: 3, background: PAGE } })
    .composite(tiles)
    .png()
    .toBuffer();
  const file = path.join(folder, `campaigns-${language}.webp`);
  const { size } = await sharp(sheet)
    .resize({ width: Math.round(whole.width * scale) })
    .webp({ quality: 76, effort: 6, smartSubsample: true })
    .toFile(file);
  process.stdout.write(`${file} ${size} bytes\n`);
}
