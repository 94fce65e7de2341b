import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeWholeFile } from '../../../../src/platform/kernel/files/whole-file.js';
import { temporaryFolder } from '../../../kit/surroundings.js';

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('a file that is written as a whole', () => {
  test('holds the new text, and nothing else is left beside it', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.json');
    await writeWholeFile(file, 'one');
    await writeWholeFile(file, 'two');
    expect(readFileSync(file, 'utf8')).toBe('two');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test('stays as private as it was, and gets the permissions that are asked for', async () => {
    const file = path.join(temporaryFolder(), 'a.json');
    writeFileSync(file, 'one');
    chmodSync(file, 0o640);
    await writeWholeFile(file, 'two');
    expect(modeOf(file)).toBe(0o640);
    await writeWholeFile(file, 'three', 0o600);
    expect(modeOf(file)).toBe(0o600);
  });

  test('behind a link is written where the link leads', async () => {
    const folder = temporaryFolder();
    const [file, link] = [path.join(folder, 'real.json'), path.join(folder, 'link.json')];
    writeFileSync(file, 'one');
    symlinkSync(file, link);
    await writeWholeFile(link, 'two');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('two');
  });

  test('is refused where there is no such folder', async () => {
    const file = path.join(temporaryFolder(), 'nowhere', 'a.json');
    await expect(writeWholeFile(file, 'one')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
