import { describe, expect, test } from 'vitest';
import { houseFormats } from '../../../src/creative/formats/catalog/catalog.js';
import { canPlayIn } from '../../../src/creative/formats/compatibility.js';

const FORMATS = houseFormats('https://seller.example/creative/mcp');
const FILM = {
  asset_type: 'video',
  url: 'https://cdn.example/film.mp4',
  width: 1920,
  height: 1080,
  duration_ms: 30_000,
};

describe('a creative of another format', () => {
  test.each([
    ['a film of the right length', 'video_30s', { video: FILM }, true],
    ['beside things that the format does not know', 'video_30s', { video: FILM, note: {} }, true],
    ['a film of another length', 'video_15s', { video: FILM }, false],
    ['a film that says no length', 'video_30s', { video: { ...FILM, duration_ms: undefined } }, false],
    ['a film in another place', 'video_30s', { film: FILM }, false],
    ['a picture where a film belongs', 'video_30s', { video: { ...FILM, asset_type: 'image' } }, false],
    ['nothing', 'video_30s', {}, false],
    ['what an object inherits', 'video_30s', Object.create({ video: FILM }) as object, false],
    [
      'a tag, which is made for its format',
      'vast_30s',
      { vast_tag: { asset_type: 'vast', content: '<VAST/>' } },
      false,
    ],
    ['a page, whose size is its format', 'display_300x250_html', { html_creative: { asset_type: 'html' } }, false],
  ])('%s in %s', (_what, id, assets, fits) => {
    const format = FORMATS.find((one) => one.format_id.id === id);
    expect(format).toBeDefined();
    expect(format !== undefined && canPlayIn(format, assets as Record<string, unknown>)).toBe(fits);
  });
});
