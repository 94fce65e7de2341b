import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { send } from '../../kit/http.js';
import { picture, type RendererClient, rendererClient } from '../../kit/renderer.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { shippedTenant, writeTenant } from '../../kit/tenants.js';

const individual = (asset_id: string, asset_type: string, required: boolean, requirements = {}) => {
  return { item_type: 'individual', asset_id, asset_type, required, requirements };
};
const FORMAT = {
  name: 'Story',
  description: 'A headline, a picture and cards.',
  type: 'display',
  renders: [{ role: 'primary', dimensions: { width: 300, height: 250 } }],
  assets: [
    individual('headline', 'text', true, { max_length: 90 }),
    individual('click_url', 'url', true, { role: 'clickthrough' }),
    individual('photo', 'image', false, { formats: ['png', 'jpg'] }),
    {
      item_type: 'repeatable_group',
      asset_group_id: 'cards',
      required: false,
      min_count: 1,
      max_count: 3,
      assets: [
        { asset_id: 'title', asset_type: 'text', required: true },
        { asset_id: 'link', asset_type: 'url', required: false },
      ],
    },
  ],
};
const TEMPLATE = `<!doctype html><title>{{headline}}</title><style>.ad{width:{AD_WIDTH}px}</style>
<a class="ad" href="{{click_url}}" title="{{headline}}" data-city={CITY}>{{headline}}</a>
{{#photo}}<img src="{{photo}}" alt="">{{/photo}}{{^photo}}<i>no photo</i>{{/photo}}
<ul>{{#cards}}<li>{{cards.title}}{{#cards.link}}<a href="{{cards.link}}">more</a>{{/cards.link}}</li>{{/cards}}</ul>
<script>var headline = "{{headline}}";</script><a href="{CLICK_URL}">ad</a>
`;
const HOSTILE = `"><script>alert(1)</script>'</title>{{click_url}}`;
const CLICK = { asset_type: 'url', url: 'https://acme-outdoor.example/?a=1&b=2' };
const BRAND = { domain: 'acme-outdoor.example', name: 'Acme Outdoor' };

/** A set of a seller: a creative tenant, a sales tenant that sells the format, and the folder of the format beside them. */
function sellerSet(): string {
  const root = temporaryFolder('seller-agent-set-');
  const tenants = path.join(root, 'tenants');
  writeTenant(tenants, shippedTenant('creative'), 'creative');
  const sales = shippedTenant();
  sales.proposals = [];
  sales.products = sales.products.slice(0, 1).map((product) => ({ ...product, format_ids: ['story'] }));
  writeTenant(tenants, sales);
  const folder = path.join(root, 'templates', 'story');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'format.json'), JSON.stringify(FORMAT));
  writeFileSync(path.join(folder, 'template.html'), TEMPLATE);
  return tenants;
}

/** The page that a frame shows, as the browser reads it out of srcdoc. */
function pageOf(frame: string): string {
  const [, srcdoc = ''] = /srcdoc="([^"]*)"/.exec(frame) ?? [];
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return srcdoc.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_whole, name: string) => entities[name] ?? '');
}

describe('a format of a folder with a template', () => {
  let server: Booted;
  let renderer: RendererClient;
  let cdn: AssetServer;

  beforeAll(async () => {
    cdn = await serveAssets({ '/photo.png': await picture(300, 200) });
    server = await boot({ tenants: sellerSet() });
    renderer = rendererClient(server);
  });

  const manifest = (assets: object = {}) => ({
    format_id: renderer.format('story'),
    assets: { headline: { asset_type: 'text', content: 'Walk on' }, click_url: CLICK, ...assets },
  });
  const shown = async (assets: object, more: object = {}): Promise<string> => {
    const { previews } = await renderer.preview(manifest(assets), { output_format: 'html', ...more });
    return pageOf(previews[0]?.preview_html ?? '');
  };
  const adapted = async (assets: object, more: object = {}): Promise<string> => {
    const request = { creative_manifest: manifest(assets), target_format_id: renderer.format('story'), ...more };
    const { creative_manifest } = await renderer.must('build_creative', request);
    return creative_manifest.assets.html?.content ?? '';
  };

  test('is listed with a slot for its page, by the creative agent and by the agent that sells it', async () => {
    for (const tenant of ['creative', 'sales']) {
      const { formats } = await rendererClient(server, { tenant }).must('list_creative_formats', {
        name_search: 'story',
      });
      expect(formats).toMatchObject([{ format_id: renderer.format('story'), name: 'Story' }]);
      expect(formats[0]).toMatchObject({
        assets: expect.arrayContaining([
          expect.objectContaining({ asset_id: 'html', asset_type: 'html', required: false }),
        ]),
        assets_required: [{ asset_id: 'headline' }, { asset_id: 'click_url' }],
      });
    }
  });

  test('is built from a sentence: every asset, and the page with them in it', async () => {
    const request = { message: 'Summer sale: 20% off trail running shoes', brand: BRAND };
    const built = await renderer.must('build_creative', { ...request, target_format_id: renderer.format('story') });
    const { headline, click_url, html, ...others } = built.creative_manifest.assets;
    expect(Object.keys(others)).toEqual([]);
    expect(html?.asset_type).toBe('html');
    expect(html?.content).toContain(`title="${headline?.content.replaceAll(' ', '&#32;')}"`);
    expect(html?.content).toContain(`href="${click_url?.url}"`);
    expect(html?.content).toContain('<i>no photo</i>\n<ul></ul>');
    const { previews } = await renderer.preview(built.creative_manifest, { output_format: 'html' });
    expect(pageOf(previews[0]?.preview_html ?? '')).toContain(`>${headline?.content}</a>`);
  });

  test('keeps macros, and fills those that are given for where they stand', async () => {
    const assets = { headline: { asset_type: 'text', content: 'Hello {CITY}' } };
    const open = await adapted(assets);
    expect(open).toContain('data-city={CITY}>Hello {CITY}</a>');
    expect(open).toContain('.ad{width:{AD_WIDTH}px}');
    expect(open).toContain('<a href="{CLICK_URL}">');
    const filled = await adapted(assets, { macro_values: { CITY: 'x onclick=y' } });
    expect(filled).toContain('data-city=x&#32;onclick&#61;y>Hello x onclick=y</a>');
    const page = await shown(assets, { inputs: [{ name: 'Paris', macros: { CITY: 'Paris' } }] });
    expect(page).toContain('data-city=Paris>Hello Paris</a>');
    expect(page).toContain('.ad{width:300px}');
    expect(page).toContain(`<a href="https://acme-outdoor.example/?a&#61;1&#38;b&#61;2">ad</a>`);
  });

  test.each(['built', 'previewed'])('no text leaves its place when it is %s', async (how) => {
    const show = how === 'built' ? adapted : shown;
    const tags = (page: string) => page.match(/<[^>]*>/g)?.map((tag) => tag.replace(/[ >].*/s, ''));
    const cards = [{ title: { asset_type: 'text', content: 'One' }, link: CLICK }];
    const evil = [{ title: { asset_type: 'text', content: HOSTILE }, link: CLICK }];
    const plain = await show({ cards });
    const page = await show({ headline: { asset_type: 'text', content: HOSTILE }, cards: evil });
    expect(page).toContain('<li>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&lt;/title&gt;{{click_url}}<a');
    expect(page).toContain('var headline = "\\u0022\\u003e\\u003cscript');
    expect(tags(page)).toEqual(tags(plain));
  });

  test('an address that is no http or https is refused, and a text never becomes one', async () => {
    const evil = { asset_type: 'url', url: 'javascript:alert(1)' };
    for (const assets of [
      { click_url: evil },
      { cards: [{ title: { asset_type: 'text', content: 'x' }, link: evil }] },
    ]) {
      const request = { creative_manifest: manifest(assets), target_format_id: renderer.format('story') };
      expect((await renderer.refused('build_creative', request)).error).toMatchObject({ status: 422 });
      const single = { request_type: 'single', creative_manifest: manifest(assets) };
      expect((await renderer.refused('preview_creative', single)).error).toMatchObject({ status: 422 });
    }
  });

  test('shows the repetitions of a group, however the manifest writes them', async () => {
    const title = (content: string) => ({ asset_type: 'text', content });
    const list =
      '<ul><li>One<a href="https://acme-outdoor.example/?a&#61;1&#38;b&#61;2">more</a></li><li>Two</li></ul>';
    const grouped = { cards: [{ title: title('One'), link: CLICK }, { title: title('Two') }] };
    const numbered = { cards_0_title: title('One'), cards_0_link: CLICK, cards_1_title: title('Two') };
    for (const cards of [grouped, numbered]) expect(await shown(cards)).toContain(list);
    expect(await adapted(grouped)).toContain(list);
  });

  test('a picture has its address in what is built, and is a copy of ours in a preview', async () => {
    const photo = { asset_type: 'image', url: cdn.url('/photo.png'), width: 300, height: 200 };
    const built = await adapted({ photo });
    const [, src = ''] = /<img src="([^"]*)"/.exec(built) ?? [];
    expect((await send(src)).status).toBe(200);
    const { previews } = await renderer.preview(manifest({ photo }));
    const id = new URL(previews[0]?.preview_url ?? '').pathname.split('/').at(-1);
    const frame = await send(`${server.baseUrl}/previews/${id}/frame/0`);
    const [, copy = ''] = /<img src="\.\.\/\.\.\/(media\/[0-9a-f]{64}\.png)"/.exec(pageOf(frame.text)) ?? [];
    expect((await send(`${server.baseUrl}/previews/${copy}`)).status).toBe(200);
    await server.restart();
    expect((await send(`${server.baseUrl}/previews/${id}/frame/0`)).text).toBe(frame.text);
    expect((await send(`${server.baseUrl}/previews/${copy}`)).status).toBe(200);
  });

  test('a page that the buyer sends is not the format’s page', async () => {
    const html = { asset_type: 'html', content: '<p>mine</p>' };
    expect(await adapted({ html })).toContain('>Walk on</a>');
    expect(await adapted({ html })).not.toContain('mine');
    expect(await shown({ html })).not.toContain('mine');
  });
});

test('the shipped example is one: its page stands in what is built, without what is not there', async () => {
  const renderer = rendererClient(await boot());
  const target_format_id = renderer.format('display_300x250_quote');
  const built = await renderer.must('build_creative', {
    message: 'Boots that last, 20% off',
    brand: BRAND,
    target_format_id,
  });
  const { html, portrait, quote } = built.creative_manifest.assets;
  expect(portrait).toBeUndefined();
  expect(html?.content).toContain(`<blockquote>${quote?.content}</blockquote>\n  <footer><cite>Acme Outdoor</cite>`);
  expect(html?.content).not.toContain('{{');
});
