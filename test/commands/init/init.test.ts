import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, pretendSet } from '../../../src/commands/check/check.js';
import { init } from '../../../src/commands/init/init.js';
import { ConfigError } from '../../../src/platform/kernel/errors.js';
import { loadTenants } from '../../../src/seller/config/load.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { asText, folderWith, optionsFor, validTenant } from '../../seller/config/fixture.js';

/** A format that comes with the server. */
const QUOTE = new URL('../../../templates/display_300x250_quote/format.json', import.meta.url);

const FORMATS = new Set([
  'display_300x250_image',
  'display_728x90_image',
  'display_320x50_image',
  'video_standard_15s',
  'video_standard_30s',
  'audio_standard_30s',
]);

const CHOICES = {
  kinds: ['sales', 'creative', 'signals'],
  name: 'Example Publisher',
  domain: 'publisher.example',
  products: undefined,
  hasOauth: false,
} as const;

function keys() {
  let made = 0;
  return () => {
    made += 1;
    return `random-${made}`;
  };
}

describe('init', () => {
  test('writes a set that passes without the environment of its server too', async () => {
    const directory = await folderWith({});
    await init({ ...CHOICES, directory, cwd: directory, randomKey: keys() });
    const settings = await resolveSettings({ flags: {}, env: {}, cwd: directory, packageRoot: directory });
    expect((await check(settings, pretendSet({}))).text).toContain('no problems');
  });

  test('writes a set that check passes and that loads', async () => {
    const directory = await folderWith({});
    const { files } = await init({ directory, cwd: directory, randomKey: keys(), ...CHOICES });
    expect(files.map((file) => relative(directory, file))).toEqual([
      'seller-agent.json',
      'tenants/sales.json',
      'tenants/creative.json',
      'tenants/signals.json',
      'tenants/publishers.json',
      'tenants/tenant.schema.json',
      'tenants/publishers.schema.json',
      '.gitignore',
    ]);
    const settings = await resolveSettings({ flags: {}, env: {}, cwd: directory, packageRoot: '/nowhere' });
    const { ok, text } = await check(settings, {}, 0);
    expect(text).toMatch(/\/sales\/mcp {2}sales {2}2 principals, 2 accounts, 3 products\n/);
    expect(text).toMatch(/3 tenants, no problems\./);
    expect(ok).toBe(true);
    const tenants = await loadTenants(optionsFor(join(directory, 'tenants'), { formatIds: FORMATS }));
    const tenant = tenants.find(({ path }) => path === 'sales');
    expect(tenant?.policies.creative_requirement).toBe('required');
    expect(tenant?.principals.map(({ sandbox }) => sandbox)).toEqual([false, true]);
  });

  test('the keys are told and only their hashes are kept', async () => {
    const directory = await folderWith({});
    const { files, text } = await init({ directory, cwd: directory, randomKey: keys(), ...CHOICES });
    expect(text).toContain('live-random-1');
    expect(text).toContain('sandbox-random-2');
    for (const file of files) expect(await readFile(file, 'utf8')).not.toContain('random-');
  });

  test('lets people sign in where that is asked for, and else not', async () => {
    for (const hasOauth of [true, false]) {
      const directory = await folderWith({});
      await init({ directory, cwd: directory, randomKey: keys(), ...CHOICES, hasOauth });
      const tenants = await loadTenants(optionsFor(join(directory, 'tenants'), { formatIds: FORMATS }));
      expect(tenants.map(({ oauth }) => oauth !== undefined)).toEqual([hasOauth, hasOauth, hasOauth]);
    }
  });

  test('overwrites nothing: it lists what is there and writes nothing else', async () => {
    const directory = await folderWith({ 'tenants/sales.json': '{"mine": true}', 'seller-agent.json': '{}' });
    const error = await init({ directory, cwd: directory, randomKey: keys(), ...CHOICES }).catch(
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems.map(({ file }) => relative(directory, file))).toEqual([
      'seller-agent.json',
      'tenants/sales.json',
    ]);
    expect(await readFile(join(directory, 'tenants/sales.json'), 'utf8')).toBe('{"mine": true}');
    await expect(readFile(join(directory, 'tenants/tenant.schema.json'))).rejects.toThrow(/ENOENT/);
  });

  test('a .gitignore that is there stays as it is', async () => {
    const directory = await folderWith({ '.gitignore': 'mine\n' });
    await init({ directory, cwd: directory, randomKey: keys(), ...CHOICES });
    expect(await readFile(join(directory, '.gitignore'), 'utf8')).toBe('mine\n');
  });
});

describe('check', () => {
  const settingsFor = (cwd: string) => resolveSettings({ flags: {}, env: {}, cwd, packageRoot: '/nowhere' });

  test('tells every problem with its fix, and counts them', async () => {
    const directory = await folderWith({ 'tenants/a.json': { nmae: 1 }, 'tenants/b.json': '{' });
    const { ok, text } = await check(await settingsFor(directory), {});
    expect(ok).toBe(false);
    expect(text).toContain(`${join(directory, 'tenants/a.json')}:2:3 /nmae: unknown key "nmae"`);
    expect(text).toContain('"kinds" is missing');
    expect(text).toContain(`${join(directory, 'tenants/b.json')}:`);
    expect(text.match(/ fix: /g)).toHaveLength(3);
    expect(text).toMatch(/\n3 problems in 2 files\.$/);
  });

  test('a folder that is not there is a problem like any other', async () => {
    const { ok, text } = await check(await settingsFor(await folderWith({})), {});
    expect(ok).toBe(false);
    expect(text).toMatch(/1 problem in 1 file\.$/);
  });

  test('knows the formats of the folder beside the tenants, as serve does', async () => {
    const format = JSON.parse(await readFile(QUOTE, 'utf8'));
    const sold = { ...validTenant(), products: [{ ...validTenant().products[0], format_ids: ['own_quote'] }] };
    const files = { 'tenants/sales.json': sold, 'templates/own_quote/format.json': format };
    const passed = await check(await settingsFor(await folderWith(files)), {});
    expect(passed.text).toMatch(/1 product {2}public sandbox: anybody may call it\n1 tenant, no problems\.$/);
    const { ok, text } = await check(await settingsFor(await folderWith({ 'tenants/sales.json': sold })), {});
    expect([ok, text]).toEqual([false, expect.stringMatching(/\/products\/0\/format_ids\/0: .*own_quote/)]);
  });

  test('tells what is wrong with a format, and does not blame the products that are sold in it', async () => {
    const format = { ...JSON.parse(await readFile(QUOTE, 'utf8')), color: 'red' };
    const sold = { ...validTenant(), products: [{ ...validTenant().products[0], format_ids: ['own_quote', 'cut'] }] };
    const directory = await folderWith({
      'tenants/sales.json': { ...sold, nmae: 'x' },
      'templates/own_quote/format.json': format,
      'templates/own_quote/template.html': '<p>\n{{quote}} {{claim}}',
      'templates/cut/format.json': '{\n  "name": "Cut",\n',
    });
    const { ok, text } = await check(await settingsFor(directory), {});
    expect(ok).toBe(false);
    const own = join(directory, 'templates/own_quote/format.json');
    const line =
      asText(format)
        .split('\n')
        .findIndex((each) => each.includes('"color"')) + 1;
    expect(text).toContain(`${own}:${line}:3 /color: there is no property "color" here`);
    expect(text).toContain(
      `${join(directory, 'templates/cut/format.json')}:3:1: not valid JSON: a property name is missing`,
    );
    expect(text).toContain('/nmae: unknown key "nmae"');
    expect(text).not.toContain('format_ids');
    expect(text).toMatch(/\n3 problems in 3 files\.$/);
  });

  test('tells what is wrong with a template', async () => {
    const format = JSON.parse(await readFile(QUOTE, 'utf8'));
    const directory = await folderWith({
      'tenants/sales.json': validTenant(),
      'templates/own_quote/format.json': format,
      'templates/own_quote/template.html': '<p>\n{{quote}} {{claim}}\n<b {{author}}>',
    });
    const { text } = await check(await settingsFor(directory), {});
    const template = join(directory, 'templates/own_quote/template.html');
    expect(text).toContain(`${template}:2:11: the format has no asset "claim"`);
    expect(text).toContain(`${template}:3:4: a value cannot be the name of a tag or an attribute`);
  });

  test('an expired product is warned of and passes', async () => {
    const directory = await folderWith({});
    await init({ directory, cwd: directory, randomKey: keys(), ...CHOICES });
    const file = join(directory, 'tenants', 'sales.json');
    const tenant = JSON.parse(await readFile(file, 'utf8'));
    tenant.products[0].expires_at = '2026-01-01T00:00:00Z';
    const other = await folderWith({ 'tenants/sales.json': tenant });
    const { ok, text } = await check(await settingsFor(other), {}, Date.parse('2026-02-01'));
    expect(ok).toBe(true);
    expect(text).toMatch(/warning: .*expires_at: .*expired.*\n.*\n1 tenant, no problems, 1 warning\.$/);
  });
});
