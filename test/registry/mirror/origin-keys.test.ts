import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { createKeyDirectory } from '../../../src/platform/signing/directory/key-directory.js';
import { protocolNames } from '../../../src/protocol/names.js';
import { createOriginKeys, pinnedBy } from '../../../src/registry/mirror/origin-keys.js';
import type { OriginReader } from '../../../src/registry/mirror/source.js';
import { turnableClock } from '../../kit/surroundings.js';
import { effectiveOf } from '../scripted-web.js';

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

  it('are the only ones that count where they are pinned, and nothing counts where nobody can tell', async () => {
    const clock = turnableClock();
    const jwk = { kid: 'one', kty: 'OKP', crv: 'Ed25519', x: 'AA' };
    const keys = [jwk, { ...jwk, kid: 'two' }];
    const bytes = Buffer.from(JSON.stringify({ keys }));
    const outbound = { fetch: async () => ({ status: 200, headers: {}, bytes }) };
    const directory = createKeyDirectory({
      outbound: outbound as never,
      clock,
      names: protocolNames('adcp'),
      profile: 'webhook',
      local: false,
    });
    const agent = { url: AGENT, jwksUri: 'https://sales.example/jwks.json' };
    const kinds = async (read: OriginReader): Promise<readonly string[]> => {
      const pinned = pinnedBy(directory, createOriginKeys(read, clock), 'news.example');
      const found = [await pinned.find(agent, 'one'), await pinned.find(agent, 'two')];
      expect((await pinned.findAmong([agent], 'one')).kind).toBe(found[0]?.kind);
      return found.map(({ kind }) => kind);
    };
    expect(await kinds(async () => fileWith([]))).toEqual(['found', 'found']);
    expect(await kinds(async () => fileWith(['one']))).toEqual(['found', 'unknown']);
    expect(await kinds(async () => undefined)).toEqual(['unknown', 'unknown']);
  });
});
