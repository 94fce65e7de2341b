import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterUse } from '../kit/after-use.js';
import { runCommand } from '../kit/command-line.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';

describe('a mistake at the command line is answered with what was meant', () => {
  it.each([
    [['chekc'], /There is no command "chekc"\. Did you mean "check"\?/],
    [['keys', 'nwe', 'sales', 'me'], /There is no command "keys nwe"\. Did you mean "keys new"\?/],
    [['xyzzyplugh'], /There is no command "xyzzyplugh"\. Commands: serve, init, check/],
    [['check', '--tenats', 'x'], /--tenats.*\n?.*Did you mean --tenants/],
  ])('%j', async (words, says) => {
    const { code, stderr } = await runCommand(words);
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
  });

  it('hands the words of a group’s default command to it', async () => {
    const cwd = temporaryFolder();
    const { stderr, stdout } = await runCommand(['backup', 'monday', '--data', 'nowhere'], { cwd });
    expect(`${stdout}${stderr}`).toContain('nowhere');
    expect(stderr).not.toContain('There is no command');
  });

  it.each([
    ['SELLER_AGENT_BASEURL', 'SELLER_AGENT_BASE_URL'],
    ['SELLER_AGENT_LOG_LEVEL', 'SELLER_AGENT_LOG'],
  ])('names %s of the environment, which is no setting, and %s, which was meant', async (name, meant) => {
    const { code, stderr } = await runCommand(['check'], { env: { [name]: 'https://a.example' } });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`environment ${name}.*\\n.*Did you mean ${meant}\\?`));
  });

  it('writes no key into the shipped example tenants where a folder has none', async () => {
    const cwd = temporaryFolder();
    const { code, stderr, stdout } = await runCommand(['keys', 'new', 'sales', 'somebody'], { cwd });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/there is no folder \.\/tenants here[\s\S]*fix: .*--tenants/);
  });

  it('says which port is in use, and how to choose another', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    afterUse(() => taken.close());
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await runCommand(['serve', '--port', `${port}`], { cwd: temporaryFolder() });
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use \\(EADDRINUSE\\).*--port`));
  });

  it('says which data folder leads through a file', async () => {
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, 'file'), '');
    const { code, stderr } = await runCommand(['serve', '--port', '0', '--data', 'file/data'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/file\/data.* leads through a file that is no folder \(ENOTDIR\).*--data/);
  });

  it('says which file is no database', async () => {
    const cwd = temporaryFolder();
    mkdirSync(path.join(cwd, 'data'));
    writeFileSync(
      path.join(cwd, 'data', 'seller-agent.db'),
      'no database at all, but long enough to be looked at. '.repeat(200),
    );
    const { code, stderr } = await runCommand(['serve', '--port', '0'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/seller-agent\.db: this file is no database[^\n]*\n\s+fix: /);
  });
});

describe('check --no-env', () => {
  it('takes keys of the environment for set', async () => {
    const tenants = tenantsFolder((tenant) => {
      tenant.principals = [
        { id: 'one', name: 'One', key: { env: 'KEY_OF_ONE' } },
        { id: 'two', name: 'Two', key: { env: 'KEY_OF_TWO' } },
      ];
      tenant.accounts = [];
    });
    const { stdout: without, code } = await runCommand(['check', '--tenants', tenants]);
    expect([code, without]).toEqual([1, expect.stringMatching(/KEY_OF_ONE is not set/)]);
    const passed = await runCommand(['check', '--no-env', '--tenants', tenants]);
    expect([passed.code, passed.stdout]).toEqual([0, expect.stringMatching(/no problems/)]);
  });
});

describe('init', () => {
  it('writes the kinds, name, domain and products that flags say, and check passes', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      path.join(cwd, 'products.csv'),
      'product_id,name,channel,formats,cpm,countries\nhome,Homepage,display,display_300x250_image;display_728x90_image,7.5,US;CA\n',
    );
    const made = await runCommand(
      [
        'init',
        'mine',
        '--kinds',
        'sales',
        '--name',
        'Daily News',
        '--domain',
        'news.example',
        '--from',
        'products.csv',
      ],
      { cwd },
    );
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout).toMatch(/cd mine\n\s+npx seller-agent check\n\s+npx seller-agent serve/);
    expect(made.stdout).toMatch(
      /npx -p @adcp\/sdk adcp http:\/\/127\.0\.0\.1:3000\/sales\/mcp get_products .* --auth sandbox-/,
    );
    const checked = await runCommand(['check'], { cwd: path.join(cwd, 'mine') });
    expect(checked.stdout).toMatch(
      /\/sales\/mcp {2}sales {2}2 principals, 2 accounts, 1 product\n1 tenant, no problems/,
    );
  });

  it.each([
    [
      'a column that is none',
      'product_id,name,chanel,formats,cpm\n',
      /:1: there is no column "chanel"\n\s+fix: Did you mean "channel"/,
    ],
    ['a price that is none', 'product_id,name,channel,formats,cpm\na,A,display,f,free\n', /:2: cpm is "free"/],
  ])('names the line of %s', async (_what, text, says) => {
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, 'p.csv'), text);
    const { code, stderr } = await runCommand(['init', 'x', '--from', 'p.csv'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
  });
});
