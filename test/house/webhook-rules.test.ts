import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT } from '../kit/surroundings.js';

const PAGE = path.join(PROJECT, 'docs', 'protocol', 'webhook-rules.md');
const ROW = /^\| (?<rule>.+) \| `(?<file>test\/[^`]+)` \| (?<title>.+) \|$/;

test('each rule of webhooks names a test that there is', () => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .map((line) => ROW.exec(line)?.groups)
    .filter((groups) => groups !== undefined);
  const missing = rows.filter(({ file = '', title = '' }) => {
    const at = path.join(PROJECT, file);
    return !existsSync(at) || !readFileSync(at, 'utf8').includes(title);
  });
  expect(missing).toEqual([]);
  expect(rows.length).toBeGreaterThan(50);
});
