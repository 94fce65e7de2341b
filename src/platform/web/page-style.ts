import { readFileSync } from 'node:fs';
import { packageFile } from '../kernel/files/package-files.js';

/** The sheets of a page, in order: colors and type of the house, what pages share, and its own. */
const SHEETS = {
  api: ['base', 'api'],
  approval: ['base', 'content', 'approval'],
  apps: ['base', 'apps'],
  doctor: ['base', 'doctor'],
} as const;

/** Returns the style of a page, for the page itself, so that one request shows all of it. */
export function pageStyle(page: keyof typeof SHEETS): string {
  return SHEETS[page].map((name) => readFileSync(packageFile(`pages/${name}.css`), 'utf8')).join('');
}
