import { describe, expect, it } from 'vitest';
import { checkSubmissions, type Submission } from '../../../src/creative/check/submission.js';
import type { Renderer } from '../../../src/creative/renderer.js';
import type { Fetched } from '../../../src/platform/net/fetch.js';
import { FetchError, type FetchReason } from '../../../src/platform/net/fetch-error.js';
import * as files from '../probe/media-files.js';
import { format, HOUSE } from './context.js';

const BANNER = format('display_300x250_image');

/** A renderer whose way out is `fetch`; of the rest nothing is asked here. */
function rendererWith(fetch: (url: string) => Promise<Fetched>): Renderer {
  return {
    baseUrl: new URL(HOUSE).origin,
    outbound: { fetch, leadsInside: async () => false, resolves: async () => true, close: async () => undefined },
    previews: { media: async () => undefined },
  } as unknown as Renderer;
}

const visitor = { owner: 'owner', nowMs: 0, local: false };
const banner = (url: string, at = 0): Submission => ({
  format: BANNER,
  assets: {
    banner_image: { asset_type: 'image', url, width: 300, height: 250 },
    click_url: { asset_type: 'url', url: 'https://acme.example/' },
  },
  field: `creatives[${at}]`,
});
const answer = (bytes: Buffer): Fetched => ({ status: 200, headers: {}, bytes, url: '' });
const failing = (reason: FetchReason) => async (): Promise<Fetched> => {
  throw new FetchError(reason);
};

describe('a file that could not be read', () => {
  it.each<readonly [FetchReason, 'told' | 'refused']>([
    ['unresolved', 'told'],
    ['unreachable', 'told'],
    ['timeout', 'told'],
    ['insecure', 'refused'],
    ['not_https', 'refused'],
    ['broken_answer', 'told'],
    ['too_many_redirects', 'refused'],
    ['not_a_url', 'refused'],
    ['credentials', 'refused'],
    ['private_address', 'refused'],
    ['too_large', 'refused'],
  ])('because %s is %s', async (reason, verdict) => {
    const [intake] = await checkSubmissions(
      rendererWith(failing(reason)),
      [banner('https://cdn.example/a.png')],
      visitor,
    );
    if (verdict === 'told') {
      expect(intake?.error).toBeUndefined();
      expect(intake?.warnings[0]).toContain(new FetchError(reason).message);
    } else {
      expect(intake?.error?.code).toBe('VALIDATION_ERROR');
      expect(intake?.error?.extras.field).toBe('creatives[0].assets.banner_image.url');
    }
  });

  it('in the time there is was not looked at, and holds nothing up', async () => {
    const asked: string[] = [];
    const never = (url: string): Promise<Fetched> => {
      asked.push(url);
      return new Promise(() => undefined);
    };
    const creatives = Array.from({ length: 40 }, (_, at) => banner(`https://cdn.example/${at}.png`, at));
    const verdicts = await checkSubmissions(rendererWith(never), creatives, visitor, 20);
    expect(verdicts).toHaveLength(40);
    for (const { error, warnings } of verdicts) {
      expect(error).toBeUndefined();
      expect(warnings[0]).toMatch(/no time left/);
    }
    expect(asked.length).toBeLessThanOrEqual(12);
  });
});

describe('each creative is judged by itself', () => {
  it('with its own error, at its own place, and its own warnings', async () => {
    const renderer = rendererWith(async (url) =>
      answer(url.endsWith('wide.png') ? files.png(728, 90) : files.png(300, 250)),
    );
    const [fine, wide, none, odd] = await checkSubmissions(
      renderer,
      [
        banner('https://cdn.example/fine.png'),
        banner('https://cdn.example/wide.png', 1),
        { format: BANNER, assets: {}, field: 'packages[2].creatives[0]' },
        { format: BANNER, assets: { banner_image: 7 }, field: 'packages[2].creatives[1]' },
      ],
      visitor,
    );
    expect(fine).toEqual({ warnings: [] });
    expect(wide?.error?.extras).toMatchObject({
      field: 'creatives[1].assets.banner_image.width',
      issues: [{ pointer: '/creatives/1/assets/banner_image/width' }, expect.anything()],
    });
    expect(none?.error).toBeUndefined();
    expect(none?.warnings).toEqual([
      'The required asset banner_image is missing.',
      'The required asset click_url is missing.',
    ]);
    expect(odd?.error?.code).toBe('INVALID_REQUEST');
    expect(odd?.error?.extras.field).toBe('packages[2].creatives[1].assets.banner_image');
  });
});
