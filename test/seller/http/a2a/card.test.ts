import { DefaultAgentCardResolver } from 'a2a-sdk/client';
import { describe, expect, it } from 'vitest';
import { boot } from '../../../kit/boot.js';

const server = await boot();

describe('the agent card', () => {
  it('of a tenant is found by the client of the SDK, with its JSON-RPC interface and its skills', async () => {
    const card = await new DefaultAgentCardResolver().resolve(`${server.baseUrl}/sales/`);
    expect(card.supportedInterfaces).toEqual([
      expect.objectContaining({
        url: `${server.baseUrl}/sales/a2a`,
        protocolBinding: 'JSONRPC',
        protocolVersion: '1.0',
      }),
      expect.objectContaining({ url: `${server.baseUrl}/sales/a2a`, protocolVersion: '0.3.0' }),
    ]);
    expect(card.skills.map(({ id }) => id)).toEqual(expect.arrayContaining(['get_products', 'create_media_buy']));
    expect(card.capabilities).toMatchObject({ pushNotifications: true, streaming: true });
  });

  it('of the host is that of the tenant that sells', async () => {
    for (const path of [
      '/.well-known/agent-card.json',
      '/.well-known/agent.json',
      '/sales/a2a/.well-known/agent.json',
    ]) {
      const response = await fetch(`${server.baseUrl}${path}`);
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(await response.json()).toMatchObject({ url: `${server.baseUrl}/sales/a2a`, protocolVersion: '0.3.0' });
    }
  });

  it('names the skills of the sandbox to its principals alone', async () => {
    const skills = async (headers: Record<string, string>) => {
      const response = await fetch(`${server.baseUrl}/sales/.well-known/agent-card.json`, { headers });
      const { skills } = (await response.json()) as { skills: readonly { id: string }[] };
      return { names: skills.map(({ id }) => id), caching: response.headers.get('cache-control') };
    };
    const [all, own] = [await skills({}), await skills({ authorization: 'Bearer sandbox-token' })];
    expect(all.names).not.toContain('comply_test_controller');
    expect(own.names).toContain('comply_test_controller');
    expect(own.caching).toMatch(/private/);
  });

  it('is there for tenants alone', async () => {
    expect((await fetch(`${server.baseUrl}/nobody/.well-known/agent-card.json`)).status).toBe(404);
  });
});
