import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { succeeded } from '../../kit/buyer.js';
import { runCommand, startServing } from '../../kit/command-line.js';
import { controllerOf } from '../../kit/controller.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { publicSandboxes, shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';

/** A key of a sandbox principal that is nobody else's. */
const PRIVATE_KEY = 'a-private-key-of-a-sandbox-0123456789';

/** Tenants whose one sandbox principal has a key, and no public token. */
function privateSandbox(changes: object = {}): string {
  return tenantsFolder((tenant) => {
    const [first] = tenant.principals;
    const { public_token: _token, ...rest } = first ?? {};
    Object.assign(tenant, changes, { principals: [{ ...rest, key: { env: 'SANDBOX_KEY' } }] });
    tenant.accounts = tenant.accounts.filter(({ principal }) => principal === rest.id);
  });
}

const ENV = { SANDBOX_KEY: PRIVATE_KEY };
const PUBLIC = { development: false };

describe('outside development mode', () => {
  test.each([
    ['on every address', ['--host', '0.0.0.0']],
    ['under a public base URL', ['--base-url', 'https://ads.example']],
  ])('the example tenants are not served %s, and init is named', async (_what, args) => {
    const { code, stderr, stdout } = await runCommand(['serve', '--port', '0', ...args]);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/example tenants/);
    expect(stderr).toMatch(/seller-agent init/);
  });

  test('a public token needs the word of the tenant file, and check says so as serve does', async () => {
    const cwd = temporaryFolder();
    mkdirSync(path.join(cwd, 'tenants'));
    writeTenant(path.join(cwd, 'tenants'), shippedTenant());
    for (const command of ['serve', 'check']) {
      const { code, stderr, stdout } = await runCommand([command, '--port', '0', '--host', '0.0.0.0'], { cwd });
      expect(code, command).toBe(1);
      expect(stdout + stderr).toMatch(/sales\.json:\d+:\d+ \/principals\/0\/public_token: .*everybody on the internet/);
      expect(stdout + stderr).toMatch(/Write "public_sandbox": true/);
    }
  });

  test('a public sandbox is named by check and by the banner', async () => {
    const cwd = temporaryFolder();
    mkdirSync(path.join(cwd, 'tenants'));
    writeTenant(path.join(cwd, 'tenants'), { ...shippedTenant(), public_sandbox: true });
    const args = ['--host', '0.0.0.0'];
    const checked = await runCommand(['check', ...args], { cwd });
    expect(checked.stdout).toMatch(/^\/sales\/mcp .*public sandbox: anybody may call it$/m);
    const serving = await startServing({ cwd, args });
    expect(serving.stdout()).toMatch(/anybody may use the sandbox of \/sales\/mcp/);
    expect(serving.stdout()).not.toMatch(/development/);
    await serving.stop();
  });

  test('the test controller is there for a public sandbox', async () => {
    const server = await boot({ tenants: publicSandboxes(), settings: PUBLIC });
    const answer = await controllerOf(server, { token: 'sandbox-token' }).run('list_scenarios');
    expect(answer).toMatchObject({ success: true });
    expect(succeeded(await server.call('get_adcp_capabilities'))).toHaveProperty('compliance_testing');
  });

  test('it is an unknown tool to a sandbox principal of any other tenant, whose sandbox works all the same', async () => {
    const server = await boot({ tenants: privateSandbox(), env: ENV, settings: PUBLIC });
    const call = { token: PRIVATE_KEY };
    expect(succeeded(await server.call('get_products', {}, call)).products.length).toBeGreaterThan(0);
    const refused = await server.call('comply_test_controller', { scenario: 'list_scenarios' }, call);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.payload)).toContain('Unknown tool: comply_test_controller');
    expect(succeeded(await server.call('get_adcp_capabilities', {}, call))).not.toHaveProperty('compliance_testing');
    const listed = await server.raw(
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { authorization: `Bearer ${PRIVATE_KEY}` },
    );
    expect(listed.text).toContain('get_products');
    expect(listed.text).not.toContain('comply_test_controller');
  });

  test('in development mode it is there without a word', async () => {
    const server = await boot({ tenants: privateSandbox(), env: ENV });
    const answer = await controllerOf(server, { token: PRIVATE_KEY }).run('list_scenarios');
    expect(answer).toMatchObject({ success: true });
  });

  test('an edit that makes a token public without the word is rejected, and the tenants before it are served on', async () => {
    const tenants = privateSandbox();
    const server = await boot({ tenants, env: ENV, settings: PUBLIC });
    writeTenant(tenants, shippedTenant());
    await server.server().reload();
    expect((await server.call('get_products', {}, { token: PRIVATE_KEY })).isError).toBe(false);
    expect((await server.call('get_products', {}, { token: 'sandbox-token' })).status).toBe(401);
    expect(server.log.at(-1)?.text).toMatch(/public_sandbox/);
  });
});
