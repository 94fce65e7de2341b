import { describe, expect, it } from 'vitest';
import { createClientAddress } from '../../../src/platform/net/address.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { send } from '../../kit/http.js';
import { bootRegistry } from '../../kit/registry.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';

type Asked = Parameters<ReturnType<typeof createClientAddress>>[0];

const request = (remoteAddress: string | undefined, forwarded?: string): Asked =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as Asked;

describe('whose address a request counts as', () => {
  const trusting = createClientAddress(['10.0.0.0/8', '2001:db8::7']);

  it.each([
    ['nobody is trusted', createClientAddress([]), '10.0.0.1', '203.0.113.9', '10.0.0.1'],
    ['a stranger says whose it is', trusting, '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['a proxy of ours', trusting, '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['the same, mapped into IPv6', trusting, '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a proxy with an IPv6 address', trusting, '2001:db8::7', '2001:DB8:0::9', '2001:db8:0:0::/64'],
    ['another address of the same IPv6 network', trusting, '2001:db8::7', '2001:db8::a:b:c', '2001:db8:0:0::/64'],
    ['another IPv6 network', trusting, '2001:db8::7', '2001:db8:0:1::9', '2001:db8:0:1::/64'],
    ['an IPv4 address mapped into IPv6', createClientAddress([]), '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['its neighbour', trusting, '2001:db8::8', '203.0.113.9', '2001:db8:0:0::/64'],
    ['two of our proxies', trusting, '10.0.0.1', '203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['a caller that wrote a list of its own', trusting, '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['a caller that names our proxy', trusting, '10.0.0.1', '10.0.0.2, 203.0.113.9', '203.0.113.9'],
    ['all are ours', trusting, '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['ports', trusting, '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['ports of IPv6', trusting, '10.0.0.1', '[2001:db8::9]:4711', '2001:db8:0:0::/64'],
    ['no list', trusting, '10.0.0.1', undefined, '10.0.0.1'],
    ['nonsense', trusting, '10.0.0.1', 'unknown', '10.0.0.1'],
    ['nonsense before a proxy', trusting, '10.0.0.1', '<script>, 10.0.0.2', '10.0.0.2'],
    ['a connection that is gone', trusting, undefined, '203.0.113.9', ''],
  ])('%s', (_name, addressOf, socket, forwarded, expected) => {
    expect(addressOf(request(socket, forwarded))).toBe(expected);
  });
});

describe('limits behind a proxy', () => {
  const limits = { bulk: { points: 1, windowMs: 60_000 } } as const;
  const resolve = (baseUrl: string, from: string) =>
    send(`${baseUrl}/api/brands/resolve/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ domains: ['a.example'] }),
    });

  it('are counted for each caller behind a proxy that is trusted', async () => {
    const { baseUrl } = await bootRegistry({ service: { limits }, settings: { trustedProxies: ['127.0.0.1'] } });
    const statuses = [];
    for (const from of ['203.0.113.1', '203.0.113.2', '203.0.113.1'])
      statuses.push((await resolve(baseUrl, from)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('and for the connection where none is: a stranger cannot take another’s turn, nor a fresh one', async () => {
    const { baseUrl } = await bootRegistry({ service: { limits } });
    const statuses = [];
    for (const from of ['203.0.113.1', '203.0.113.2']) statuses.push((await resolve(baseUrl, from)).status);
    expect(statuses).toEqual([200, 429]);
  });

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/', '*'])('"%s" is no range', async (range) => {
    const env = { SELLER_AGENT_TRUSTED_PROXIES: `10.0.0.0/8, ${range}` };
    const refused = resolveSettings({ flags: {}, env, cwd: temporaryFolder('seller-settings-'), packageRoot: PROJECT });
    await expect(refused).rejects.toMatchObject({
      problems: [
        { message: `"${range}" is neither an IP address nor a range`, fix: expect.stringContaining('10.0.0.0/8') },
      ],
    });
  });
});
