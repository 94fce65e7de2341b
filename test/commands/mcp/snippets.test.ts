import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { snippetsFor } from '../../../src/commands/mcp/snippets.js';
import { afterUse } from '../../kit/after-use.js';
import { boot } from '../../kit/boot.js';
import { CLI } from '../../kit/process.js';
import { PROJECT } from '../../kit/surroundings.js';

/** An entry of a program's settings, by the members that the programs document. */
type Entry = {
  readonly type?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
};

const server = await boot();
const url = `${server.baseUrl}/sales/mcp`;
const printed = snippetsFor({ name: 'sales', url, token: 'sandbox-token' });

/** The entry that a snippet adds: of a file, or of a command line as a shell splits it. */
function readEntry(text: string): Entry {
  if (!text.startsWith('claude ')) {
    const { mcpServers, servers } = JSON.parse(text) as Record<string, Record<string, Entry>>;
    return (mcpServers ?? servers)?.sales ?? {};
  }
  const words = execFileSync('bash', ['-c', `claude() { printf '%s\\n' "$@"; }; ${text}`], { encoding: 'utf8' });
  const [, , transport, type, name, address, header, value = ''] = words.split('\n');
  expect([transport, name, header]).toEqual(['--transport', 'sales', '--header']);
  const [field = '', content = ''] = value.split(': ');
  return { type, url: address, headers: { [field]: content } };
}

/** Connects as the program would, and lists tools. */
async function listTools({ args, command, env, headers, url: address = '' }: Entry): Promise<readonly string[]> {
  const client = new Client({ name: 'test', version: '1' });
  const transport =
    command === undefined
      ? new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } })
      : new StdioClientTransport({ command, args, env: { PATH: process.env.PATH ?? '', ...env }, stderr: 'ignore' });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  afterUse(() => client.close());
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe('snippets for programs with a language model', () => {
  it.each(printed.map(({ program, text }) => [program, text]))('%s: connects', async (_program, text) => {
    expect(await listTools(readEntry(text))).toContain('get_products');
  });

  it('have the type that Claude Code and VS Code ask for, and a command where an address is not taken', () => {
    const entries = Object.fromEntries(printed.map(({ program, text }) => [program.split(' (')[0], readEntry(text)]));
    expect(entries).toMatchObject({
      'Claude Code': { type: 'http' },
      'Claude Desktop': { command: 'node' },
      'VS Code': { type: 'http' },
    });
    expect(entries['Claude Desktop']).not.toHaveProperty('url');
  });

  it('are those of docs/models.md', () => {
    const text = readFileSync(path.join(PROJECT, 'docs/models.md'), 'utf8');
    const blocks = [...text.matchAll(/```(json|sh)\n(.*)\n```/g)].map(([, kind, block = '']) =>
      kind === 'json' ? JSON.stringify(JSON.parse(block)) : block,
    );
    const example = { name: 'sales', url: 'http://127.0.0.1:3000/sales/mcp', token: 'sandbox-token' };
    const written = snippetsFor(example).map((one) => one.text.replace(CLI, '/opt/seller-agent/dist/cli.js'));
    expect(blocks).toEqual(written);
  });

  it('agree with what registries of MCP servers read: name, version, command and variables', () => {
    const read = (file: string) => JSON.parse(readFileSync(path.join(PROJECT, file), 'utf8'));
    const [listed, packaged] = [read('server.json'), read('package.json')];
    const [npm] = listed.packages;
    expect([listed.name, listed.version, npm.identifier, npm.version]).toEqual([
      packaged.mcpName,
      packaged.version,
      packaged.name,
      packaged.version,
    ]);
    expect(listed.description.length).toBeLessThanOrEqual(100);
    const desktop = readEntry(printed.find(({ program }) => program.startsWith('Claude Desktop'))?.text ?? '');
    expect(npm.packageArguments.map(({ value }: { value: string }) => value)).toEqual(desktop.args?.slice(1));
    expect(npm.environmentVariables.map(({ name }: { name: string }) => name)).toEqual(Object.keys(desktop.env ?? {}));
  });
});
