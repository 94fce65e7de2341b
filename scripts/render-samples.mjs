// Renders ads for one sentence and a fictional brand, offline: node scripts/render-samples.mjs OUTDIR ["message"]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCreative } from '../dist/creative/build/build.js';
import { readBrand } from '../dist/creative/compose/brand.js';
import { builtInWriter } from '../dist/creative/compose/copy/built-in-writer.js';
import { ImageProcessor } from '../dist/creative/compose/pictures/image-processor.js';
import { displayFormat } from './display-format.mjs';

const [folder, message = 'Create a display ad for our summer sale on hiking boots, 20% off until Sunday'] =
  process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/render-samples.mjs OUTDIR ["message"]\n');
  process.exit(2);
}

const SIZES = [
  [300, 250],
  [728, 90],
  [320, 50],
  [160, 600],
  [970, 250],
  [1080, 1080],
];
const brand = readBrand(
  {
    name: 'Acme Outdoor',
    url: 'https://acme-outdoor.example',
    tagline: 'Made for long days on the trail.',
    colors: { primary: '#1b4332', secondary: '#f4a259' },
  },
  { field: 'brand' },
);

const images = new ImageProcessor();

mkdirSync(folder, { recursive: true });
for (const [width, height] of SIZES) {
  const { files } = await buildCreative({
    message,
    brand,
    format: displayFormat(width, height),
    copyWriter: builtInWriter,
    images,
    assetBytes: () => Promise.reject(new Error('Samples need no assets.')),
    publish: ({ name }) => `https://cdn.example/${name}`,
  });
  for (const { bytes } of files) {
    const file = join(folder, `ad-${width}x${height}.png`);
    writeFileSync(file, bytes);
    process.stdout.write(`${file} ${bytes.length} bytes\n`);
  }
}
