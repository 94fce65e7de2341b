import { describe, expect, it } from 'vitest';
import { announcePublisher } from '../../../src/commands/registry/announce.js';
import type { PublishedFile } from '../../../src/registry/publish/publish.js';
import { freePort } from '../../kit/http.js';
import { type Line, scripted } from '../../registry/client/scripted-registry.js';

const PUBLISHER = {
  domain: 'news.example',
  contact: { name: 'News', email: 'ads@news.example' },
  delegation_type: 'direct',
} as const;
const FILE: PublishedFile = {
  kind: 'publisher_adagents',
  domain: 'news.example',
  url: 'https://news.example/.well-known/adagents.json',
  content: { authorized_agents: [{ url: 'https://a.example/mcp', authorized_for: 'All', signing_keys: [] }] },
};
const VALID = { body: { success: true, data: { found: true, validation: { valid: true } } } };
const SAVED = { body: { success: true, message: 'Hosted property created for news.example', id: '1' } };
const CRAWL = { status: 202, body: { message: 'Crawl request accepted', crawl_request_id: 'r1' } };
const UNPROVEN = { status: 403, body: { error: 'Show it first', code: 'ownership_proof_required' } };
const CHALLENGE = {
  body: {
    domain: 'news.example',
    expires_at: '2030-01-01T00:15:00Z',
    dns_record_name: '_adcp-owner.news.example',
    dns_record_value: 'nonce',
    http_url: 'https://news.example/.well-known/adcp-ownership.txt',
    http_body: 'nonce',
  },
};

async function announced(script: Readonly<Record<string, Line | readonly Line[]>>) {
  const left = new Map(Object.entries(script).map(([path, lines]) => [path, [lines].flat()]));
  const { client, heard } = await scripted(({ url }) => left.get(url)?.shift() ?? { status: 404 });
  const announced = await announcePublisher(client, PUBLISHER, FILE);
  return { ...announced, text: announced.lines.join('\n'), heard: heard.map(({ url }) => url), bodies: heard };
}

describe('telling a registry of a publisher', () => {
  it('has its file validated, saves it and asks for a crawl', async () => {
    const { bodies, ok, text } = await announced({
      '/api/adagents/validate': VALID,
      '/api/properties/save': SAVED,
      '/api/registry/crawl-request': CRAWL,
    });
    expect(text).toMatch(/valid\n.*Hosted property created for news\.example\n.*a crawl is asked for \(r1\)/);
    expect(ok).toBe(true);
    expect(JSON.parse(bodies[1]?.body ?? '')).toEqual({
      publisher_domain: 'news.example',
      authorized_agents: [{ url: 'https://a.example/mcp', authorized_for: 'All' }],
      properties: [{ type: 'website', name: 'news.example' }],
      contact: { name: 'News', email: 'ads@news.example' },
    });
  });

  it('takes it as done when the registry reads the publisher itself, or was asked a moment ago', async () => {
    const { ok, text } = await announced({
      '/api/adagents/validate': VALID,
      '/api/properties/save': {
        status: 409,
        body: { error: 'It is managed by adagents.json', domain: 'news.example' },
      },
      '/api/registry/crawl-request': { status: 429, body: { error: 'Rate limit exceeded', retry_after: 280 } },
    });
    expect(text).toMatch(/reads news\.example itself[\s\S]*asked for a moment ago/);
    expect(ok).toBe(true);
  });

  it('takes up a challenge of the run before, and saves', async () => {
    const { heard, ok } = await announced({
      '/api/adagents/validate': VALID,
      '/api/properties/save': [UNPROVEN, SAVED],
      '/api/ownership/verify': { body: { domain: 'news.example', verified: true } },
      '/api/registry/crawl-request': CRAWL,
    });
    expect(ok).toBe(true);
    expect(heard.slice(1, 4)).toEqual(['/api/properties/save', '/api/ownership/verify', '/api/properties/save']);
  });

  it.each([
    ['none is pending', { status: 404, body: { error: 'No challenge', code: 'no_challenge' } }],
    ['the last one failed', { status: 400, body: { error: 'Not found there', code: 'verification_failed' } }],
    ['the last one expired', { status: 410, body: { error: 'Too late', code: 'nonce_expired' } }],
  ])('asks for a challenge when %s, and hands out its file', async (_what, verified) => {
    const { files, ok, text } = await announced({
      '/api/adagents/validate': VALID,
      '/api/properties/save': UNPROVEN,
      '/api/ownership/verify': verified,
      '/api/ownership/issue': CHALLENGE,
      '/api/registry/crawl-request': CRAWL,
    });
    expect(ok).toBe(false);
    expect(text).toContain('TXT record _adcp-owner.news.example to nonce');
    expect(files).toEqual([{ url: CHALLENGE.body.http_url, text: 'nonce' }]);
  });

  it('says what the registry finds wrong, and goes on with the other steps', async () => {
    const validation = { valid: false, errors: [{ field: 'authorized_agents', message: 'url is not https' }] };
    const { heard, ok, text } = await announced({
      '/api/adagents/validate': { body: { success: true, data: { found: true, validation } } },
      '/api/properties/save': { status: 401, body: { error: 'Authentication required' } },
      '/api/registry/crawl-request': CRAWL,
    });
    expect(text).toMatch(/not valid\n {4}url is not https\n.*was refused \(unauthorized\): Authentication required/);
    expect([ok, heard.length]).toEqual([false, 3]);
  });

  it('says that nobody answers', async () => {
    const { client } = await scripted([], { url: `http://127.0.0.1:${await freePort()}` });
    const { lines, ok } = await announcePublisher(client, PUBLISHER, FILE);
    expect(ok).toBe(false);
    expect(lines.join('\n')).toMatch(/news\.example could not be told \(unreachable\)/);
  });
});
