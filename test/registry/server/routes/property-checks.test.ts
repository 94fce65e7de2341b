import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/platform/kernel/clock.js';
import { bootRegistry } from '../../../kit/registry.js';

const FILED = 'filed.example';
const HOSTED = 'hosted.example';
const KEPT_OUT = 'fraud.example';

const registry = await bootRegistry({ service: { policy: { ownership: 'off' } } });
const { token } = await registry.member('acme');
const { token: admin } = await registry.member('operators', 'admin');

await registry.post(
  '/api/properties/save',
  { publisher_domain: HOSTED, authorized_agents: [], properties: [{ type: 'website', name: 'Hosted' }] },
  token,
);
await registry.post(
  '/api/admin/import',
  {
    files: [
      {
        domain: FILED,
        text: JSON.stringify({
          authorized_agents: [
            {
              url: 'https://ads.example/mcp',
              authorized_for: 'all',
              authorization_type: 'property_tags',
              property_tags: ['a'],
            },
          ],
          properties: [
            { property_type: 'website', name: 'Filed', tags: ['a'], identifiers: [{ type: 'domain', value: FILED }] },
          ],
        }),
      },
    ],
  },
  admin,
);
await registry.post('/api/admin/blocked', { kind: 'domain', name: KEPT_OUT, reason: 'court order 7' }, admin);

const check = (domains: readonly string[]) => registry.post('/api/properties/check', { domains });

describe('a check of a list of domains', () => {
  it('sorts each domain into one bucket, with what was changed and why', async () => {
    const answer = await check([
      FILED,
      HOSTED,
      'unknown.example',
      `https://WWW.${FILED}/page`,
      `m.hosted.example`,
      'WWW.New.example',
      'https://newer.example:8443/page',
      'stats.g.doubleclick.net',
      KEPT_OUT,
      'not a domain',
      '127.0.0.1',
    ]);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      summary: { total: 11, remove: 4, modify: 2, assess: 3, ok: 2 },
      remove: [
        { input: `https://WWW.${FILED}/page`, canonical: FILED, reason: 'duplicate' },
        { input: 'm.hosted.example', canonical: HOSTED, reason: 'duplicate' },
        {
          input: 'stats.g.doubleclick.net',
          canonical: 'stats.g.doubleclick.net',
          reason: 'blocked',
          domain_type: 'ad_server',
          blocked_reason: expect.any(String),
        },
        {
          input: KEPT_OUT,
          canonical: KEPT_OUT,
          reason: 'blocked',
          domain_type: 'kept_out',
          blocked_reason: 'court order 7',
        },
      ],
      modify: [
        { input: 'WWW.New.example', canonical: 'new.example', reason: 'lower case; www. cut away' },
        {
          input: 'https://newer.example:8443/page',
          canonical: 'newer.example',
          reason: 'scheme, path, port or spelling changed',
        },
      ],
      assess: [
        { domain: 'unknown.example' },
        { domain: 'not a domain', problem: 'This is no domain name.' },
        { domain: '127.0.0.1', problem: 'This is no domain name.' },
      ],
      ok: [
        { domain: FILED, source: 'adagents_json' },
        { domain: HOSTED, source: 'hosted' },
      ],
      report_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('takes 10,000 domains and refuses more', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => `d${index}.example`);
    const answer = await check(many.slice(1));
    expect(answer.json()).toMatchObject({ summary: { total: 10_000, assess: 10_000 } });
    expect((await check(many)).status).toBe(400);
  });

  it('has a report that can be had for seven days, as it was given', async () => {
    const answer = await check([FILED, 'unknown.example']);
    const { report_id } = answer.json() as { report_id: string };
    const later = () => registry.get(`/api/properties/check/${report_id}`);
    expect((await later()).text).toBe(answer.text);
    registry.clock.advance(7 * DAY_MS - 1);
    expect((await later()).status).toBe(200);
    registry.clock.advance(1);
    expect((await later()).json()).toMatchObject({ code: 'not_found', error: 'Report not found or expired' });
  });
});
