import { beforeAll, describe, expect, test } from 'vitest';
import { tag } from '../../creative/check/context.js';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import { boot } from '../../kit/boot.js';
import { banner, picture, type RendererClient, rendererClient } from '../../kit/renderer.js';
import { publicSandboxes } from '../../kit/tenants.js';
import { CDN, expectHelp, leadingTo, openRenderer, refusals } from './refusals.js';

/** What no request may ever reach. */
let inner: AssetServer;
let renderer: RendererClient;
let live: RendererClient;

beforeAll(async () => {
  inner = await serveAssets({ '/secret.png': await picture(300, 250) });
  const cdn = await serveAssets({
    '/to-10.png': leadingTo('http://10.0.0.1/a.png'),
    '/to-cloud.png': leadingTo('http://169.254.169.254/latest/meta-data/'),
    '/to-inner.png': leadingTo(`https://127.0.0.1:${new URL(inner.origin).port}/secret.png`),
  });
  ({ renderer, live } = await openRenderer(cdn.origin));
});

describe('nothing leaves for a private address', () => {
  const port = (): string => new URL(inner.origin).port;

  test.each([
    ['by number', (at: string) => `https://127.0.0.1:${at}/secret.png`],
    ['by name', (at: string) => `https://localhost:${at}/secret.png`],
    ['in hexadecimal', (at: string) => `https://0x7f000001:${at}/secret.png`],
    ['in one number', (at: string) => `https://2130706433:${at}/secret.png`],
    ['in version 6', (at: string) => `https://[::1]:${at}/secret.png`],
    ['mapped into version 6', (at: string) => `https://[::ffff:127.0.0.1]:${at}/secret.png`],
    ['as no address', (at: string) => `https://0.0.0.0:${at}/secret.png`],
    ['of a private network', () => 'https://10.0.0.1/secret.png'],
    ['of the cloud', () => 'https://169.254.169.254/latest/meta-data/'],
    ['behind a redirect', () => `https://${CDN}/to-inner.png`],
    ['behind a redirect to a network', () => `https://${CDN}/to-10.png`],
    ['behind a redirect to the cloud', () => `https://${CDN}/to-cloud.png`],
  ])('%s', async (_what, at) => {
    const manifest = banner(renderer.format('display_300x250_image'), at(port()));
    for (const answer of await refusals(live, manifest, 'display_300x250_image')) {
      expectHelp(answer, 'creative_manifest.assets.banner_image.url', /public internet|not https/);
    }
    expect(inner.connections()).toBe(0);
  });

  test('plain http is not spoken to a live caller, and the sandbox of a server on this machine only reaches this machine', async () => {
    const manifest = banner(renderer.format('display_300x250_image'), inner.url('/secret.png'));
    for (const answer of await refusals(live, manifest, 'display_300x250_image')) {
      expectHelp(answer, 'creative_manifest.assets.banner_image.url', /not https/);
    }
    expect(inner.connections()).toBe(0);
    const network = banner(renderer.format('display_300x250_image'), 'http://192.168.0.1/a.png');
    for (const answer of await refusals(renderer, network, 'display_300x250_image')) {
      expectHelp(answer, 'creative_manifest.assets.banner_image.url', /public internet/);
    }
  });

  test('not for what markup, tags, logos, offers and brands name either', async () => {
    const secret = `https://127.0.0.1:${port()}/secret.png`;
    const click_url = { asset_type: 'url', url: 'https://acme-outdoor.example/' };
    const html_creative = {
      asset_type: 'html',
      content: `<img src="${secret}"><div style="background:url(${secret})">`,
    };
    await live.preview({ format_id: renderer.format('display_300x250_html'), assets: { html_creative, click_url } });
    const content = tag('4.2').replace('https://cdn.example/a.mp4', secret);
    const vast_tag = { asset_type: 'vast', delivery_type: 'inline', content };
    await live.preview({ format_id: renderer.format('video_vast_30s'), assets: { vast_tag } });
    const brand_manifest = { name: 'Acme', url: `https://127.0.0.1:${port()}/`, logos: [{ url: secret }] };
    const promoted_offerings = { brand_manifest, offerings: [{ name: 'Boots', image_url: secret }] };
    const built = await live.must('build_creative', {
      message: 'Boots',
      target_format_id: renderer.format('display_300x250_image'),
      creative_manifest: { assets: { promoted_offerings } },
    });
    expect(built.message).toMatch(
      /logo could not be loaded[\s\S]*picture of the offering could not be used|picture of the offering[\s\S]*logo/,
    );
    await live.must('build_creative', {
      message: 'Boots',
      target_format_id: renderer.format('display_300x250_image'),
      brand: { domain: 'localhost' },
    });
    expect(inner.connections()).toBe(0);
  });

  test('not by a server in production, not even for its sandbox', async () => {
    const production = await boot({ settings: { development: false }, tenants: publicSandboxes() });
    const caller = rendererClient(production);
    for (const url of [
      inner.url('/secret.png'),
      `https://127.0.0.1:${port()}/secret.png`,
      `https://localhost:${port()}/secret.png`,
    ]) {
      const manifest = banner(caller.format('display_300x250_image'), url);
      const { error } = await caller.refused('preview_creative', {
        request_type: 'single',
        creative_manifest: manifest,
      });
      expect(error.status).toBe(422);
    }
    expect(inner.connections()).toBe(0);
  });

  test('the counter of connections counts', async () => {
    await fetch(inner.url('/secret.png')).then((answer) => answer.arrayBuffer());
    expect(inner.connections()).toBe(1);
  });
});
