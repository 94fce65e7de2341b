import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { FONT_WEIGHTS, type FontFace, type Fonts, type FontWeight, readFace } from './face.js';

/** The font family that comes with the package, as SVG and CSS name it. */
export const FONT_FAMILY = 'Inter';

const FACE_FILES: Readonly<Record<FontWeight, string>> = {
  400: '400Regular/Inter_400Regular.ttf',
  600: '600SemiBold/Inter_600SemiBold.ttf',
  800: '800ExtraBold/Inter_800ExtraBold.ttf',
};

const locate = createRequire(import.meta.url).resolve;

/** Returns the absolute path of the packaged TTF of a weight. */
export function fontFile(weight: FontWeight): string {
  return locate(`@expo-google-fonts/inter/${FACE_FILES[weight]}`);
}

/**
 * The fonts that come with the package: the metrics that layouts measure with, and the configuration that the native library
 * draws with. Both rest on the same files, so that text looks the same, to the byte, on a machine with other fonts or with none.
 */
export class PackagedFonts implements Fonts {
  readonly #folder: string | undefined;
  readonly #faces = new Map<FontWeight, FontFace>();
  #configFile: string | undefined;

  /** `folder` holds fonts.conf and its cache; default: a folder of this user in the system's temporary one. */
  constructor(folder?: string) {
    this.#folder = folder;
  }

  /** Returns a face; its file is read once. */
  face(weight: FontWeight): FontFace {
    const cached = this.#faces.get(weight);
    if (cached !== undefined) return cached;
    const face = readFace(readFileSync(fontFile(weight)), weight);
    this.#faces.set(weight, face);
    return face;
  }

  /**
   * Writes a fonts.conf that knows the packaged fonts alone, points fontconfig at it, once, and returns its path. Must run before
   * the first text is drawn, because fontconfig reads its configuration once.
   */
  configure(): string {
    this.#configFile ??= configureFontconfig(this.#folder ?? defaultFolder());
    return this.#configFile;
  }
}

function configureFontconfig(folder: string): string {
  mkdirSync(join(folder, 'cache'), { recursive: true, mode: 0o700 });
  const file = join(folder, 'fonts.conf');
  writeIfDifferent(file, fontsConf(FONT_WEIGHTS.map(fontFile), join(folder, 'cache')));
  // The one place below cli.ts that touches the environment: the native library takes its configuration from nowhere else.
  process.env.FONTCONFIG_FILE = file;
  return file;
}

/** Returns the text of a fontconfig configuration that knows the folders of these font files and nothing of the system. Hinting is off: it differs per machine. */
export function fontsConf(files: readonly string[], cacheFolder: string): string {
  const folders = [...new Set(files.map(dirname))].map((folder) => `  <dir>${escapeConfigText(folder)}</dir>`);
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    ...folders,
    `  <cachedir>${escapeConfigText(cacheFolder)}</cachedir>`,
    '  <match target="font">',
    '    <edit name="antialias" mode="assign"><bool>true</bool></edit>',
    '    <edit name="hinting" mode="assign"><bool>false</bool></edit>',
    '    <edit name="autohint" mode="assign"><bool>false</bool></edit>',
    '    <edit name="rgba" mode="assign"><const>none</const></edit>',
    '  </match>',
    '  <config><rescan><int>0</int></rescan></config>',
    '</fontconfig>',
    '',
  ].join('\n');
}

function defaultFolder(): string {
  const uid = userInfo().uid;
  const key = createHash('sha256').update(FONT_WEIGHTS.map(fontFile).join('\n')).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `seller-agent-fonts-${uid}-${key}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch {
    return isOurs(folder, uid) ? folder : mkdtempSync(join(tmpdir(), 'seller-agent-fonts-'));
  }
}

/** Whether nobody else can have put something into the folder; Windows has no uid and a temporary folder per user. */
function isOurs(folder: string, uid: number): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && (uid < 0 || stat.uid === uid);
}

function writeIfDifferent(file: string, text: string): void {
  try {
    if (readFileSync(file, 'utf8') === text) return;
  } catch {
    // Not there yet.
  }
  writeFileSync(file, text, { mode: 0o600 });
}

function escapeConfigText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
