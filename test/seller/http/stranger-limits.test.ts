import { describe, expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { send } from '../../kit/http.js';
import { addLivePrincipal, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';

const tenants = tenantsFolder((tenant) => {
  tenant.principals = [];
  tenant.accounts = [];
  addLivePrincipal(tenant);
});
const server = await boot({ tenants, settings: { development: false } });
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** The statuses that so many requests get, one after the other. */
async function statuses(count: number, ask: () => Promise<{ readonly status: number }>): Promise<readonly number[]> {
  const got: number[] = [];
  for (let number = 0; number < count; number += 1) got.push((await ask()).status);
  return got;
}

describe('an address outside development', () => {
  it('that tries wrong credentials is refused after a hundred, and a valid one from it is not', async () => {
    const got = await statuses(105, () => server.raw(LIST, { authorization: 'Bearer wrong' }));
    expect([got[99], got[100]]).toEqual([401, 429]);
    expect((await server.raw(LIST, { authorization: `Bearer ${LIVE_TOKEN}` })).status).toBe(200);
    const refused = await server.raw(LIST, { authorization: 'Bearer wrong' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('that asks for pages without end is refused after a thousand, and health is not', async () => {
    const got: number[] = [];
    // Many at a time: a thousand of them fit into a window of ten seconds also beside other work.
    while (!got.includes(429) && got.length < 20_000) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(`${server.baseUrl}/previews/none`)));
      got.push(...answers.map(({ status }) => status));
    }
    expect(new Set(got)).toEqual(new Set([404, 429]));
    expect(got.filter((status) => status === 404).length).toBeGreaterThanOrEqual(1000);
    expect((await send(`${server.baseUrl}/healthz`)).status).toBe(200);
  });
});
