import { describe, expect, it } from 'vitest';
import { compareFiles } from '../../../src/registry/publish/diff.js';

/** Differences in short: `+ /pointer`. */
function short(served: unknown, wanted: unknown): readonly string[] {
  const signs = { missing: '+', surplus: '-', changed: '~' } as const;
  return compareFiles(served, wanted).map(({ kind, pointer }) => `${signs[kind]} ${pointer}`);
}

const FILE = {
  $schema: 'https://a.example/s.json',
  contact: { name: 'A' },
  properties: [
    { property_id: 'site', name: 'Site', tags: ['news', 'video'] },
    { property_id: 'app', name: 'App' },
  ],
  authorized_agents: [
    { url: 'https://a.example/mcp', signing_keys: [{ kid: 'k1', x: '1' }] },
    { url: 'https://b.example/mcp' },
  ],
  last_updated: '2026-01-01T00:00:00Z',
};

describe('what a domain serves beside what it should', () => {
  it('is the same in another order, with another date', () => {
    const served = {
      last_updated: '2025-01-01T00:00:00Z',
      authorized_agents: [...FILE.authorized_agents].reverse(),
      properties: [FILE.properties[1], { name: 'Site', tags: ['video', 'news'], property_id: 'site' }],
      contact: { name: 'A' },
    };
    expect(short(served, FILE)).toEqual([]);
  });

  it.each<[what: string, served: unknown, differences: readonly string[]]>([
    ['a name', { ...FILE, contact: { name: 'B' } }, ['~ /contact/name']],
    ['a member', { ...FILE, tags: {} }, ['- /tags']],
    ['no agents', { ...FILE, authorized_agents: undefined }, ['+ /authorized_agents']],
    ['one agent less', { ...FILE, authorized_agents: [FILE.authorized_agents[1]] }, ['+ /authorized_agents/0']],
    [
      'a stranger',
      { ...FILE, authorized_agents: [{ url: 'https://rival.example/mcp' }, ...FILE.authorized_agents] },
      ['- /authorized_agents/0'],
    ],
    [
      'an older key',
      {
        ...FILE,
        authorized_agents: [
          { url: 'https://a.example/mcp', signing_keys: [{ kid: 'k0', x: '0' }] },
          FILE.authorized_agents[1],
        ],
      },
      ['+ /authorized_agents/0/signing_keys/0', '- /authorized_agents/0/signing_keys/0'],
    ],
    [
      'two entries of one agent',
      { ...FILE, authorized_agents: [FILE.authorized_agents[1], FILE.authorized_agents[1]] },
      ['+ /authorized_agents/0', '- /authorized_agents/1'],
    ],
    ['another kind of value', { ...FILE, properties: 'none' }, ['~ /properties']],
    ['no object', undefined, ['~ ']],
  ])('differs by %s', (_what, served, differences) => {
    expect(short(served, FILE)).toEqual(differences);
  });
});
