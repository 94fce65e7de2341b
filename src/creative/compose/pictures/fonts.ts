import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/** The weights that layouts set text in. Measured (layout-metrics) and drawn (image) from the same files. */
export const FONT_WEIGHTS = [400, 600, 800] as const;
export type FontWeight = (typeof FONT_WEIGHTS)[number];

/** The family that comes with the package, as SVG and CSS name it. */
export const FONT_FAMILY = 'Inter';

const FACES: Readonly<Record<FontWeight, string>> = {
  400: '400Regular/Inter_400Regular.ttf',
  600: '600SemiBold/Inter_600SemiBold.ttf',
  800: '800ExtraBold/Inter_800ExtraBold.ttf',
};

const locate = createRequire(import.meta.url).resolve;

/** Absolute path of the packaged TTF of a weight. */
export function fontFile(weight: FontWeight): string {
  return locate(`@expo-google-fonts/inter/${FACES[weight]}`);
}

let prepared: string | undefined;

/**
 * Writes a private fonts.conf that knows the packaged fonts alone and points fontconfig at it, once; answers its path.
 * Must run before the first text is drawn, because fontconfig reads its configuration once. Text then looks the same, to the
 * byte, on a machine with other fonts or with none. `folder` keeps fonts.conf and its cache; default: a folder of this user in the system's temporary one.
 */
export function prepareFonts(folder: string = defaultFolder()): string {
  if (prepared !== undefined) return prepared;
  mkdirSync(join(folder, 'cache'), { recursive: true, mode: 0o700 });
  const file = join(folder, 'fonts.conf');
  writeIfDifferent(file, fontsConf(FONT_WEIGHTS.map(fontFile), join(folder, 'cache')));
  // The one place below cli.ts that touches the environment: the native library takes its configuration from nowhere else.
  process.env.FONTCONFIG_FILE = file;
  prepared = file;
  return file;
}

/** The text of a fontconfig configuration that knows these font files' folders and nothing of the system. Hinting is off: it differs per machine. */
export function fontsConf(files: readonly string[], cacheFolder: string): string {
  const folders = [...new Set(files.map(dirname))].map((folder) => `  <dir>${escapeXml(folder)}</dir>`);
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    ...folders,
    `  <cachedir>${escapeXml(cacheFolder)}</cachedir>`,
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
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (uid < 0 || found.uid === uid);
}

function writeIfDifferent(file: string, text: string): void {
  try {
    if (readFileSync(file, 'utf8') === text) return;
  } catch {
    // Not there yet.
  }
  writeFileSync(file, text, { mode: 0o600 });
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
