import { describe, expect, it, test } from 'vitest';
import {
  canonicalMember,
  declareFormat,
  FormatOptions,
} from '../../../../src/creative/formats/canonical/declaration.js';
import { houseFormats } from '../../../../src/creative/formats/catalog/catalog.js';
import type { Format } from '../../../../src/creative/formats/format.js';
import { hasSchemas, schemaJudge } from '../../../kit/schemas.js';

const HOUSE = 'http://127.0.0.1:3000/creative/mcp';
const formats = houseFormats(HOUSE);
const options = new FormatOptions(formats, HOUSE);
const named = (id: string, parameters: object = {}) =>
  options.find({ agent_url: HOUSE, id, ...parameters })?.declaration;

describe('the formats of the house in canonical terms', () => {
  test.skipIf(!hasSchemas('3.1')).each(formats.map((format) => [format.format_id.id, format] as const))(
    '%s is declared validly by the public schemas',
    (_id, format) => {
      const judge = schemaJudge('3.1');
      const declaration = declareFormat(format)?.declaration;
      expect(declaration).toBeDefined();
      expect(judge('core/product-format-declaration', declaration as object)).toEqual([]);
      const shown = { ...format, canonical: canonicalMember(format) };
      expect(judge('core/format', JSON.parse(JSON.stringify(shown)) as object)).toEqual([]);
    },
  );

  it.each([
    ['display_300x250_image', {}, 'image', { width: 300, height: 250, max_file_size_kb: 200 }],
    ['display_300x250_image_2x', {}, 'image', { width: 300, height: 250, pixel_ratios: [2] }],
    ['display_image', { width: 468, height: 60 }, 'image', { width: 468, height: 60 }],
    ['display_300x250_html', {}, 'html5', { width: 300, height: 250 }],
    ['display_js', {}, 'display_tag', { supported_tag_types: ['javascript'] }],
    ['display_300x250_generative', {}, 'image', { asset_source: 'agent_synthesized', width: 300 }],
    ['video_30s', {}, 'video_hosted', { duration_ms_exact: 30_000, containers: ['mp4', 'mov', 'webm'] }],
    ['video_standard', { duration_ms: 20_000 }, 'video_hosted', { duration_ms_exact: 20_000 }],
    ['video_1920x1080', {}, 'video_hosted', { min_width: 1920, max_height: 1080 }],
    ['vast_30s', {}, 'video_vast', { vast_version: '4.2' }],
    ['audio_15s', {}, 'audio_hosted', { duration_ms_exact: 15_000, audio_codecs: ['mp3', 'aac'] }],
    ['native_standard', {}, 'native_in_feed', { title_max_chars: 50, cta_max_chars: 20 }],
    ['native_carousel', {}, 'image_carousel', { min_cards: 2, max_cards: 10, card_headline_max_chars: 60 }],
    ['dooh_billboard_portrait', {}, 'image', { aspect_ratio: '9:16' }],
  ])('%s %j is %s with %j', (id, parameters, kind, params) => {
    expect(named(id, parameters)).toMatchObject({ format_kind: kind, params });
  });

  it('tells the options of one kind apart by an id of each', () => {
    const ids = options
      .list(formats.map(({ format_id }) => format_id))
      .map(({ declaration }) => declaration.format_option_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(named('display_image', { width: 468, height: 60 })?.format_option_id).toBe('display_image_468x60');
  });

  it('knows no option of a format that another agent owns', () => {
    expect(options.find({ agent_url: 'https://elsewhere.example', id: 'display_300x250' })).toBeUndefined();
  });

  it('declares nothing of a format that is of no canonical kind', () => {
    const text = { item_type: 'individual', asset_id: 'words', asset_type: 'text', required: true } as const;
    const odd: Format = { ...(formats[0] as Format), assets: [text], assets_required: [text] };
    expect(declareFormat(odd)).toBeUndefined();
    expect(canonicalMember(odd)).toBeUndefined();
  });
});
