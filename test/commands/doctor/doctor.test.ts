import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKS as AGENT_CHECKS } from '../../../src/registry/assessment/checks/index.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { CHECKS, GO_LIVE_CHECKS, runCheck } from '../../../src/seller/doctor/checks.js';
import type { Asked, CheckedServer } from '../../../src/seller/doctor/finding.js';
import { boot } from '../../kit/boot.js';
import { runCommand, startServing } from '../../kit/command-line.js';
import { localConsole } from '../../kit/console.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';
import { shippedTenant, writeTenant } from '../../kit/tenants.js';

const SAYS_WHAT_TO_DO = expect.stringMatching(/^["A-Z].{15,}/);

type Shown = { readonly check: string; readonly status: string; readonly message: string; readonly fix?: string };

async function doctor(args: readonly string[], cwd?: string) {
  const { code, stdout } = await runCommand(['doctor', '--json', ...args], { cwd: cwd ?? temporaryFolder() });
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Shown[] };
  return { code, of: (name: string) => checks.find(({ check }) => check === name), checks };
}

/** A server as a check sees it, where every address answers the same. */
async function seen(
  changes: Partial<CheckedServer>,
  env: Readonly<Record<string, string>> = {},
): Promise<CheckedServer> {
  const cwd = temporaryFolder();
  const settings = await resolveSettings({ flags: {}, env, cwd, packageRoot: PROJECT });
  const { baseUrl } = settings;
  const get = async (): Promise<Asked> => ({ status: 200, headers: {}, text: '{}' });
  const askOperator = async (): Promise<undefined> => undefined;
  const none = { agents: [], tenants: [], publisherDomains: [], version: '1', nowMs: 0 };
  const checkFiles = async () => ({ ok: true, text: '' });
  const countKeys = async (): Promise<number> => 0;
  return { settings, baseUrl, get, askOperator, checkFiles, countKeys, ...none, ...changes };
}

async function find(name: string, server: CheckedServer) {
  const check = CHECKS.find((one) => one.name === name);
  if (check === undefined) throw new Error(`no check ${name}`);
  return check.run(server);
}

describe('doctor of a server that runs', () => {
  it('finds all of it well, but for what development mode leaves open, and ends with 0', async () => {
    const cwd = temporaryFolder();
    const serving = await startServing({ cwd });
    const { checks, code } = await doctor(['--data', serving.dataDir], cwd);
    expect(code).toBe(0);
    expect(Object.fromEntries(checks.map(({ check, status }) => [check, status]))).toMatchObject({
      tenants: 'warn',
      exposure: 'warn',
      operator: 'warn',
      running: 'ok',
      version: 'ok',
      agents: 'ok',
      keys: 'ok',
      'well-known files': 'ok',
      webhooks: 'ok',
      tls: 'skip',
    });
  });
});

describe('doctor of a server that does not', () => {
  it('says so with what to do, in lines for people, and ends with 1', async () => {
    const cwd = temporaryFolder();
    const { code, stdout } = await runCommand(['doctor', '--port', '1'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fail {2}running +no server runs on .*\n +fix: Start it with "seller-agent serve"/m);
    expect(stdout).toMatch(/\d+ ok, \d+ to look at, \d+ failed, \d+ not asked\.$/m);
  });

  it('shows what is wrong with the files', async () => {
    const cwd = temporaryFolder();
    writeTenant(path.join(cwd, 'tenants'), { ...shippedTenant(), nmae: 'x' });
    const { of } = await doctor([], cwd);
    expect(of('config')).toMatchObject({ status: 'fail', message: expect.stringContaining('unknown key "nmae"') });
    rmSync(cwd, { recursive: true });
  });
});

describe('a check', () => {
  const PUBLIC = { SELLER_AGENT_BASE_URL: 'https://ads.example', SELLER_AGENT_TRUSTED_PROXIES: '127.0.0.1' };

  it('of exposure asks for https and a trusted proxy', async () => {
    expect(await find('exposure', await seen({}, PUBLIC))).toMatchObject({ status: 'ok' });
    expect(await find('exposure', await seen({}, { SELLER_AGENT_BASE_URL: 'http://ads.example' }))).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('https'),
    });
  });

  it('of TLS says why there is none', async () => {
    const found = await find('tls', await seen({ baseUrl: 'https://127.0.0.1:1' }));
    expect(found).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/no TLS at 127\.0\.0\.1: .*ECONNREFUSED/),
    });
  });

  it('of the clock compares with the address', async () => {
    const get = async (): Promise<Asked> => ({
      status: 200,
      headers: { date: 'Thu, 01 Jan 1970 00:05:00 GMT' },
      text: '',
    });
    expect(await find('clock', await seen({ get }))).toMatchObject({
      status: 'fail',
      message: 'the clocks differ by 300 seconds',
    });
    expect(await find('clock', await seen({ get, nowMs: 299_000 }))).toMatchObject({ status: 'ok' });
  });

  it('of agents wants each of them to answer by its own rules', async () => {
    const agents = ['https://ads.example/sales/mcp'];
    expect(await find('agents', await seen({ agents }))).toMatchObject({
      status: 'fail',
      message: `${agents[0]} answers 200`,
    });
    const get = async (): Promise<Asked> => ({ status: 405, headers: {}, text: '' });
    expect(await find('agents', await seen({ agents, get }))).toMatchObject({ status: 'ok' });
  });

  it('of adagents.json wants each publisher to name the agents', async () => {
    const agents = ['https://ads.example/sales/mcp'];
    const named: Asked = {
      status: 200,
      headers: {},
      text: JSON.stringify({ authorized_agents: [{ url: agents[0] }] }),
    };
    const publisherDomains = ['one.example', 'two.example'];
    const get = async (url: string): Promise<Asked> => (url.includes('one') ? named : { ...named, text: '{}' });
    expect(await find('adagents.json', await seen({ agents, get, publisherDomains }, PUBLIC))).toMatchObject({
      status: 'warn',
      message: 'https://two.example/.well-known/adagents.json names none of these agents',
    });
  });

  it('of webhooks tells those that were given up, and how long the oldest waits', async () => {
    const backlog = { pending: 3, dead: 1, oldestPendingAt: 0 };
    const server = await seen({ askOperator: async () => ({ webhooks: [], backlog }), nowMs: 3_600_000 });
    expect(await find('webhooks', server)).toMatchObject({
      status: 'warn',
      message: '3 wait, 1 were given up; the oldest waits for 60 minutes',
    });
  });
});

describe('every finding says what to do', () => {
  const NOTHING_ANSWERS = {
    agents: ['https://ads.example/sales/mcp'],
    get: () => Promise.reject(new Error('The address could not be fetched: nothing answers there.')),
    askOperator: () => Promise.reject(new Error('The operator does not answer.')),
    checkFiles: () => Promise.reject(new Error('EACCES')),
    countKeys: () => Promise.reject(new Error('The keys could not be fetched.')),
  };

  it.each(CHECKS)('where $name fails or cannot be carried out', async (check) => {
    const wrong: Asked = { status: 502, headers: { date: 'Thu, 01 Jan 1970 00:05:00 GMT' }, text: 'Bad gateway' };
    const servers = [
      await seen(NOTHING_ANSWERS),
      await seen({ ...NOTHING_ANSWERS, get: async () => wrong, countKeys: async () => 0 }),
      await seen({ baseUrl: 'https://127.0.0.1:1', checkFiles: async () => ({ ok: false, text: '1 problem.' }) }),
      await seen({ checkFiles: async () => ({ ok: true, text: 'warning: old\n1 tenant.' }) }),
    ];
    for (const server of servers) {
      const { fix, message, status } = await runCheck(check, server);
      if (status === 'warn' || status === 'fail') expect({ fix, message }).toMatchObject({ fix: SAYS_WHAT_TO_DO });
    }
    await expect(
      runCheck({ ...check, run: () => Promise.reject(new Error('It broke.')) }, servers[0]),
    ).resolves.toEqual({
      status: 'fail',
      message: 'It broke.',
      fix: SAYS_WHAT_TO_DO,
    });
  });

  it('of an agent of anybody too, whatever is wrong with it', () => {
    expect(AGENT_CHECKS.length).toBeGreaterThan(40);
    expect(AGENT_CHECKS.map(({ fix, id }) => ({ id, fix }))).toEqual(
      AGENT_CHECKS.map(({ id }) => ({ id, fix: SAYS_WHAT_TO_DO })),
    );
  });

  it('and names the address that does not answer', async () => {
    const { of } = await doctor(['--port', '1', '--host', '127.0.0.1']);
    for (const name of ['health', 'clock', 'agents', 'well-known files'])
      expect(of(name)).toMatchObject({
        status: 'fail',
        message: expect.stringContaining('http://127.0.0.1:1/'),
        fix: SAYS_WHAT_TO_DO,
      });
  });
});

describe('what has to be done before going live', () => {
  it('is found by the same checks in the console, which asks nobody for them', async () => {
    const server = await boot();
    const page = await (await localConsole(server)).get('/console');
    const listed = [...page.text.matchAll(/<li class="is-(done|open)">.*?<b>([^<]+)<\/b>/g)].map(([, , name]) => name);
    expect(listed).toEqual(GO_LIVE_CHECKS.map(({ name }) => name));
    const { checks } = await doctor(['--data', server.dataDir]);
    expect(checks.map(({ check }) => check)).toEqual(CHECKS.map(({ name }) => name));
    expect(CHECKS.map(({ name }) => name)).toEqual(expect.arrayContaining(listed));
  });

  it.each([
    ['tenants', true, {}],
    ['operator', true, {}],
    ['buyers', true, { principals: [] }],
    ['delivery', false, { fulfillment: 'manual' }],
  ] as const)('of %s is open: %s', async (name, isOpen, changes) => {
    const { tenant } = (await boot()).server().app.sellers().get('sales') ?? {};
    if (tenant === undefined) throw new Error('no tenant');
    const server = await seen({ tenants: [{ ...tenant, ...changes }] });
    expect((await find(name, server)).status).toBe(isOpen ? 'warn' : 'ok');
  });
});
