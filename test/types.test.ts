import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { PROJECT, temporaryFolder } from './kit/surroundings.js';

const run = promisify(execFile);

/** Packages whose types the shipped types name. */
const TYPES = ['@types', 'undici-types', 'pino', 'kysely'];

it('the shipped types check under TypeScript 5.6 without skipLibCheck', async () => {
  const folder = temporaryFolder();
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: PROJECT,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const installed = path.join(folder, 'node_modules', 'seller-agent');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', path.join(folder, filename), '--strip-components=1', '-C', installed]);
  const { dependencies } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
    dependencies: object;
  };
  for (const name of new Set([...Object.keys(dependencies), ...TYPES])) {
    const link = path.join(folder, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(PROJECT, 'node_modules', name), link);
  }
  writeFileSync(
    path.join(folder, 'buyer.ts'),
    `import { createBuyerClient, type Product } from 'seller-agent/client';
import { createReceiver } from 'seller-agent/receiver';
import { createRegistryClient } from 'seller-agent/registry-client';
import * as signing from 'seller-agent/signing';
const client = createBuyerClient({ url: 'https://seller.example/sales/mcp' });
export const products: Promise<readonly Product[]> = client.getProducts().then((answer) => answer.products);
export const bought: Promise<string | undefined> = client.createMediaBuy().then((answer) => answer.media_buy_id);
export const rest = [createReceiver, createRegistryClient, signing];
// @ts-expect-error: products are a list.
export const wrong: Promise<string> = client.getProducts().then((answer) => answer.products);
`,
  );
  const options = {
    module: 'NodeNext',
    target: 'ES2022',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['buyer.ts'] }));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const tsc = path.join(PROJECT, 'node_modules', 'typescript-5-6', 'bin', 'tsc');
  const { stdout: said } = await run(process.execPath, [tsc, '-p', folder], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(said).toBe('');
});
