import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUSE_FORMAT_IDS, houseFormats } from '../../../src/creative/formats/catalog/catalog.js';
import { concreteFormat } from '../../../src/creative/formats/catalog/parameters.js';
import { filterFormats } from '../../../src/creative/formats/filters.js';
import type { Format } from '../../../src/creative/formats/format.js';
import { isSameFormat, parseFormatId, resolveFormatId } from '../../../src/creative/formats/format-id.js';
import { TaskError } from '../../../src/protocol/errors.js';
import { projectMembers } from '../../../src/protocol/members.js';

const HOUSE = 'http://127.0.0.1:3000/creative/mcp';
const formats = houseFormats(HOUSE);
const ids = (found: readonly Format[]) => found.map((format) => format.format_id.id);
const byId = (id: string) => formats.find((format) => format.format_id.id === id) as Format;

function thrownBy(act: () => unknown): TaskError {
  try {
    act();
  } catch (error) {
    if (error instanceof TaskError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('the formats of the house', () => {
  let validate: ValidateFunction;
  beforeAll(() => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    (addFormats as unknown as (target: Ajv) => void)(ajv);
    const sdk = path.dirname(createRequire(import.meta.url).resolve('@adcp/sdk/package.json'));
    const root = path.join(sdk, 'dist/lib/schemas-data/3.0');
    for (const folder of ['core', 'core/requirements', 'enums']) {
      for (const file of readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.json'))) {
        ajv.addSchema(JSON.parse(readFileSync(path.join(root, folder, file), 'utf8')));
      }
    }
    validate = ajv.getSchema('/schemas/3.0.6/core/format.json') as ValidateFunction;
  });

  it.each(formats.map((format) => [format.format_id.id, format] as const))(
    '%s is valid by the public schema',
    (_id, format) => {
      const valid = validate(projectMembers('format', format, '3.0'));
      expect(valid, JSON.stringify(validate.errors)).toBe(true);
    },
  );

  it('only its macros keep the whole format from the 3.0 schema, which refuses its own list', () => {
    expect(validate(formats[0])).toBe(false);
    expect(validate.errors?.every((error) => error.instancePath.startsWith('/supported_macros/'))).toBe(true);
    expect(validate({ ...formats[0], supported_macros: ['CACHEBUSTER'] })).toBe(false);
  });

  it('the schema would notice a broken format', () => {
    expect(validate({ ...projectMembers('format', formats[0] as Format, '3.0'), renders: [] })).toBe(false);
    expect(
      validate({ ...projectMembers('format', formats[0] as Format, '3.0'), format_id: 'display_300x250_image' }),
    ).toBe(false);
  });

  const SIZES = ['300x250', '728x90', '320x50', '160x600', '336x280', '300x600', '970x250'];
  const REFERENCE = [
    ...['image', 'image_2x', 'image_1x_2x', 'generative'].flatMap((suffix) =>
      SIZES.map((size) => `display_${size}_${suffix}`),
    ),
    ...[...SIZES, '300x50'].map((size) => `display_${size}_html`),
    ...[
      'display_image display_static display_html display_js display_generative',
      'video_standard video_hosted video_dimensions video_standard_15s video_standard_30s',
      'video_1920x1080 video_1280x720 video_1080x1920 video_1080x1080 video_ctv_preroll_30s video_ctv_midroll_30s',
      'video_vast video_vast_30s broadcast_spot_15s broadcast_spot_30s broadcast_spot_60s',
      'audio_standard_15s audio_standard_30s audio_standard_60s audio_30s',
      'native_standard native_content sponsored_recommendation native_mention',
      'dooh_billboard_1920x1080 dooh_transit_screen dooh_billboard_landscape dooh_billboard_portrait',
    ].flatMap((line) => line.split(' ')),
  ];
  const CARDS = [
    ...['product', 'proposal', 'format'].flatMap((of) => [`${of}_card_standard`, `${of}_card_detailed`]),
    'native_product_card',
  ];
  const SHORT = [
    ...[...SIZES, '300x50', '250x250', '200x200', '320x480', '320x400', '320x320', '320x250'].map(
      (size) => `display_${size}`,
    ),
    ...[
      'video_15s video_30s video_preroll video_pre_roll_15s video_pre_roll_30s preroll_15s preroll_30s ssai_15s ssai_30s',
      'vast_30s broadcast_15s broadcast_30s broadcast_60s audio_15s native_post native_feed native_in_feed native_carousel source_master',
      'display_300x250_catalog video_30s_generative',
    ].flatMap((line) => line.split(' ')),
  ];

  it('are the 69 ads and the 7 cards of the reference catalog, and the short ids, each once', () => {
    expect(REFERENCE).toHaveLength(69);
    expect(CARDS).toHaveLength(7);
    expect(new Set(ids(formats)).size).toBe(formats.length);
    expect(new Set(ids(formats))).toEqual(HOUSE_FORMAT_IDS);
    expect(ids(formats).sort()).toEqual([...REFERENCE, ...CARDS, ...SHORT].sort());
  });

  it('show a size or a parameter in every render, and templates what they accept', () => {
    for (const format of formats) {
      const fromId = format.renders.some((render) => render.parameters_from_format_id === true);
      expect(fromId, format.format_id.id).toBe(format.accepts_parameters !== undefined);
      for (const render of format.renders) expect(render.dimensions === undefined).toBe(fromId);
    }
    const templates = formats.filter((format) => format.accepts_parameters !== undefined);
    expect(templates.map((format) => [format.format_id.id, ...(format.accepts_parameters ?? [])])).toEqual([
      ...['image', 'static', 'html', 'js', 'generative'].map((kind) => [`display_${kind}`, 'dimensions']),
      ['video_standard', 'duration'],
      ['video_hosted', 'duration'],
      ['video_dimensions', 'dimensions'],
      ['video_vast', 'duration'],
    ]);
  });

  it('say what a generative format makes, by ids of the house', () => {
    expect(byId('display_320x50_generative').output_format_ids).toEqual([
      { agent_url: HOUSE, id: 'display_320x50_image' },
    ]);
    const outputs = formats.flatMap((format) => format.output_format_ids ?? []);
    expect(outputs).toHaveLength(9);
    for (const { id } of outputs) expect(HOUSE_FORMAT_IDS).toContain(id);
  });

  it('says type, renders and the required slots of every format', () => {
    for (const format of formats) {
      expect(format.format_id.agent_url).toBe(HOUSE);
      expect(format.renders.length).toBeGreaterThan(0);
      expect(format.assets.length).toBeGreaterThan(0);
      // What other formats are built from may come in parts.
      expect(format.assets_required.length > 0).toBe(format.format_id.id !== 'source_master');
      expect(format.assets_required).toEqual(format.assets.filter((slot) => slot.required));
      expect(format.supported_macros).toContain('CACHEBUSTER');
    }
    expect(byId('display_300x250_image').assets_required.map((slot) => 'asset_id' in slot && slot.asset_id)).toEqual([
      'banner_image',
      'click_url',
    ]);
    expect(byId('display_300x250_image').renders[0]?.dimensions).toEqual({ width: 300, height: 250 });
    expect(byId('video_ctv_preroll_30s').supported_macros).toContain('PLAYER_SIZE');
  });

  it('cannot be changed by a reader', () => {
    const slot = byId('display_300x250_image').assets[0] as unknown as { requirements: { max_file_size_kb: number } };
    expect(() => {
      slot.requirements.max_file_size_kb = 1;
    }).toThrow(TypeError);
  });
});

describe('parseFormatId', () => {
  it('reads an object and keeps its parameters, and only those', () => {
    const given = { agent_url: 'https://a.example/', id: 'display_image', width: 300, height: 250, note: 'x' };
    expect(parseFormatId(given, 'f')).toEqual({
      agent_url: 'https://a.example/',
      id: 'display_image',
      width: 300,
      height: 250,
    });
    expect(parseFormatId({ agent_url: 'https://a.example', id: 'video_vast', duration_ms: 6000 }, 'f')).toHaveProperty(
      'duration_ms',
      6000,
    );
  });

  it.each([
    ['display_300x250', 'f'],
    [null, 'f'],
    [undefined, 'f'],
    [7, 'f'],
    [['display_300x250'], 'f'],
    [{ id: 'display_300x250' }, 'f.agent_url'],
    [{ agent_url: 7, id: 'display_300x250' }, 'f.agent_url'],
    [{ agent_url: '', id: 'display_300x250' }, 'f.agent_url'],
    [{ agent_url: 'https://a.example' }, 'f.id'],
    [{ agent_url: 'https://a.example', id: '../etc' }, 'f.id'],
    [{ agent_url: 'https://a.example', id: '' }, 'f.id'],
    [{ agent_url: 'https://a.example', id: 'x\n' }, 'f.id'],
    [{ agent_url: 'https://a.example', id: 'x', width: 300 }, 'f'],
    [{ agent_url: 'https://a.example', id: 'x', width: 300, height: 0 }, 'f.height'],
    [{ agent_url: 'https://a.example', id: 'x', width: '300', height: 250 }, 'f.width'],
    [{ agent_url: 'https://a.example', id: 'x', duration_ms: Number.NaN }, 'f.duration_ms'],
  ])('refuses %j at %s', (value, field) => {
    const error = thrownBy(() => parseFormatId(value, 'f'));
    expect(error.code).toBe('INVALID_FORMAT_ID');
    expect(error.extras.field).toBe(field);
    expect(error.extras.suggestion).toMatch(/\{"agent_url":"https:[^"]+","id":"[a-z0-9_]+"\}/);
  });

  it('shows the right object for the id that was sent, but repeats nothing else', () => {
    expect(thrownBy(() => parseFormatId('video_30s', 'f')).extras.suggestion).toContain('"id":"video_30s"');
    expect(thrownBy(() => parseFormatId('<script>', 'f')).extras.suggestion).not.toContain('script');
    expect(thrownBy(() => parseFormatId('a'.repeat(10_000), 'f')).extras.suggestion?.length).toBeLessThan(300);
  });
});

describe('isSameFormat and resolveFormatId', () => {
  const own = { agent_url: 'https://custom.example/mcp', id: 'takeover' };

  it.each([
    ['HTTPS://Custom.Example/mcp', true],
    ['https://custom.example:443/mcp', true],
    ['https://custom.example/mcp/', true],
    ['https://custom.example/a/../mcp', true],
    ['https://custom.example/./mcp#part', true],
    ['http://custom.example/mcp', false],
    ['https://custom.example:8443/mcp', false],
    ['https://custom.example/MCP', false],
    ['https://other.example/mcp', false],
    ['https://custom.example/mcp?tenant=2', false],
    ['not a url', false],
  ])('%s: %s', (agent_url, same) => {
    expect(isSameFormat({ agent_url, id: 'takeover' }, own, HOUSE)).toBe(same);
  });

  it('counts the parameters', () => {
    const sized = { ...own, width: 300, height: 250 };
    expect(isSameFormat(sized, { ...sized }, HOUSE)).toBe(true);
    expect(isSameFormat(sized, own, HOUSE)).toBe(false);
    expect(isSameFormat(sized, { ...sized, height: 600 }, HOUSE)).toBe(false);
    expect(isSameFormat({ ...own, duration_ms: 15_000 }, { ...own, duration_ms: 30_000 }, HOUSE)).toBe(false);
  });

  it('takes an id of ours under any owner for ours, parameters kept', () => {
    const foreign = { agent_url: 'https://your-platform.example.com', id: 'video_30s', duration_ms: 30_000 };
    expect(resolveFormatId(foreign, HOUSE)).toEqual({ agent_url: HOUSE, id: 'video_30s', duration_ms: 30_000 });
    expect(
      isSameFormat(
        { agent_url: 'https://elsewhere.example', id: 'video_30s' },
        { agent_url: HOUSE, id: 'video_30s' },
        HOUSE,
      ),
    ).toBe(true);
    expect(resolveFormatId(own, HOUSE)).toBe(own);
  });
});

describe('concreteFormat', () => {
  const ref = (id: string, parameters: object = {}) => ({ agent_url: 'https://elsewhere.example', id, ...parameters });
  const requirementsOf = (format: Format | undefined) =>
    format?.assets.flatMap((slot) => ('requirements' in slot ? [slot.requirements] : []))[0];

  it('gives a template the size of the id, slots and all', () => {
    const found = concreteFormat(byId('display_image'), ref('display_image', { width: 468, height: 60 }));
    expect(found?.format_id).toEqual({ agent_url: HOUSE, id: 'display_image', width: 468, height: 60 });
    expect(found?.renders).toEqual([{ role: 'primary', dimensions: { width: 468, height: 60 } }]);
    expect(found?.accepts_parameters).toBeUndefined();
    expect(found?.name).toBe('Display Image 468x60');
    expect(requirementsOf(found)).toEqual({
      formats: ['jpg', 'jpeg', 'png', 'gif', 'webp'],
      ...{ min_width: 468, max_width: 468, min_height: 60, max_height: 60 },
    });
    expect(found?.assets_required).toEqual(found?.assets.filter((slot) => slot.required));
  });

  it('gives a template the length of the id', () => {
    const found = concreteFormat(byId('video_hosted'), ref('video_hosted', { duration_ms: 6000 }));
    expect(requirementsOf(found)).toMatchObject({ min_duration_ms: 6000, max_duration_ms: 6000 });
    expect(found?.renders).toEqual([{ role: 'primary', dimensions: { aspect_ratio: '16:9' } }]);
    expect(found?.name).toBe('Hosted Video 6s');
    const odd = parseFormatId({ agent_url: HOUSE, id: 'video_hosted', duration_ms: 6006.5 }, 'f');
    const between = { min_duration_ms: 6006, max_duration_ms: 6007 };
    expect(requirementsOf(concreteFormat(byId('video_hosted'), odd))).toMatchObject(between);
  });

  it.each([
    ['display_image', {}],
    ['display_300x250', { width: 300, height: 250 }],
    ['video_30s', { duration_ms: 30_000 }],
    ['video_vast_30s', { duration_ms: 30_000 }],
  ])('%s with %j stays as it is', (id, parameters) => {
    expect(concreteFormat(byId(id), ref(id, parameters))).toBe(byId(id));
  });

  it.each([
    ['display_300x250', { width: 300, height: 600 }],
    ['native_standard', { width: 300, height: 600 }],
    ['display_image', { width: 40_000, height: 40_000 }],
    ['video_hosted', { width: 300, height: 250 }],
    ['video_hosted', { duration_ms: 86_400_000 }],
    ['video_30s', { duration_ms: 15_000 }],
  ])('%s does not come with %j', (id, parameters) => {
    expect(concreteFormat(byId(id), ref(id, parameters))).toBeUndefined();
  });
});

describe('filterFormats', () => {
  it('without filters keeps all, in order', () => {
    expect(filterFormats(formats, {})).toEqual(formats);
  });

  it('by id, under our own or a foreign agent_url; unknown ids just do not appear', () => {
    const wanted = [
      { agent_url: 'https://nowhere.example', id: 'no_such_format' },
      { agent_url: `${HOUSE}/`, id: 'video_30s' },
      { agent_url: 'https://your-platform.example.com', id: 'display_300x250' },
    ];
    expect(ids(filterFormats(formats, { format_ids: wanted }))).toEqual(['display_300x250', 'video_30s']);
    expect(filterFormats(formats, { format_ids: wanted.slice(0, 1) })).toEqual([]);
  });

  it('by type, asset type and name', () => {
    expect(ids(filterFormats(formats, { type: 'audio' }))).toEqual([
      'audio_standard_15s',
      'audio_standard_30s',
      'audio_standard_60s',
      'audio_15s',
      'audio_30s',
    ]);
    expect(ids(filterFormats(formats, { asset_types: ['vast', 'audio'], type: 'video' }))).toEqual([
      'video_vast_30s',
      'vast_30s',
      'video_vast',
    ]);
    expect(ids(filterFormats(formats, { name_search: ' leaderBOARD ' }))).toEqual([
      'display_728x90_image',
      'display_728x90',
      'display_728x90_image_2x',
      'display_728x90_image_1x_2x',
      'display_728x90_html',
      'display_728x90_generative',
    ]);
    expect(filterFormats(formats, { name_search: '.*' })).toEqual([]);
  });

  it('by size, inclusive; what has no fixed size stays', () => {
    const small = ids(filterFormats(formats, { max_width: 320, max_height: 250 }));
    expect(small).toContain('display_300x250_image');
    expect(small).toContain('display_320x50');
    expect(small).not.toContain('display_300x600');
    expect(small).not.toContain('video_1280x720');
    expect(small).toContain('video_30s');
    expect(small).toContain('native_standard');
    const wide = ids(filterFormats(formats, { min_width: 970, min_height: 250, type: 'display' }));
    expect(wide).toContain('display_970x250_image');
    expect(wide).toContain('display_image');
    expect(wide.filter((id) => /\d+x\d+/.test(id)).every((id) => id.includes('970x250'))).toBe(true);
    const first = filterFormats(formats, { max_width: 728, max_height: 90 })[0];
    expect(first?.format_id.id).toBe('display_728x90_image');
  });

  it('by responsiveness', () => {
    const fluid = ids(filterFormats(formats, { is_responsive: true }));
    expect(fluid).toEqual(expect.arrayContaining(['native_standard', 'native_content', 'product_card_detailed']));
    expect(fluid).not.toContain('display_300x250');
    expect(filterFormats(formats, { is_responsive: false })).toHaveLength(formats.length - fluid.length);
  });

  it('by id with parameters: the template that takes them', () => {
    const sized = { agent_url: 'https://creative.adcontextprotocol.org/', id: 'display_image', width: 1, height: 2 };
    expect(ids(filterFormats(formats, { format_ids: [sized] }))).toEqual(['display_image']);
  });

  it('by accessibility, disclosures, outputs and inputs', () => {
    const marked: Format = {
      ...byId('native_content'),
      accessibility: { wcag_level: 'AA' },
      supported_disclosure_positions: ['footer'],
      disclosure_capabilities: [{ position: 'overlay', persistence: ['continuous'] }],
      input_format_ids: [{ agent_url: HOUSE, id: 'source_master' }],
    };
    const both = [marked, byId('display_300x250_generative')];
    expect(filterFormats(both, { wcag_level: 'A' })).toEqual([marked]);
    expect(filterFormats(both, { wcag_level: 'AAA' })).toEqual([]);
    expect(filterFormats(both, { disclosure_positions: ['footer', 'overlay'] })).toEqual([marked]);
    expect(filterFormats(both, { disclosure_positions: ['footer', 'audio'] })).toEqual([]);
    expect(filterFormats(both, { disclosure_persistence: ['continuous'] })).toEqual([marked]);
    expect(filterFormats(both, { disclosure_persistence: ['initial'] })).toEqual([]);
    const image = { agent_url: 'https://elsewhere.example', id: 'display_300x250_image' };
    expect(ids(filterFormats(both, { output_format_ids: [image] }))).toEqual(['display_300x250_generative']);
    expect(ids(filterFormats(both, { input_format_ids: [{ agent_url: HOUSE, id: 'source_master' }] }))).toEqual([
      'native_content',
    ]);
  });

  it('looks inside repeatable groups and at every render', () => {
    const base = formats[0] as Format;
    const carousel: Format = {
      ...base,
      renders: [
        { role: 'primary', dimensions: { width: 640, height: 360 } },
        { role: 'companion', dimensions: { width: 300, height: 250 } },
      ],
      assets: [
        {
          item_type: 'repeatable_group',
          asset_group_id: 'card',
          required: true,
          min_count: 2,
          max_count: 5,
          assets: [{ asset_id: 'clip', asset_type: 'video', required: true }],
        },
      ],
    };
    expect(filterFormats([carousel], { asset_types: ['video'] })).toHaveLength(1);
    expect(filterFormats([carousel], { asset_types: ['image'] })).toHaveLength(0);
    expect(filterFormats([carousel], { max_width: 300, max_height: 250 })).toHaveLength(1);
    expect(filterFormats([carousel], { min_width: 600, max_height: 250 })).toHaveLength(0);
  });
});
