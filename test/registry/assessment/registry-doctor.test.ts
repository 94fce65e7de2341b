import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/platform/kernel/clock.js';
import { readPublicCertificate } from '../../../src/platform/net/certificate.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { KEY, startFaultyAgents } from './faulty-agent.js';

const agents = await startFaultyAgents();
let registry: BootedRegistry;
let token: string;

beforeAll(async () => {
  const limits = { doctor_user: { points: 3, windowMs: HOUR_MS } };
  registry = await bootRegistry({ resolve: agents.resolve, service: { limits } });
  token = (await registry.member('acme')).token;
});

describe('the doctor of a registry', () => {
  it('shows members what is wrong with anybody’s agent, and how to mend it', async () => {
    const answer = await registry.post('/api/agents/doctor', { url: agents.url('no-challenge'), key: KEY }, token);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      ok: false,
      url: agents.url('no-challenge'),
      agent: { name: 'A seller', protocols: ['media_buy'] },
      complete: true,
      findings: [
        {
          check: 'auth.challenge',
          severity: 'error',
          seen: ['The 401 has no WWW-Authenticate.'],
          fix: 'Send WWW-Authenticate: Bearer with every 401.',
        },
      ],
      badge: { possible: false },
    });
    expect(answer.text).not.toContain(KEY);
  });

  it('changes nothing there: no change is tried, whatever the agent declares', async () => {
    const answer = await registry.post('/api/agents/doctor', { url: agents.url('sound'), key: KEY }, token);
    const { checks, ok } = answer.json() as { ok: boolean; checks: readonly { check: string; status: string }[] };
    expect(ok).toBe(true);
    expect(checks.filter(({ check }) => check.startsWith('idempotency.')).map(({ status }) => status)).toEqual([
      'skipped',
      'skipped',
      'skipped',
    ]);
  });

  it('is for members, and counts what each asks for', async () => {
    const body = { url: agents.url('hangs-up') };
    expect((await registry.post('/api/agents/doctor', body)).status).toBe(401);
    expect((await registry.post('/api/agents/doctor', body, token)).status).toBe(200);
    const refused = await registry.post('/api/agents/doctor', body, token);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('looks at no certificate of this machine or its network', async () => {
    const fault = 'it does not lead to the public internet';
    expect(await readPublicCertificate('127.0.0.1', 443)).toEqual({ fault });
    expect(await readPublicCertificate('10.0.0.1', 443)).toEqual({ fault });
    expect(await readPublicCertificate('[::1]', 443)).toEqual({ fault });
    expect(await readPublicCertificate('localhost', 443)).toMatchObject({
      fault: expect.stringContaining('public internet'),
    });
  });
});
