import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkManifest } from '../../../../src/creative/check/check.js';
import { HOUSE_FORMAT_IDS } from '../../../../src/creative/formats/catalog/catalog.js';
import { loadCatalog } from '../../../../src/creative/formats/files/load-catalog.js';
import { ConfigError, type ConfigProblem } from '../../../../src/platform/kernel/errors.js';
import { projectMembers } from '../../../../src/protocol/members.js';

const AGENT = 'http://127.0.0.1:3000/creative/mcp';
const SHIPPED = fileURLToPath(new URL('../../../../templates', import.meta.url));
const text = { item_type: 'individual', asset_id: 'headline', asset_type: 'text', required: true };
const minimal = {
  name: 'Strip',
  description: 'A strip.',
  type: 'display',
  renders: [{ role: 'primary', dimensions: { width: 600, height: 60 } }],
  assets: [text],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'formats-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(id: string, content: unknown, template?: string): void {
  mkdirSync(path.join(folder, id), { recursive: true });
  const json = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  if (content !== undefined) writeFileSync(path.join(folder, id, 'format.json'), json);
  if (template !== undefined) writeFileSync(path.join(folder, id, 'template.html'), template);
}

const load = (...templateFolders: readonly string[]) => loadCatalog({ agentUrl: AGENT, templateFolders });

async function problems(): Promise<readonly ConfigProblem[]> {
  try {
    await load(folder);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the catalog', () => {
  it('without folders is the house', async () => {
    const { formats, ids, template } = await load();
    expect(ids).toEqual(HOUSE_FORMAT_IDS);
    expect(formats).toHaveLength(HOUSE_FORMAT_IDS.size);
    expect(template('display_300x250')).toBeUndefined();
  });

  it('takes in the shipped example: valid by the public schema, checked like any other', async () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    (addFormats as unknown as (target: Ajv) => void)(ajv);
    const sdk = path.dirname(createRequire(import.meta.url).resolve('@adcp/sdk/package.json'));
    const root = path.join(sdk, 'dist/lib/schemas-data/3.0');
    for (const part of ['core', 'core/requirements', 'enums']) {
      for (const file of readdirSync(path.join(root, part)).filter((name) => name.endsWith('.json'))) {
        ajv.addSchema(JSON.parse(readFileSync(path.join(root, part, file), 'utf8')));
      }
    }
    const validate = ajv.getSchema('/schemas/3.0.6/core/format.json');
    const catalog = await load(SHIPPED);
    const quote = catalog.find({ agent_url: AGENT, id: 'display_300x250_quote' });
    if (quote === undefined) throw new Error('the example is missing');
    expect(validate?.(projectMembers('format', quote, '3.0')), JSON.stringify(validate?.errors)).toBe(true);
    const banner = catalog.find({ agent_url: AGENT, id: 'display_image', width: 468, height: 60 });
    expect(banner && validate?.(projectMembers('format', banner, '3.0')), JSON.stringify(validate?.errors)).toBe(true);
    expect(quote.assets_required).toHaveLength(4);
    expect(quote.supported_macros).toContain('CACHEBUSTER');
    expect(Object.isFrozen(quote.assets)).toBe(true);
    expect(catalog.template('display_300x250_quote')).toContain('{{quote}}');
    const assets = {
      quote: { content: 'The best boots I ever walked in.' },
      author: { content: 'Ada, guide' },
      cta_text: { content: 'Try a pair' },
      click_url: { url: 'https://acme.example/' },
    };
    expect(await checkManifest({ manifest: { assets }, format: quote })).toEqual([]);
  });

  it('finds formats under a foreign owner, and templates with parameters as concrete formats', async () => {
    put('strip', {
      ...minimal,
      output_format_ids: ['strip', 'display_image', { agent_url: 'https://x.example/', id: 'y' }],
    });
    put('wide', {
      ...minimal,
      renders: [{ role: 'primary', parameters_from_format_id: true }],
      accepts_parameters: ['dimensions'],
    });
    const { find, formats } = await load(folder);
    expect(formats.slice(-2).map(({ format_id }) => format_id.id)).toEqual(['strip', 'wide']);
    const foreign = { agent_url: 'https://your-agent.example.com', id: 'strip' };
    expect(find(foreign)?.format_id).toEqual({ agent_url: AGENT, id: 'strip' });
    expect(find(foreign)?.output_format_ids).toEqual([
      { agent_url: AGENT, id: 'strip' },
      { agent_url: AGENT, id: 'display_image' },
      { agent_url: 'https://x.example/', id: 'y' },
    ]);
    expect(find({ ...foreign, id: 'wide', width: 10, height: 20 })?.renders).toEqual([
      { role: 'primary', dimensions: { width: 10, height: 20 } },
    ]);
    expect(find({ ...foreign, id: 'wide' })?.accepts_parameters).toEqual(['dimensions']);
    expect(find({ ...foreign, width: 10, height: 20 })).toBeUndefined();
    expect(find({ ...foreign, id: 'nothing' })).toBeUndefined();
    expect(find({ ...foreign, id: '__proto__' })).toBeUndefined();
  });

  it('passes over folders that are about something else', async () => {
    mkdirSync(path.join(folder, 'pages'));
    writeFileSync(path.join(folder, 'pages', 'sheet.html'), '<p>');
    writeFileSync(path.join(folder, 'README.md'), '#');
    mkdirSync(path.join(folder, '.git'));
    expect(await problems()).toEqual([]);
  });
});

describe('problems', () => {
  const slot = (more: object) => ({ ...minimal, assets: [{ ...text, ...more }] });

  it.each([
    ['an unknown property', { ...minimal, color: 'red' }, '/color', /no property "color"/],
    ['a missing name', { ...minimal, name: undefined }, '/name', /string/],
    ['another type', { ...minimal, type: 'print' }, '/type', /display/],
    ['no render', { ...minimal, renders: [] }, '/renders', /1/],
    ['a render of nothing', { ...minimal, renders: [{ role: 'primary' }] }, '/renders/0', /either/],
    [
      'half a size',
      { ...minimal, renders: [{ role: 'a', dimensions: { width: 1 } }] },
      '/renders/0/dimensions',
      /neither/,
    ],
    [
      'parameters without a render',
      { ...minimal, accepts_parameters: ['dimensions'] },
      '/accepts_parameters',
      /goes with/,
    ],
    ['no asset', { ...minimal, assets: [] }, '/assets', /1/],
    [
      'an asset without a kind',
      { ...minimal, assets: [{ asset_id: 'x', asset_type: 'text', required: true }] },
      '/assets/0/item_type',
      /./,
    ],
    ['an unknown asset type', slot({ asset_type: 'smell' }), '/assets/0/asset_type', /image/],
    ['a bad asset id', slot({ asset_id: 'Head line' }), '/assets/0/asset_id', /a-z/],
    ['an asset twice', { ...minimal, assets: [text, text] }, '/assets/1', /two assets/],
    [
      'a misspelt requirement',
      slot({ requirements: { max_lenght: 3 } }),
      '/assets/0/requirements/max_lenght',
      /it has .*max_length/,
    ],
    [
      'a requirement of another type',
      slot({ requirements: { max_width: 3 } }),
      '/assets/0/requirements/max_width',
      /text has no/,
    ],
    [
      'a requirement that is no number',
      slot({ requirements: { max_length: '3' } }),
      '/assets/0/requirements/max_length',
      /number/,
    ],
    [
      'a pattern that is none',
      slot({ requirements: { character_pattern: '[' } }),
      '/assets/0/requirements/character_pattern',
      /regular/,
    ],
    [
      'a group that cannot be filled',
      {
        ...minimal,
        assets: [
          {
            ...{ item_type: 'repeatable_group', asset_group_id: 'card', required: true, min_count: 3, max_count: 2 },
            assets: [{ asset_id: 'image', asset_type: 'image', required: true }],
          },
        ],
      },
      '/assets/0',
      /at most/,
    ],
    [
      'an output that nobody has',
      { ...minimal, output_format_ids: ['nothing'] },
      '/output_format_ids/0',
      /no format "nothing"/,
    ],
    ['a macro in small letters', { ...minimal, supported_macros: ['click'] }, '/supported_macros/0', /capitals/],
  ])('%s', async (_name, content, pointer, message) => {
    put('strip', content);
    const found = await problems();
    expect(found.map((problem) => problem.pointer)).toEqual([pointer]);
    expect(found[0]?.message).toMatch(message);
    expect(found[0]?.file).toBe(path.join(folder, 'strip', 'format.json'));
    expect(found[0]?.fix).not.toBe('');
  });

  it('all of them at once', async () => {
    put('display_300x250', minimal);
    put('strip', { ...minimal, color: 'red', shape: 'round', type: 'print' });
    put('broken', '{\n  "name": \n}');
    put('bad name', minimal);
    put('lonely', undefined, '<p>');
    put('poster', minimal, '<p>\n{{headline}} {{ claim }}\n');
    const found = await problems();
    const lines = found.map(({ file, line, pointer }) => `${path.relative(folder, file)}:${line} ${pointer}`);
    expect(lines.sort()).toEqual([
      'bad name/format.json:1 ',
      'broken/format.json:1 ',
      'display_300x250/format.json:1 ',
      'lonely/format.json:0 ',
      'poster/template.html:2 ',
      'strip/format.json:1 /color',
      'strip/format.json:1 /shape',
      'strip/format.json:1 /type',
    ]);
  });

  it('the same id in two folders, and a folder that is not there', async () => {
    put('strip', minimal);
    await expect(load(folder, folder)).rejects.toThrow(/stands in two folders/);
    await expect(load(path.join(folder, 'nowhere'))).rejects.toThrow(/cannot be read/);
  });

  it('have positions where the reader knows them', async () => {
    put('strip', { ...minimal, color: 'red' });
    const readJson = async (file: string) => ({
      value: JSON.parse(readFileSync(file, 'utf8')) as unknown,
      problems: [],
      positionOf: (place: readonly (string | number)[]) =>
        place[0] === 'color' ? { line: 42, column: 3 } : { line: 1 },
    });
    await expect(loadCatalog({ agentUrl: AGENT, templateFolders: [folder], readJson })).rejects.toThrow(
      /format\.json:42:3 \/color: there is no property "color" here/,
    );
  });
});
