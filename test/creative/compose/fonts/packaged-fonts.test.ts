import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { fontFile, fontsConf, PackagedFonts } from '../../../../src/creative/compose/fonts/packaged-fonts.js';
import { ImageProcessor } from '../../../../src/creative/compose/pictures/image-processor.js';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'no-fonts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60" font-family="Inter"><rect width="300" height="60" fill="#fff"/><text x="10" y="40" font-size="30" font-weight="800">Hiking boots</text></svg>';

/** An environment in which the system's fonts and their configuration cannot be found. */
const BARE = {
  PATH: process.env.PATH,
  HOME: join(folder, 'home'),
  TMPDIR: folder,
  XDG_DATA_HOME: join(folder, 'data'),
  XDG_DATA_DIRS: join(folder, 'data'),
  XDG_CACHE_HOME: join(folder, 'cache'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  FONTCONFIG_PATH: join(folder, 'nowhere'),
};

async function hashInChild(program: string, env: Record<string, string | undefined>): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { env, cwd: resolve('.') });
  return stdout.trim();
}

describe('fonts', () => {
  it('come with the package', () => {
    for (const weight of [400, 600, 800] as const) expect(statSync(fontFile(weight)).size).toBeGreaterThan(100_000);
  });

  it('are the only ones that the written configuration names', () => {
    const conf = readFileSync(new PackagedFonts().configure(), 'utf8');
    const folders = [...conf.matchAll(/<dir>(.*?)<\/dir>/g)].map((match) => match[1]);
    expect(folders).toHaveLength(3);
    expect(folders.every((one) => one?.includes('@expo-google-fonts'))).toBe(true);
    expect(process.env.FONTCONFIG_FILE).toBe(new PackagedFonts().configure());
  });

  it('survive a path with XML characters', () => {
    expect(fontsConf(['/a & b/<c>/x.ttf'], '/cache')).toContain('<dir>/a &amp; b/&lt;c></dir>');
  });

  it('draw the same bytes on a machine without any font', async () => {
    const here = await new ImageProcessor().renderSvg(SVG, { width: 300, height: 60, format: 'png' });
    const program = `
      import { createHash } from 'node:crypto';
      import { ImageProcessor } from './dist/creative/compose/pictures/image-processor.js';
      const { bytes } = await new ImageProcessor().renderSvg(${JSON.stringify(SVG)}, { width: 300, height: 60, format: 'png' });
      console.log(createHash('sha256').update(bytes).digest('hex'));`;
    const there = await hashInChild(program, BARE);
    expect(there).toBe(createHash('sha256').update(here.bytes).digest('hex'));
  });

  it('are glyphs and not boxes: without them the ink is another', async () => {
    const none = join(folder, 'none.conf');
    writeFileSync(none, `<fontconfig><cachedir>${folder}</cachedir></fontconfig>`);
    const ink = `
      import sharp from 'sharp';
      const { data } = await sharp(Buffer.from(process.argv[1] ?? ${JSON.stringify(SVG)})).greyscale().raw().toBuffer({ resolveWithObject: true });
      console.log(data.reduce((sum, value) => sum + (value < 128 ? 1 : 0), 0));`;
    const boxes = Number(await hashInChild(ink, { ...BARE, FONTCONFIG_FILE: none }));
    const glyphs = Number(await hashInChild(ink, { ...BARE, FONTCONFIG_FILE: new PackagedFonts().configure() }));
    expect(glyphs).toBeGreaterThan(1000);
    expect(Math.abs(boxes - glyphs)).toBeGreaterThan(glyphs * 0.1);
  });
});
