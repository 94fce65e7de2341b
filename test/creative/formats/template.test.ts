import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Slot } from '../../../src/creative/formats/format.js';

import {
  fillTemplate,
  pageSlot,
  type TemplateValue,
  templateFaults,
  templateValue,
  withPageSlot,
} from '../../../src/creative/formats/template.js';

const text = (value: string): TemplateValue => ({ kind: 'text', text: value });
const address = (value: string): TemplateValue => ({ kind: 'address', text: value });

/** Fills a template from texts, and addresses where a name begins with `u`. */
function filled(source: string, values: Readonly<Record<string, string>>, macros = {}): string {
  const entries = Object.entries(values).map(([place, value]) => {
    return [place, place.startsWith('u') ? address(value) : text(value)] as const;
  });
  return fillTemplate(source, new Map(entries), macros);
}

const slot = (asset_id: string, asset_type: 'text' | 'url' | 'image' | 'html' = 'text'): Slot => {
  return { item_type: 'individual', asset_id, asset_type, required: false };
};
const SLOTS: readonly Slot[] = [
  slot('quote'),
  slot('url', 'url'),
  {
    item_type: 'repeatable_group',
    asset_group_id: 'cards',
    required: false,
    min_count: 0,
    max_count: 5,
    assets: [{ asset_id: 'title', asset_type: 'text', required: true }],
  },
];

describe('values', () => {
  it('are the text of words and markup, and the address of files and links', () => {
    expect(templateValue('text', { content: 'a<b' })).toEqual(text('a<b'));
    expect(templateValue('html', { content: '<p>' })).toEqual(text('<p>'));
    expect(templateValue('image', { url: 'https://a.example/1.png', content: 'x' })).toEqual(
      address('https://a.example/1.png'),
    );
    expect(templateValue('url', { url: '{CLICK_URL}' })).toEqual(address('{CLICK_URL}'));
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<p>',
    'vbscript:x',
    ' https://a.example',
    'java\nscript:x',
    '/x',
    '',
  ])('are nothing for the address %j', (url) => expect(templateValue('url', { url })).toEqual(address('')));
});

describe('filling', () => {
  it.each([
    ['<p>{{ quote }}</p>', `"<b>&'`, '<p>&quot;&lt;b&gt;&amp;&#39;</p>'],
    ['<p title="{{quote}}">', '" onload="x', '<p title="&#34;&#32;onload&#61;&#34;x">'],
    ['<p title={{quote}}>', 'a onload=x', '<p title=a&#32;onload&#61;x>'],
    [
      '<script>let a = "{{quote}}"</script>',
      '"</script>',
      '<script>let a = "\\u0022\\u003c\\u002fscript\\u003e"</script>',
    ],
    ['<p onclick="go(\'{{quote}}\')">', "');x(", '<p onclick="go(\'\\u0027\\u0029\\u003bx\\u0028\')">'],
    ['<style>a{b:"{{quote}}"}</style>', '"}', '<style>a{b:"\\000022\\00007d"}</style>'],
    ['<a href="{{quote}}">', 'javascript:x()', '<a href="javascript%3Ax%28%29">'],
    ['<!-- {{quote}} -->', '--><b>', '<!-- --&gt;&lt;b&gt; -->'],
    ['<iframe srcdoc="<p>{{quote}}">', '<b>', '<iframe srcdoc="<p>&#38;lt;b&#38;gt;">'],
  ])('escapes a text for its place: %s', (source, quote, expected) => expect(filled(source, { quote })).toBe(expected));

  it.each([
    ['<a href="{{u}}">', 'https://a.example/?b=1&c="', '<a href="https://a.example/?b&#61;1&#38;c&#61;&#34;">'],
    ['<a href={{u}}>', 'https://a.example/ x', '<a href=https://a.example/&#32;x>'],
    [
      '<a href="https://t.example/?to={{u}}">',
      'https://a.example/?b',
      '<a href="https://t.example/?to=https%3A%2F%2Fa.example%2F%3Fb">',
    ],
    ['<a href="/go?to={{u}}">', 'https://a.example/', '<a href="/go?to=https%3A%2F%2Fa.example%2F">'],
    [
      '<img srcset="{{u}} 1x, {{u}} 2x">',
      'https://a.example/b',
      '<img srcset="https://a.example/b 1x, https://a.example/b 2x">',
    ],
    [
      '<i style="background:url({{u}})">',
      'https://a.example/(1).png?a&b',
      '<i style="background:url(https://a.example/\\0000281\\000029.png?a\\000026b)">',
    ],
    ['<script>go("{{u}}")</script>', 'https://a.example/"', '<script>go("https://a.example/\\u0022")</script>'],
    ['<p>{{u}}</p>', 'https://a.example/<b>', '<p>https://a.example/&lt;b&gt;</p>'],
  ])('writes an address whole where one begins, else as a part: %s', (source, u, expected) =>
    expect(filled(source, { u })).toBe(expected),
  );

  it.each([
    ['<p>{{quote}}</p>', '<b>{CITY}</b>', '<p>&lt;b&gt;{CITY}&lt;/b&gt;</p>'],
    ['<a href="https://t.example/?to={{quote}}">', '{CLICK_URL}&', '<a href="https://t.example/?to={CLICK_URL}%26">'],
    ['<script>let a = `{{quote}}`</script>', '\u0024{CITY}', '<script>let a = `\\u0024{CITY}`</script>'],
    [
      '<a href="{{u}}">',
      '{CLICK_URL}https://a.example/?x={CITY}',
      '<a href="{CLICK_URL}https://a.example/?x&#61;{CITY}">',
    ],
    [
      '<i style="background:url({{u}})">',
      'https://a.example/{CITY}.png',
      '<i style="background:url(https://a.example/{CITY}.png)">',
    ],
  ])('keeps the macros of a value: %s', (source, value, expected) =>
    expect(filled(source, { quote: value, u: value }, { CITY: 'Oslo' })).toBe(expected),
  );

  it('fills the macros of the template for their place, and reads no value as a template', () => {
    const source = '<p title="{CITY}">{{quote}} {CITY} {WHO}</p>';
    expect(filled(source, { quote: '{{author}} {CITY}', author: 'x' }, { CITY: '{{quote}}"' })).toBe(
      '<p title="{{quote}}&#34;">{{author}} {CITY} {{quote}}&quot; {WHO}</p>',
    );
  });

  it('leaves a section out where there is nothing, and stands an inverted one in its place', () => {
    const source = '{{#quote}}<q>{{quote}}</q>{{/quote}}{{^quote}}<i>none</i>{{/quote}}.';
    expect(filled(source, { quote: 'a' })).toBe('<q>a</q>.');
    expect(filled(source, { quote: '' })).toBe('<i>none</i>.');
    expect(filled(source, {})).toBe('<i>none</i>.');
  });

  it('repeats a section for a group and for several of one slot, in their order', () => {
    const cards =
      '{{#cards}}<li>{{cards.title}}{{#cards.u}} <a href="{{cards.u}}">{{quote}}</a>{{/cards.u}}</li>{{/cards}}';
    const values = new Map<string, TemplateValue>([
      ['cards[1].title', text('two')],
      ['cards[0].title', text('<one>')],
      ['cards[0].u', address('https://a.example/')],
      ['quote', text('q')],
    ]);
    expect(fillTemplate(cards, values)).toBe('<li>&lt;one&gt; <a href="https://a.example/">q</a></li><li>two</li>');
    expect(fillTemplate('{{cards.title}}{{^cards}}none{{/cards}}', values)).toBe('&lt;one&gt;');
    const photos = new Map([0, 1].map((at) => [`photo[${at}]`, address(`https://a.example/${at}`)] as const));
    expect(fillTemplate('{{photo}}:{{#photo}}<img src="{{photo}}">{{/photo}}', photos)).toBe(
      'https://a.example/0:<img src="https://a.example/0"><img src="https://a.example/1">',
    );
  });

  it('escapes for where a value really stands, whatever sections leave out', () => {
    const source = '<script>"{{#quote}}"</script>{{/quote}}{{author}}';
    expect(filled(source, { author: '</script><b>' })).toBe('<script>"\\u003c\\u002fscript\\u003e\\u003cb\\u003e');
    expect(filled(source, { author: '<b>', quote: 'x' })).toBe('<script>""</script>&lt;b&gt;');
  });

  it('no text can leave its place', () => {
    const source = '<p title="{{quote}}" style="a:{{quote}}" onclick="f(\'{{quote}}\')">{{quote}}<a href="{{quote}}">';
    const shape = filled(source, { quote: '' }).replaceAll(/[^<>"']/g, '');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (quote) => {
        expect(filled(source, { quote }).replaceAll(/[^<>"']/g, '')).toBe(shape);
      }),
    );
  });
});

describe('faults', () => {
  it.each([
    ['<p>{{claim}}', 3, /no asset "claim"/, /\{\{quote\}\}, \{\{url\}\}, \{\{cards\.title\}\}/],
    ['{{#claim}}x{{/claim}}', 0, /no asset "claim"/, /Use one of/],
    ['<p>{{cards}}', 3, /"cards" is a group/, /\{\{#cards\}\}/],
    ['a{{#quote}}b', 1, /\{\{#quote\}\} is not closed/, /Add \{\{\/quote\}\}/],
    ['a{{/quote}}', 1, /closes no section/, /Remove/],
    ['{{#quote}}{{#url}}{{/quote}}{{/url}}{{/quote}}', 18, /\{\{\/quote\}\} closes no section/, /\{\{\/url\}\} first/],
    ['<p>{{{quote}}}', 3, /three braces/, /two braces/],
    ['<p {{quote}}>', 3, /name of a tag or an attribute/, /between tags/],
    ['<p {{#quote}}data-{{quote}}="x"{{/quote}}>', 18, /name of a tag or an attribute/, /between tags/],
    ['<h{{quote}}>', 2, /name of a tag or an attribute/, /between tags/],
    ['<{{quote}}>', 1, /name of a tag or an attribute/, /between tags/],
    ['<iframe srcdoc="<p>{{quote}}">', 19, /srcdoc/, /page itself/],
  ])('%s', (source, at, message, fix) => {
    const faults = templateFaults(source, SLOTS);
    expect(faults.map((fault) => fault.at)).toEqual([at]);
    expect(faults[0]?.message).toMatch(message);
    expect(faults[0]?.fix).toMatch(fix);
  });

  it('are none in a template that uses all there is', () => {
    const source =
      '<p {{#quote}}title="{{ quote }}"{{/quote}}>{{#cards}}{{cards.title}}{{/cards}}{{^url}}<b>{{/url}} {CITY}';
    expect(templateFaults(source, SLOTS)).toEqual([]);
  });

  it('are values of the page itself', () => {
    const slots = [...SLOTS, slot('markup', 'html'), slot('more', 'html')];
    expect(templateFaults('{{more}}{{markup}}', slots).map(({ message }) => message)).toEqual([
      '"markup" is what the template makes',
    ]);
  });
});

describe('the slot of the page', () => {
  it('is the first HTML slot, and added where there is none', () => {
    expect(pageSlot(SLOTS)).toBeUndefined();
    expect(pageSlot(withPageSlot(SLOTS))).toMatchObject({ asset_id: 'html', asset_type: 'html', required: false });
    const own = [...SLOTS, slot('markup', 'html'), slot('more', 'html')];
    expect(withPageSlot(own)).toBe(own);
    expect(pageSlot(own)).toMatchObject({ asset_id: 'markup' });
    const taken = [slot('html', 'text')];
    expect(withPageSlot(taken)).toBe(taken);
  });
});
