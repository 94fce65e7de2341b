// Draws the ads that the built-in writer makes of the tested briefs, one beside the other: node scripts/briefs-sheet.mjs OUTDIR
// Offline; the brands are fictional.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { buildCreative } from '../dist/creative/build/build.js';
import { readBrand } from '../dist/creative/compose/brand.js';
import { builtInWriter } from '../dist/creative/compose/copy/built-in-writer.js';
import { ImageProcessor } from '../dist/creative/compose/pictures/image-processor.js';
import { displayFormat } from './display-format.mjs';

const [WIDTH, HEIGHT, GAP, COLUMNS] = [300, 250, 12, 8];
const COLORS = ['#14532d', '#1e3a8a', '#7c2d12', '#4c1d95', '#0f766e', '#9f1239'];

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/briefs-sheet.mjs OUTDIR\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const format = displayFormat(WIDTH, HEIGHT);
const images = new ImageProcessor();

for (const set of ['developed', 'held-out', 'later', 'fresh', 'terse', 'messy', 'cold', 'added', 'mixed']) {
  const file = new URL(`../test/creative/compose/copy/briefs/${set}.json`, import.meta.url);
  const ads = [];
  for (const [index, { brand: name, message }] of JSON.parse(readFileSync(file, 'utf8')).entries()) {
    const colors = { primary: COLORS[index % COLORS.length] };
    const brand = readBrand({ name, colors }, { field: 'brand' });
    const { files } = await buildCreative({
      message,
      brand,
      format,
      copyWriter: builtInWriter,
      images,
      assetBytes: () => Promise.reject(new Error('Briefs need no assets.')),
      publish: ({ name: picture }) => `https://cdn.example/${picture}`,
    });
    ads.push(files[0].bytes);
  }
  const rows = Math.ceil(ads.length / COLUMNS);
  const at = (index, size) => GAP + index * (size + GAP);
  const sheet = path.join(folder, `${set}.png`);
  await sharp({
    create: { width: at(COLUMNS, WIDTH), height: at(rows, HEIGHT), channels: 3, background: '#d9dbe0' },
  })
    .composite(
      ads.map((input, index) => ({
        input,
        left: at(index % COLUMNS, WIDTH),
        top: at(Math.floor(index / COLUMNS), HEIGHT),
      })),
    )
    .png()
    .toFile(sheet);
  process.stdout.write(`${sheet}\n`);
}
