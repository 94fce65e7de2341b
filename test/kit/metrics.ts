import { expect } from 'vitest';
import { operatorOf } from './operator.js';

/** Returns every sample of a process's /metrics by name and labels. */
export async function readSamples(server: { readonly dataDir: string }): Promise<ReadonlyMap<string, number>> {
  const { headers, status, text } = await operatorOf(server).get('/metrics');
  expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)]);
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
