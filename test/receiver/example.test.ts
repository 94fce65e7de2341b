import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { serveAssets } from '../kit/asset-server.js';
import { freePort, send } from '../kit/http.js';
import { startNode } from '../kit/process.js';
import { PROJECT, temporaryFolder } from '../kit/surroundings.js';
import { KEY, signedRequest, taskEvent } from './context.js';

const MAX_LINES = 32;
/** For a machine with other work. */
const PATIENT = { timeout: 60_000, interval: 50 };

test('the receiver in docs/webhooks.md compiles and receives an event of a seller once', async () => {
  const text = readFileSync(path.join(PROJECT, 'docs', 'webhooks.md'), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  expect(example.split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  const folder = temporaryFolder('example-');
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(PROJECT, path.join(folder, 'node_modules', 'seller-agent'));
  symlinkSync(path.join(PROJECT, 'node_modules', '@types'), path.join(folder, 'node_modules', '@types'));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'receiver.ts'), example);
  const target = 'es2023';
  const compilerOptions = {
    target,
    lib: [target],
    module: 'nodenext',
    strict: true,
    types: ['node'],
    skipLibCheck: true,
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['receiver.ts'] }));
  const tsc = path.join(PROJECT, 'node_modules', '.bin', 'tsc');
  await promisify(execFile)(tsc, ['-p', folder]).catch(({ stdout }: { stdout: string }) => expect.fail(stdout));

  const published = await serveAssets({ '/jwks.json': JSON.stringify({ keys: [KEY.publicJwk] }) });
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/webhooks`;
  const env = { PORT: port, URL_OF_MINE: url, KEYS_OF_SELLER: published.url('/jwks.json') };
  const running = startNode(['receiver.js'], { cwd: folder, env });
  const event = taskEvent();
  const post = () => {
    const signing = { url, nowSeconds: Math.floor(Date.now() / 1000) };
    return send(url, signedRequest(JSON.stringify(event), signing)).catch(() => undefined);
  };
  await vi.waitUntil(async () => (await post())?.status === 200, PATIENT);
  expect((await post())?.json()).toEqual({ status: 'duplicate' });
  const line = `${event.idempotency_key} mcp ${JSON.stringify(event.result)}\n`;
  await vi.waitUntil(() => running.stdout() === line, PATIENT);
  running.child.kill('SIGTERM');
  expect(await running.finished).toMatchObject({ code: 0, stdout: line });
});
