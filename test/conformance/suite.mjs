import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sdkFolder } from './outside.mjs';

/** Of the storyboards inside the SDK. */
export const SUITE_VERSION = '3.0.6';

/**
 * A copy of the public suite whose dates lie ahead: for dates in the past the runner puts moving ones, and a replay is then a
 * different request. Answers the folder; the caller removes it.
 */
export function copyAheadOfTime() {
  const copy = path.join(mkdtempSync(path.join(tmpdir(), 'storyboards-')), SUITE_VERSION);
  cpSync(path.join(sdkFolder, 'compliance/cache', SUITE_VERSION), copy, { recursive: true });
  moveDates(copy, new Date().getFullYear() + 5);
  return { folder: copy, remove: () => rmSync(path.dirname(copy), { recursive: true, force: true }) };
}

function moveDates(folder, year) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) {
      if (name !== 'test-kits' && name !== 'test-vectors') moveDates(file, year);
    } else if (name.endsWith('.yaml')) {
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(/"(?:20\d\d(?=-\d{2}-\d{2}T)|2026(?=-\d{2}-\d{2}"))/g, `"${year}`),
      );
    }
  }
}
