import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { unpackExtension } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterUse } from '../../kit/after-use.js';
import { boot } from '../../kit/boot.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';

type Manifest = {
  readonly server: {
    readonly entry_point: string;
    readonly mcp_config: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };
  };
  readonly user_config: Readonly<Record<string, { readonly required: boolean; readonly sensitive: boolean }>>;
};

const server = await boot();
const folder = path.join(temporaryFolder(), 'unpacked');
let manifest: Manifest;

/** Starts the program of the bundle as an assistant does, with what a person filled in. */
function startOf(filled: Readonly<Record<string, string>>) {
  const { args, env } = manifest.server.mcp_config;
  const fill = (text: string): string =>
    text
      .replace(/\$\{user_config\.(\w+)\}/g, (_, name: string) => filled[name] ?? '')
      .replace(/\$\{__dirname\}/g, folder);
  return {
    command: process.execPath,
    args: args.map(fill),
    env: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text)])),
    stderr: 'pipe' as const,
  };
}

beforeAll(async () => {
  const file = path.join(temporaryFolder(), 'seller.mcpb');
  execFileSync(process.execPath, ['scripts/bundle.mjs', file], { cwd: PROJECT, stdio: 'pipe' });
  expect(await unpackExtension({ mcpbPath: file, outputDir: folder, silent: true })).toBe(true);
  manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
});

describe('the bundle for desktop assistants', () => {
  it('asks for the endpoint, and for the key as a secret', () => {
    const { user_config: form } = manifest;
    expect(Object.entries(form).map(([name, { required, sensitive }]) => [name, required, sensitive])).toEqual([
      ['seller_agent_url', true, false],
      ['seller_agent_key', false, true],
    ]);
    expect(existsSync(path.join(folder, manifest.server.entry_point))).toBe(true);
  });

  it('carries lists and calls to the seller that was filled in, without an installation', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const filled = { seller_agent_url: `${server.baseUrl}/sales/mcp`, seller_agent_key: 'sandbox-token' };
    await client.connect(new StdioClientTransport(startOf(filled)));
    afterUse(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('create_media_buy');
    const found = await client.callTool({ name: 'get_products', arguments: { brief: 'connected TV sports' } });
    expect(found.structuredContent).toMatchObject({ products: expect.any(Array) });
  });

  it('says what to set where nothing was filled in', async () => {
    const transport = new StdioClientTransport(startOf({}));
    const told: string[] = [];
    transport.stderr?.on('data', (chunk: Buffer) => void told.push(chunk.toString()));
    await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow();
    await expect.poll(() => told.join('')).toContain('Set the endpoint of a seller in the settings');
  });
});
