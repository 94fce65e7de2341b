import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillTemplate, type TemplateValue, templateValue } from '../../src/creative/formats/template.js';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (BROWSER === undefined) console.warn('No browser at /usr/bin/chromium: the tests of templates in it are skipped.');

/** Every place that a value may take. */
const TEMPLATE = `<!doctype html><html lang="en"><head><title>{{quote}}</title>
<style>.a::before{content:"{{quote}}"} .b{background:url({{photo}})}</style></head><body>
<h1>{{quote}}</h1><p id="p" title="{{quote}}" data-plain={{quote}} class='x {{quote}}'>{{quote}}</p>
<a id="link" href="{{click_url}}" onclick="seen('{{quote}}');return false">{{click_url}}</a><a href="{{quote}}">?</a>
<a href="https://t.example/?to={{click_url}}&amp;q={{quote}}">t</a><img id="photo" src="{{photo}}" alt="{{quote}}">
<div style="background-image:url('{{photo}}');width:{{quote}}"></div><textarea>{{quote}}</textarea><!-- {{quote}} -->
<script>window.said = []; function seen(text) { said.push(text) } seen("{{quote}}"); seen('{{click_url}}');</script>
</body></html>`;

const HOSTILE = [
  `"><script>hacked=1</script>`,
  `' onmouseover='hacked=1' x='`,
  `</title></style></textarea><script>hacked=1</script><img src=x onerror=hacked=1>`,
  `');hacked=1;//`,
  `\\');hacked=1;//`,
  `"+(hacked=1)+"`,
  '\u0024{hacked=1}`+(hacked=1)+`',
  `--><img src=x onerror=hacked=1><!--`,
  `javascript:hacked=1`,
  `java\u0000script:hacked=1`,
  `x onfocus=hacked=1 autofocus tabindex=1`,
  `");}</style><svg onload=hacked=1>{{quote}}{{click_url}}`,
  `expression(hacked=1);background:url(javascript:hacked=1)`,
  `\u2028hacked=1\u2029//`,
  `&quot;><img src=x onerror=hacked=1>&#39;`,
];

/** The page with one value in every place. */
function pageWith(value: string): string {
  const text: TemplateValue = templateValue('text', { content: value });
  const values = [
    ['quote', text],
    ['click_url', templateValue('url', { url: value })],
    ['photo', templateValue('image', { url: value })],
  ] as const;
  return fillTemplate(TEMPLATE, new Map(values));
}

describe.skipIf(BROWSER === undefined)('a filled template in a browser', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
    page = await browser.newPage();
    await page.route('**/*', (route) => route.abort());
  });
  afterAll(() => browser?.close());

  /** Tags and the names of their attributes, in their order: what no value may change. */
  const shape = (): Promise<readonly string[]> =>
    page.evaluate(
      "[...document.querySelectorAll('*')].map((one) => [one.tagName, ...one.getAttributeNames()].join(' '))",
    );
  const said = (): Promise<unknown> => page.evaluate('window.said');

  it.each(HOSTILE)('runs nothing of %j and keeps its shape', async (value) => {
    await page.setContent(pageWith('plain'));
    const plain = await shape();
    await page.setContent(pageWith(value));
    expect(await shape()).toEqual(plain);
    await page.locator('#link').dispatchEvent('click');
    await page.locator('#p').dispatchEvent('mouseover');
    expect(await page.evaluate("'hacked' in window")).toBe(false);
    // Every place shows the value itself; scripts get it as a string. HTML knows no NUL.
    const seen = value.replaceAll('\u0000', '');
    expect(await page.locator('h1').textContent()).toBe(seen);
    const link = templateValue('url', { url: value }).text;
    expect(await said()).toEqual([value, link, value]);
    const links = await page.evaluate<string[]>("[...document.links].map((one) => one.getAttribute('href'))");
    expect(links[0]).toBe(link);
    expect(links.map((href) => new URL(href, 'https://page.example/').protocol)).toEqual(links.map(() => 'https:'));
  });

  it('brings addresses to where they belong, unchanged', async () => {
    const url = `https://a.example/p(1).png?a=1&b='x'#c`;
    await page.setContent(pageWith(url));
    expect(await page.locator('#link').getAttribute('href')).toBe(url);
    expect(await page.locator('#photo').getAttribute('src')).toBe(url);
    expect(await said()).toEqual([url, url]);
    const background = "getComputedStyle(document.querySelector('div')).backgroundImage";
    expect(await page.evaluate(background)).toBe(`url("${new URL(url).href}")`);
    expect(await page.evaluate('document.styleSheets[0].cssRules[1].cssText')).toContain(`url("${url}")`);
  });
});
