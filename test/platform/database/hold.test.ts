import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { holdFolder } from '../../../src/platform/database/hold.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';

/** The built module: another process loads it. */
const BUILT = pathToFileURL(path.join(PROJECT, 'dist', 'platform', 'database', 'hold.js')).href;

/** Takes a folder in a process of its own, says how that went, and stays until it is ended. */
async function holdElsewhere(folder: string) {
  const script = `
    const { holdFolder } = await import(${JSON.stringify(BUILT)});
    const held = holdFolder(${JSON.stringify(folder)});
    process.stdout.write(held === undefined ? 'refused' : 'held');
    if (held !== undefined) { process.on('SIGTERM', () => { held.release(); process.exit(0); }); setInterval(() => undefined, 1000); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return { said: String(output), end };
}

describe('holdFolder', () => {
  it('keeps a folder to one process, until that ends, however it ends', async () => {
    const folder = temporaryFolder();
    const first = await holdElsewhere(folder);
    expect(first.said).toBe('held');
    expect(holdFolder(folder)).toBeUndefined();
    expect((await holdElsewhere(folder)).said).toBe('refused');

    await first.end('SIGKILL');
    const second = await holdElsewhere(folder);
    expect(second.said).toBe('held');

    await second.end('SIGTERM');
    const third = holdFolder(folder);
    expect(third).toBeDefined();
    expect((await holdElsewhere(folder)).said).toBe('refused');
    third?.release();
    expect((await holdElsewhere(folder)).said).toBe('held');
  });

  it('keeps a folder to one holder within a process, and makes it where there is none', () => {
    const folder = path.join(temporaryFolder(), 'deep', 'data');
    const first = holdFolder(folder);
    expect(first).toBeDefined();
    expect(holdFolder(folder)).toBeUndefined();
    first?.release();
    const again = holdFolder(folder);
    expect(again).toBeDefined();
    again?.release();
  });

  it('does not care about other folders', () => {
    const holds = [holdFolder(temporaryFolder()), holdFolder(temporaryFolder())];
    expect(holds).not.toContain(undefined);
    for (const held of holds) held?.release();
  });
});
