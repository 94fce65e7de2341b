/**
 * A process that draws the same SVG as PNG, as fast as it can: through our own renderer, or with sharp alone.
 *
 *   node test/bench/draw.mjs ours|bare [threads]
 *
 * On the message `{ seconds }` it draws with four callers for so long and answers `{ perSecond, cpuMicros, hash }`; a
 * bare one keeps to `threads` where they are given.
 */
import { createHash } from 'node:crypto';
import { FAMILIES } from '../../dist/creative/compose/design/family.js';
import { buildPalettes } from '../../dist/creative/compose/design/scheme.js';
import { composeAd } from '../../dist/creative/compose/layout/layout.js';
import { layoutSvg } from '../../dist/creative/compose/layout/svg.js';
import { ImageProcessor } from '../../dist/creative/compose/pictures/image-processor.js';

const callers = 4;
const headline = '20% off trail running shoes';
const images = new ImageProcessor();
const fonts = await images.fonts.open([headline], 'en');
const [width, height] = [300, 250];
const svg = layoutSvg(
  composeAd(
    {
      brandName: 'Acme Outdoor',
      eyebrow: 'Spring sale',
      headline,
      body: 'Free shipping on every order until Sunday.',
      callToAction: 'Shop now',
      offer: '20% off',
      fonts,
      motif: 'ridge',
      family: FAMILIES.classic,
      ...buildPalettes({ primary: '#1b4332', secondary: '#f4a259' }, 'brand'),
    },
    width,
    height,
  ),
);

/** Draws the same outlines with sharp and nothing else. */
async function bare(threads) {
  const { default: sharp } = await import('sharp');
  if (threads !== undefined) sharp.concurrency(Number(threads));
  const input = Buffer.from(svg);
  return () => sharp(input).png().toBuffer();
}

const [kind, threads] = process.argv.slice(2);
const draw =
  kind === 'ours'
    ? async () => (await images.renderSvg(svg, { width, height, format: 'png' })).bytes
    : await bare(threads);

process.on('message', async ({ seconds }) => {
  const begin = performance.now();
  const cpuBefore = process.cpuUsage();
  let drawn = 0;
  let last;
  const caller = async () => {
    while (performance.now() - begin < seconds * 1000) {
      last = await draw();
      drawn++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const cpu = process.cpuUsage(cpuBefore);
  process.send({
    perSecond: (drawn * 1000) / (performance.now() - begin),
    cpuMicros: (cpu.user + cpu.system) / drawn,
    hash: createHash('sha256').update(last).digest('hex'),
  });
});
process.send('ready');
