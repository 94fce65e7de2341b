import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { macroTopic, UNIVERSAL_MACROS } from '../../../src/creative/macros/catalog.js';
import { fillHtml, fillText, fillUrl, listPlaceholders, percentEncode } from '../../../src/creative/macros/fill.js';
import { startCpuClock } from '../../kit/cpu.js';

describe('placeholders', () => {
  it('are names in single braces', () => {
    expect(listPlaceholders('{A} {{B}} {b} {C_1} {A} $ {D} { E } {1F}')).toEqual(['A', 'C_1', 'D']);
  });

  it('are filled in one pass; unknown ones stay', () => {
    expect(fillText('{A} {B} {C} {{A}}', { A: '{B}', B: 'b' })).toBe('{B} b {C} {{A}}');
    expect(fillText('{constructor} {CONSTRUCTOR} {TO_STRING}', {})).toBe('{constructor} {CONSTRUCTOR} {TO_STRING}');
  });
});

describe('URLs', () => {
  it.each([
    ['https://t.example/i?c={CITY}', { CITY: 'São Paulo/&?#' }, 'https://t.example/i?c=S%C3%A3o%20Paulo%2F%26%3F%23'],
    ['https://t.example/{CITY}', { CITY: '../../x' }, 'https://t.example/..%2F..%2Fx'],
    ['https://t.example/{CITY}', { CITY: "a(b)!*'~" }, 'https://t.example/a%28b%29%21%2A%27~'],
    ['{CLICK_URL}', { CLICK_URL: 'https://shop.example/a?b=c d' }, 'https://shop.example/a?b=c%20d'],
    ['{CLICK_URL}', { CLICK_URL: 'javascript:alert(1)' }, 'javascript%3Aalert%281%29'],
    [
      'https://c.example/?u={CLICK_URL}',
      { CLICK_URL: 'https://shop.example/' },
      'https://c.example/?u=https%3A%2F%2Fshop.example%2F',
    ],
    ['https://t.example/?a={A}', { A: '{B}', B: 'x' }, 'https://t.example/?a=%7BB%7D'],
  ])('%s with %j', (url, values, expected) => expect(fillUrl(url, values as Record<string, string>)).toBe(expected));

  it('composes before encoding, and takes any text', () => {
    expect(percentEncode('e\u0301')).toBe('%C3%A9');
    expect(percentEncode('\ud800')).toBe('%EF%BF%BD');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(percentEncode(text)).toMatch(/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
      }),
    );
  });
});

describe('HTML', () => {
  it.each([
    ['<p>{X}</p>', '<b>"&', '<p>&lt;b&gt;&quot;&amp;</p>'],
    ['<p title="{X}">', '" onload="x', '<p title="&#34;&#32;onload&#61;&#34;x">'],
    ['<p title={X}>', 'a onload=x', '<p title=a&#32;onload&#61;x>'],
    ['<a href="{X}">', 'https://x.example/?a=1&b="', '<a href="https://x.example/?a&#61;1&#38;b&#61;%22">'],
    ['<a href="{X}">', 'javascript:alert(1)', '<a href="javascript%3Aalert%281%29">'],
    ["<img src='https://x.example/{X}.png'>", "a'b", "<img src='https://x.example/a%27b.png'>"],
    ['<p data-u="https://x.example/?d={X}">', 'a&b', '<p data-u="https://x.example/?d=a%26b">'],
    [
      '<button onclick="go(\'{X}\')">',
      "');alert(1)//",
      '<button onclick="go(\'\\u0027\\u0029\\u003balert\\u00281\\u0029\\u002f\\u002f\')">',
    ],
    [
      '<script>let a = "{X}"</script>{X}',
      '"</script>',
      '<script>let a = "\\u0022\\u003c\\u002fscript\\u003e"</script>&quot;&lt;/script&gt;',
    ],
    [
      '<script>new Image().src="https://t.example/?x={X}"</script>',
      '"&',
      '<script>new Image().src="https://t.example/?x=%22%26"</script>',
    ],
    ['<style>a{b:"{X}"}</style>', '"}', '<style>a{b:"\\000022\\00007d"}</style>'],
    ['<iframe srcdoc="<p>{X}">', '<b>', '<iframe srcdoc="<p>&#38;lt;b&#38;gt;">'],
    ['<!-- {X} -->', '--><b>', '<!-- --&gt;&lt;b&gt; -->'],
    ['<title>{X}</title>', '</title>', '<title>&lt;/title&gt;</title>'],
    ['a < b {X}', '<', 'a < b &lt;'],
    ['<p {X}>', 'onload=x y', '<p onload&#61;x&#32;y>'],
  ])('%s with %s', (source, value, expected) => expect(fillHtml(source, { X: value })).toBe(expected));

  it('leaves everything else as it was, also broken markup', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<', '>', '"', "'", '=', ' ', 'a', '/', '<!--', '-->', '<script', '{X}', '<p t="')),
        (parts) => {
          const source = parts.join('');
          expect(fillHtml(`${source}{Y}`, { Y: 'y' })).toBe(`${source}y`);
        },
      ),
    );
  });

  it('is quick with much markup', () => {
    const source = '<p class="a" title={X}>'.repeat(20_000);
    const elapsed = startCpuClock();
    fillHtml(source, { X: 'x' });
    expect(elapsed()).toBeLessThan(2000);
  });
});

it('the universal macros are known by name', () => {
  const names = Object.values(UNIVERSAL_MACROS).flat();
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(76);
  expect([macroTopic('DEVICE_TYPE'), macroTopic('GTIN'), macroTopic('SCREEN_ID')]).toEqual([
    'Device',
    'Catalog',
    undefined,
  ]);
});
