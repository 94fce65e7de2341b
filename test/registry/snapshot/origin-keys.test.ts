import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/kernel/clock.js';
import { createOriginKeys } from '../../../src/registry/snapshot/origin-keys.js';
import { turnableClock } from '../../kit/boot.js';
import { effectiveOf } from '../desk.js';

const AGENT = 'https://sales.example/mcp';

function fileWith(kids: readonly string[]) {
  return effectiveOf({
    authorized_agents: [
      {
        url: AGENT,
        authorized_for: 'Everything',
        authorization_type: 'publisher_properties',
        publisher_properties: [{ publisher_domain: 'news.example', selection_type: 'all' }],
        ...(kids.length === 0
          ? {}
          : { signing_keys: kids.map((kid) => ({ kid, kty: 'OKP', crv: 'Ed25519', x: 'AA' })) }),
      },
    ],
  });
}

describe('keys of the origin', () => {
  it("are the file's, read once for all that ask within a minute", async () => {
    const clock = turnableClock();
    let [file, readings] = [fileWith(['one']), 0];
    const keysOf = createOriginKeys(async () => {
      readings += 1;
      return file;
    }, clock);
    const kids = async () => (await keysOf('https://SALES.example:443/mcp', 'news.example'))?.map(({ kid }) => kid);
    expect(await Promise.all([kids(), kids()])).toEqual([['one'], ['one']]);
    file = fileWith(['two']);
    expect(await kids()).toEqual(['one']);
    clock.advance(MINUTE_MS);
    expect(await kids()).toEqual(['two']);
    expect(readings).toBe(2);
  });

  it('are none for an agent without pins, and unknown when the file cannot be read', async () => {
    const clock = turnableClock();
    expect(await createOriginKeys(async () => fileWith([]), clock)(AGENT, 'news.example')).toEqual([]);
    expect(await createOriginKeys(async () => undefined, clock)(AGENT, 'news.example')).toBeUndefined();
    expect(
      await createOriginKeys(() => Promise.reject(new Error('down')), clock)(AGENT, 'news.example'),
    ).toBeUndefined();
  });
});
