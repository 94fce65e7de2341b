import { describe, expect, test } from 'vitest';
import { readSpan } from '../../src/commands/clock.js';
import { runCommand, startServing } from '../kit/command-line.js';
import { temporaryFolder } from '../kit/surroundings.js';

describe('a span of time', () => {
  test.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['12h', 43_200_000],
    ['3d', 259_200_000],
    ['2w', 1_209_600_000],
    ['1d12h', 129_600_000],
  ])('%s is %d ms', (text, ms) => {
    expect(readSpan(text)).toBe(ms);
  });

  test.each([[''], ['3'], ['d'], ['-3d'], ['3 days'], ['1.5h'], ['9999999d']])('%j is none', (text) => {
    expect(() => readSpan(text)).toThrow(/is not a span of time/);
  });
});

describe('clock', () => {
  test('turns through the running server and without one, on the same store', async () => {
    const dataDir = temporaryFolder();
    const serving = await startServing({ dataDir });
    const run = (...args: string[]) => runCommand(['clock', ...args, '--data', dataDir]);
    expect(await run()).toEqual({ code: 0, stdout: 'Every sandbox shows the real time.\n', stderr: '' });
    const turned = await run('advance', '3d', '--tenant', 'sales');
    expect(turned.stdout).toMatch(/^\/sales\/mcp {2}sandbox {2}\d{4}-\S+Z, 72 hours ahead\n$/);
    expect((await run('advance', 'soon')).code).toBe(1);
    expect(await run('advance', '1h', '--principal', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/No tenant has such a sandbox principal\. Name a tenant/),
    });
    await serving.stop();
    expect((await run('advance', '12h', '--tenant', 'sales')).stdout).toMatch(/84 hours ahead/);
    expect((await run()).stdout).toMatch(/^\/sales\/mcp {2}sandbox .*84 hours ahead\n$/);
  });
});
