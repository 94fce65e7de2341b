import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { packageFile } from '../../../platform/kernel/files/package-files.js';

/** Where the console's pages are. */
export const CONSOLE_PATH = '/console';

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const libraries = createRequire(import.meta.url);

/** The files that pages load, each of one or more that lie in this package or in that of a library. */
const FILES = {
  'console.css': {
    type: CSS,
    parts: [
      packageFile('pages/base.css'),
      packageFile('pages/content.css'),
      packageFile('pages/console.css'),
      libraries.resolve('uplot/dist/uPlot.min.css'),
    ],
  },
  'htmx.js': { type: SCRIPT, parts: [libraries.resolve('htmx.org/dist/htmx.min.js')] },
  'uplot.js': { type: SCRIPT, parts: [libraries.resolve('uplot/dist/uPlot.iife.min.js')] },
  'console.js': { type: SCRIPT, parts: [packageFile('pages/console.js')] },
} as const;

type AssetName = keyof typeof FILES;

/** A file as it is sent. */
export type Asset = { readonly type: string; readonly bytes: Buffer; readonly digest: string };

const ASSETS: ReadonlyMap<string, Asset> = new Map(
  Object.entries(FILES).map(([name, { parts, type }]) => {
    const text = parts.map((part) => readFileSync(part, 'utf8')).join('\n');
    return [name, { type, bytes: Buffer.from(text), digest: sha256Hex(text).slice(0, 12) }];
  }),
);

/** Returns a file by its name; undefined where there is none. */
export function findAsset(name: string): Asset | undefined {
  return ASSETS.get(name);
}

/** Returns the address of a file below the path of the pages that load it; it changes with the file's content. */
export function assetUrl(name: AssetName, path: string): string {
  return `${path}/assets/${name}?${ASSETS.get(name)?.digest}`;
}
