import { availableParallelism } from 'node:os';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ImageProcessor,
  limitDrawing,
  type OutputFormat,
} from '../../../../src/creative/compose/pictures/image-processor.js';

const images = new ImageProcessor();

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"><rect width="300" height="250" fill="#1b4332"/><circle cx="150" cy="120" r="80" fill="#f4a259"/></svg>';
/** Noise: nothing compresses it. */
let noise: Buffer;
let photo: Buffer;

beforeAll(async () => {
  let seed = 7;
  const pixels = Buffer.alloc(600 * 400 * 3);
  for (let at = 0; at < pixels.length; at += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    pixels[at] = seed >> 16;
  }
  noise = await sharp(pixels, { raw: { width: 600, height: 400, channels: 3 } })
    .png()
    .toBuffer();
  photo = await sharp(noise).blur(8).jpeg().toBuffer();
});

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) });

describe('an SVG of ours', () => {
  it.each(['png', 'jpeg', 'webp'] as const)(
    'becomes a %s of the exact size, the same bytes each time',
    async (format) => {
      const order = { width: 300, height: 250, format };
      const [one, two] = await Promise.all([images.renderSvg(DRAWING, order), images.renderSvg(DRAWING, order)]);
      expect(one).toMatchObject({ width: 300, height: 250, mime: `image/${format}` });
      expect(Buffer.from(one.bytes).equals(Buffer.from(two.bytes))).toBe(true);
    },
  );

  it('is drawn larger at a density', async () => {
    const double = await images.renderSvg(DRAWING, { width: 600, height: 500, format: 'png', density: 144 });
    expect(await sharp(double.bytes).metadata()).toMatchObject({ width: 600, height: 500 });
  });
});

describe('the weight limit', () => {
  it('is met step by step: fewer colors, another format, less quality', async () => {
    const sizes = [400_000, 120_000, 60_000];
    const results = await Promise.all(
      sizes.map((maxBytes) =>
        images.fitImage(noise, { width: 300, height: 250, fit: 'cover', format: 'png', others: ['jpeg'], maxBytes }),
      ),
    );
    for (const [index, { bytes }] of results.entries()) expect(bytes.length).toBeLessThanOrEqual(sizes[index] ?? 0);
    expect(results.map(({ mime }) => mime)).toEqual(['image/png', 'image/jpeg', 'image/jpeg']);
  });

  it('that nothing meets is an error that says so', async () => {
    const order = { width: 300, height: 250, fit: 'cover', format: 'png', maxBytes: 500 } as const;
    await expect(images.fitImage(noise, order)).rejects.toEqual(refusal(/below 500 bytes/));
  });
});

describe('a picture from outside', () => {
  it.each([
    [728, 90, 'cover'],
    [160, 600, 'cover'],
    [728, 90, 'contain'],
    [728, 90, 'extend'],
    [160, 600, 'extend'],
  ] as const)('fits %ix%i, %s', async (width, height, fit) => {
    for (const format of ['png', 'jpeg', 'webp'] satisfies OutputFormat[]) {
      const fitted = await images.fitImage(photo, { width, height, fit, format });
      expect(await sharp(fitted.bytes).metadata()).toMatchObject({ width, height, format });
    }
  });

  it('loses its metadata and is turned upright', async () => {
    const turned = await sharp(photo).withMetadata({ orientation: 6 }).toBuffer();
    expect(await images.readPicture(turned)).toMatchObject({
      width: 400,
      height: 600,
      format: 'jpg',
      transparent: false,
    });
    const fitted = await images.fitImage(turned, { width: 100, height: 150, fit: 'cover', format: 'jpeg' });
    expect((await sharp(fitted.bytes).metadata()).exif).toBeUndefined();
  });

  it('is refused when it breaks off', async () => {
    const order = { width: 100, height: 100, fit: 'cover', format: 'png' } as const;
    await expect(images.fitImage(noise.subarray(0, noise.length / 2), order)).rejects.toEqual(refusal(/ends before/));
    const patched = Buffer.from(noise);
    patched.fill(0, 5000, 90_000);
    await expect(images.fitImage(patched, order)).rejects.toEqual(refusal(/ends before|damaged/));
  });

  it('of 40,000 x 40,000 pixels is refused by its header', async () => {
    const order = { width: 10, height: 10, fit: 'cover', format: 'png' } as const;
    await expect(images.fitImage(pngOf(40_000, 40_000), order)).rejects.toEqual(refusal(/40000x40000/));
  });

  it.each([
    [
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
    ],
    ['<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>'],
    ['PK\x03\x04 a zip'],
    ['%PDF-1.7'],
    [''],
    ['hello'],
  ])('is refused when it is %j', async (text) => {
    const order = { width: 10, height: 10, fit: 'cover', format: 'png' } as const;
    await expect(images.fitImage(Buffer.from(text), order)).rejects.toEqual(refusal(/^The image /));
  });
});

describe('drawing', () => {
  it.each([
    [1, 1, 1],
    [2, 1, 1],
    [3, 2, 1],
    [4, 3, 1],
    [6, 3, 1],
    [8, 3, 2],
    [16, 3, 5],
  ])('on %i cores goes on with %i pictures at once, on %i threads each', (cores, pictures, threadsEach) => {
    expect(limitDrawing(cores)).toEqual({ pictures, threadsEach });
  });

  it('keeps to that, whatever is asked for at once', async () => {
    const { pictures, threadsEach } = limitDrawing(availableParallelism());
    const order = { width: 300, height: 250, format: 'png' } as const;
    const all = Promise.all([
      ...Array.from({ length: 12 }, () => images.renderSvg(DRAWING, order)),
      ...Array.from({ length: 4 }, () => images.fitImage(photo, { ...order, fit: 'extend' })),
    ]);
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, sharp.counters().process + sharp.counters().queue);
    }, 1);
    await all;
    clearInterval(watch);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(pictures);
    expect(sharp.concurrency()).toBe(threadsEach);
  });
});

/** A PNG whose header promises a size, with hardly any data behind it. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(8 + data.length + 4);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), 8 + data.length);
    return out;
  };
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
