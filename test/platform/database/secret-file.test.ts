import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openSecret } from '../../../src/platform/database/secret-file.js';
import { temporaryFolder } from '../../kit/surroundings.js';

const fresh = () => path.join(temporaryFolder(), 'keys', 'secret');
const modeOf = (file: string) => statSync(file).mode & 0o777;
const never = (): string => {
  throw new Error('there is a secret already');
};

it('a secret is made once, and only its owner may read it', () => {
  const file = fresh();
  expect(openSecret(file, () => 'first')).toBe('first');
  expect(openSecret(file, never)).toBe('first');
  expect(modeOf(file)).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toBe('first\n');
});

it('one that others could read is closed to them', () => {
  const file = fresh();
  openSecret(file, () => 'first');
  chmodSync(file, 0o644);
  expect(openSecret(file, never)).toBe('first');
  expect(modeOf(file)).toBe(0o600);
});

it('an empty file is no secret', () => {
  const file = fresh();
  openSecret(file, () => 'first');
  writeFileSync(file, '\n');
  expect(openSecret(file, () => 'second')).toBe('second');
});
