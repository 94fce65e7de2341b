import { describe, expect, it } from 'vitest';
import { webUrl } from '../../../src/platform/net/url.js';

describe('webUrl', () => {
  it('takes only http and https addresses without credentials', () => {
    expect(webUrl('HTTPS://Shop.example')).toBe('https://shop.example/');
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      ' java\nscript:x',
      'https://shop.example/a\r\nb',
      'https://shop.example\t/',
      ' https://shop.example',
      'https://shop.example/\u007f',
      'https://u:p@x.example',
      '/x',
      '',
    ]) {
      expect(webUrl(text)).toBeUndefined();
    }
  });
});
