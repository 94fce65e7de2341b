import { readFileSync } from 'node:fs';
import { packageFile } from '../kernel/package-files.js';

/** Returns the style of a page, for the page itself, so that one request shows all of it: colors and type of the house, and its own sheet. */
export function pageStyle(sheet: 'approval' | 'registry'): string {
  return ['base', sheet].map((name) => readFileSync(packageFile(`pages/${name}.css`), 'utf8')).join('');
}
