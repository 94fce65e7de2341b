import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createOperatorListener } from '../../../src/seller/http/operator/listener.js';
import { boot } from '../../kit/boot.js';
import { send } from '../../kit/http.js';

it('a body for the operator is read within bounds, and what is wrong with another is said', async () => {
  const { app, limits } = (await boot()).server();
  const server = createServer(
    createOperatorListener(app, limits, {
      token: 'token',
      signInLink: () => '',
      tenantsDir: '',
      operateKeys: async () => ({}),
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/call`;
  const post = async (body: string | Buffer, more = {}) => {
    const headers = { authorization: 'Bearer token', 'content-type': 'application/json', ...more };
    const answer = await send(url, { method: 'POST', headers, body });
    return [answer.status, (answer.json() as { error?: string }).error];
  };
  expect(await post('{')).toEqual([400, expect.stringContaining('send a JSON object in UTF-8')]);
  expect(await post(`{"a":[${'0,'.repeat(3_500_000)}0]}`)).toEqual([400, expect.stringContaining('values')]);
  expect(await post(`${'['.repeat(5000)}${']'.repeat(5000)}`)).toEqual([400, expect.stringContaining('levels deep')]);
  expect(await post('{"tenant":"sales"}')).toEqual([400, 'Send tenant, tool and arguments.']);
  expect(await post(Buffer.from([0x22, 0xff, 0x22]))).toEqual([400, expect.stringContaining('UTF-8')]);
  expect(await post('{}', { 'content-encoding': 'gzip' })).toEqual([415, expect.stringContaining('Content-Encoding')]);
  const list = JSON.stringify({ tenant: 'sales', tool: 'list_accounts', principal: 'sandbox', arguments: {} });
  expect((await post(list))[0]).toBe(200);
});
