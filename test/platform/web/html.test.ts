import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml, html, htmlText, pageText, raw } from '../../../src/platform/web/html.js';

const EVIL = `"><script>alert('x')</script>&{CITY}`;

describe('html', () => {
  it('escapes every value, in text and in attributes', () => {
    expect(htmlText(html`<a title="${EVIL}">${EVIL}</a>`)).toBe(
      `<a title="${escapeHtml(EVIL)}">${escapeHtml(EVIL)}</a>`,
    );
    expect(escapeHtml(EVIL)).toBe('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;{CITY}');
  });

  it('nests, joins lists, writes nothing for undefined and false, and takes raw text as it is', () => {
    const items = ['<', 2].map((item) => html`<li>${item}</li>`);
    expect(htmlText(html`<ul>${items}${false}${undefined}${raw('<hr>')}${['&', raw('&')]}</ul>`)).toBe(
      '<ul><li>&lt;</li><li>2</li><hr>&amp;&</ul>',
    );
  });

  it('lets no text of a page turn what stands behind it, and leaves letters that go from the right', () => {
    const page = html`Order of <b>${'\u202e\u2066evil\u202bשלום'}</b> for 6,000 USD`;
    expect(pageText(page)).toBe('Order of <b>evilשלום</b> for 6,000 USD');
  });

  it('lets no text leave the place where it was put', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(htmlText(html`${text}`)).not.toMatch(/[<>"']/);
      }),
    );
  });
});
