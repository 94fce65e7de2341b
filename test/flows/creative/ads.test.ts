import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../../src/creative/build/session.js';
import { readBrand } from '../../../src/creative/compose/brand.js';
import { builtInWriter } from '../../../src/creative/compose/copy/built-in-writer.js';
import { composeAd } from '../../../src/creative/compose/layout/layout.js';
import type { Ad } from '../../../src/creative/compose/layout/nodes.js';
import { contrast, rgbOf } from '../../../src/creative/compose/pictures/color.js';
import { ImageProcessor } from '../../../src/creative/compose/pictures/image-processor.js';
import { houseFormats } from '../../../src/creative/formats/catalog/catalog.js';

import { draw, expectReadable, expectSound, texts } from '../../creative/build/ad-checks.js';
import { boot } from '../../kit/boot.js';
import { type RendererClient, rendererClient, type WireAsset } from '../../kit/renderer.js';

const SIZES = [
  [300, 250],
  [728, 90],
  [320, 50],
] as const;

/** A fictional brand and what it wants said. `colors` in either wire form, or none. */
type Order = { readonly what: string; readonly message: string; readonly brand: object; readonly primary?: string };

const ORDERS: readonly Order[] = [
  {
    what: 'a usual one',
    message: 'Spring sale: 20% off trail running shoes, free shipping',
    brand: {
      name: 'Acme Outdoor',
      url: 'https://acme-outdoor.example',
      colors: { primary: '#1b4332', secondary: '#f4a259' },
    },
    primary: '#1b4332',
  },
  {
    what: 'one word',
    message: 'Jump',
    brand: { name: 'Oz', colors: { primary: '#7c3aed', secondary: '#fde047' } },
    primary: '#7c3aed',
  },
  {
    what: 'a very long message',
    message: `Create a display ad for our autumn collection. ${'We make furniture out of oak that grew within a day of the workshop, oiled by hand, with a guarantee of twenty-five years and free delivery to the room of your choice. '.repeat(8)}`,
    brand: {
      name: 'The Harbourside Oak and Linen Furniture Company',
      colors: { primary: '#5b3a29', secondary: '#e9d8a6' },
    },
    primary: '#5b3a29',
  },
  {
    what: 'accents',
    message: 'Été: 30 % de réduction sur les vélos électriques à Orléans, jusqu’à dimanche',
    brand: { name: 'Vélo Zoë & Cie', colors: { primary: '#0f4c81', secondary: '#ffb703' } },
    primary: '#0f4c81',
  },
  {
    what: 'all capitals',
    message: 'MEGA WINTER CLEARANCE! UP TO 70% OFF EVERYTHING TODAY ONLY!!!',
    brand: { name: 'BARGAIN BARN', colors: { primary: '#b00020', secondary: '#ffffff' } },
    primary: '#b00020',
  },
  {
    what: 'nearly black',
    message: 'New: the silent record player. Pre-order now',
    brand: { name: 'Nocturne Audio', colors: { primary: '#0a0a0a', secondary: '#1a1a2e' } },
    primary: '#0a0a0a',
  },
  {
    what: 'nearly white',
    message: 'Gentle skincare for every day, from $12',
    brand: { name: 'Milk & Oat', colors: { primary: '#fffbea', secondary: '#fef3c7' } },
    primary: '#fffbea',
  },
  {
    what: 'neon',
    message: 'Book a night ride through the city',
    brand: { name: 'Glow Bikes', colors: { primary: '#39ff14', secondary: '#ff00ff' } },
    primary: '#39ff14',
  },
  {
    what: 'grey on grey',
    message: 'Concrete floors that last. Get a quote',
    brand: { name: 'Slab', colors: { primary: '#808080', secondary: '#7f7f7f' } },
    primary: '#808080',
  },
  {
    what: 'no colors',
    message: 'Learn Portuguese in 12 weeks, first lesson free',
    brand: { name: 'Lisboa Lingua', url: 'https://lingua.example' },
  },
  {
    what: 'colors in a list',
    message: 'Two-for-one pizza every Tuesday',
    brand: {
      name: 'Bistro Oranje',
      colors: [
        { hex: '#FFE8CC', type: 'secondary' },
        { hex: '#C2410C', type: 'primary' },
      ],
    },
    primary: '#c2410c',
  },
  {
    what: 'one word that is longer than the ad',
    message: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    brand: { name: 'Bundesvereinigung', colors: { primary: '#f0a', secondary: '#0ff' } },
    primary: '#ff00aa',
  },
];

const FORMATS = new Map(houseFormats('https://seller.example').map((format) => [format.format_id.id, format]));
const idOf = ([width, height]: readonly [number, number]): string => `display_${width}x${height}_image`;

const IMAGES = new ImageProcessor();

/** The layout behind the picture that the tool answers: its boxes and colors cannot be read off pixels. */
async function layoutOf({ message, brand }: Order, size: readonly [number, number]): Promise<Ad> {
  const format = FORMATS.get(idOf(size));
  if (format === undefined) throw new Error(`there is no format ${idOf(size)}`);
  const session = await openSession({
    message,
    brand: readBrand({ brand_manifest: brand }, { field: 'brand' }),
    format,
    assetBytes: () => Promise.reject(new Error('nothing is fetched for this')),
    publish: () => 'https://seller.example/a.png',
    copyWriter: builtInWriter,
    images: IMAGES,
  });
  return composeAd(await session.content(), ...size);
}

async function pixelsOf(
  url: string,
): Promise<{ readonly data: Buffer; readonly width: number; readonly height: number }> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Share of the pixels that are a color, as far as a palette of 256 keeps it. */
function shareOf(data: Buffer, hex: string): number {
  const wanted = rgbOf(hex);
  let found = 0;
  for (let at = 0; at < data.length; at += 3) {
    if (wanted.every((channel, index) => Math.abs((data[at + index] ?? 0) - channel) <= 4)) found += 1;
  }
  return found / (data.length / 3);
}

/** Mean difference of two pictures per channel, 0 to 255. */
function differenceOf(one: Buffer, other: Buffer): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

let renderer: RendererClient;

beforeAll(async () => {
  renderer = rendererClient(await boot());
});

describe.each(ORDERS)('$what', (order) => {
  let images: readonly (WireAsset | undefined)[];

  beforeAll(async () => {
    const { creative_manifests } = await renderer.must('build_creative', {
      message: order.message,
      creative_manifest: { assets: { promoted_offerings: { brand_manifest: order.brand } } },
      target_format_ids: SIZES.map((size) => renderer.format(idOf(size))),
    });
    images = creative_manifests.map(({ assets }) => assets.banner_image);
  });

  test.each(SIZES.map((size, at) => [...size, at] as const))('as %ix%i is an ad', async (width, height, at) => {
    const { data, ...size } = await pixelsOf(images[at]?.url ?? '');
    expect(size).toEqual({ width, height });
    const ad = await layoutOf(order, [width, height]);
    // The picture of the tool is this layout; what is found out about the layout holds for it.
    expect(differenceOf(data, (await draw(ad)).data)).toBeLessThan(1);

    const { ground, accent, accentInk } = ad.content.palette;
    const { family, block } = ad.content;
    if (order.primary !== undefined) expect([ground, block.ground]).toContain(order.primary);
    if (order.primary !== undefined && family.scheme === 'brand') expect(ground).toBe(order.primary);
    expect(shareOf(data, ground)).toBeGreaterThan(0.1);
    expectSound(ad);
    await expectReadable(ad);

    const button = ad.nodes.find((node) => node.role === 'action' && node.kind === 'rect');
    const label = texts(ad).find((node) => node.role === 'action');
    expect([button?.kind === 'rect' && button.fill, label?.color]).toEqual([accent, accentInk]);
    expect(contrast(accent, ground)).toBeGreaterThanOrEqual(3);
    expect(shareOf(data, accent)).toBeGreaterThan(0.01);
    // It can be read: no text is smaller than small print on a phone.
    for (const { role, fitted } of texts(ad))
      expect({ role, size: fitted.style.size >= 7 }).toEqual({ role, size: true });
  });

  test('says the same in its alternative text, and as HTML', async () => {
    const ad = await layoutOf(order, [300, 250]);
    for (const image of images) expect(image?.alt_text?.length).toBeGreaterThan(1);
    const { creative_manifest: built } = await renderer.must('build_creative', {
      message: order.message,
      creative_manifest: { assets: { promoted_offerings: { brand_manifest: order.brand } } },
      target_format_id: renderer.format('display_300x250_html'),
    });
    const { content = '' } = built.assets.html_creative ?? {};
    expect(content).toContain(ad.content.palette.ground);
    expect(content).toContain('{CLICK_URL}');
  });
});
