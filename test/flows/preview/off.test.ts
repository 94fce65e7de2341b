import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/seller/tasks/index.js';
import { boot, rpc } from '../../kit/boot.js';
import { freshKey } from '../../kit/buyer.js';

const COMPACT = TOOLS.filter(({ since }) => since !== undefined);
const NAMES = COMPACT.map(({ name }) => String(name));

/** A tool as tools/list shows it. */
type Listed = { readonly name: string; readonly inputSchema: { readonly properties: object } & object };

const off = await boot();
const on = await boot({ settings: { protocolPreview: true } });

async function list(server: typeof off, tenant?: string): Promise<{ tools: readonly Listed[]; bytes: number }> {
  const answer = await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, tenant);
  const { tools } = rpc(answer).result as unknown as { tools: readonly Listed[] };
  return { tools, bytes: Buffer.byteLength(answer.text) };
}

describe('where the preview is off', () => {
  it('its tasks are listed nowhere and answer like tasks that nobody knows', async () => {
    expect(NAMES).toHaveLength(7);
    const { tools } = await list(off);
    expect(tools.filter(({ name }) => NAMES.includes(name))).toEqual([]);
    const call = (name: string) =>
      off.raw({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });
    const unknown = (await call('no_such_task')).text.replaceAll('no_such_task', 'NAME');
    for (const name of NAMES) expect((await call(name)).text.slice(0, 60)).toBe(unknown.slice(0, 60));
  });

  it('its release is not served', async () => {
    const { payload } = await off.call('get_products', { brief: 'video' }, { version: '3.2-beta.5' });
    expect(payload.errors[0]).toMatchObject({ code: 'VERSION_UNSUPPORTED', field: 'adcp_version' });
  });
});

describe('where the preview is on', () => {
  it('all other tools are listed as they are where it is off', async () => {
    const [before, after] = [await list(off), await list(on)];
    const plain = (tools: readonly Listed[]) =>
      JSON.stringify(tools).replaceAll(on.baseUrl, 'BASE').replaceAll(off.baseUrl, 'BASE');
    expect(plain(after.tools.filter(({ name }) => !NAMES.includes(name)))).toBe(plain(before.tools));
  });

  it('its tasks are listed with every argument that they read, without a choice at the top, within 27 KB in all', async () => {
    const { tools, bytes } = await list(on);
    expect(bytes).toBeLessThanOrEqual(27_000);
    for (const { name, input } of COMPACT) {
      const listed = tools.find((one) => one.name === name);
      const read = Object.keys((input as unknown as { shape: object }).shape).filter(
        (field) => !['context', 'ext'].includes(field),
      );
      expect(Object.keys(listed?.inputSchema.properties ?? {})).toEqual(expect.arrayContaining(read));
      // Callers who do not name the release are refused, so that it is a needed argument.
      expect(listed?.inputSchema).toMatchObject({
        required: expect.arrayContaining(['adcp_version']),
        properties: { adcp_version: { type: 'string', const: '3.2-beta.5' } },
      });
      for (const keyword of ['allOf', 'anyOf', 'oneOf']) expect(listed?.inputSchema).not.toHaveProperty(keyword);
    }
  });

  it.each(NAMES)('%s is refused to callers of other releases, who are told which one it is of', async (name) => {
    for (const version of ['3.0', '3.1']) {
      const { payload, isError } = await on.call(name, { idempotency_key: freshKey() }, { version });
      expect(isError).toBe(true);
      expect(payload.errors[0]).toMatchObject({
        code: 'VERSION_UNSUPPORTED',
        field: 'adcp_version',
        recovery: 'correctable',
        details: { supported_versions: ['3.2-beta.5'] },
      });
    }
  });
});
