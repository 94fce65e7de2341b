import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { chooseFamily } from '../../../../src/creative/compose/design/choose-family.js';
import { FAMILIES, FAMILY_NAMES, type FamilyName } from '../../../../src/creative/compose/design/family.js';
import { buildPalettes } from '../../../../src/creative/compose/design/scheme.js';
import { composeAd } from '../../../../src/creative/compose/layout/layout.js';
import { MIN_LEGAL_PX } from '../../../../src/creative/compose/layout/measures.js';
import type { Ad, AdContent } from '../../../../src/creative/compose/layout/nodes.js';
import { findOmissions } from '../../../../src/creative/compose/layout/omissions.js';
import { ImageProcessor } from '../../../../src/creative/compose/pictures/image-processor.js';
import { expectReadable, expectSound, texts } from '../../build/ad-checks.js';

const SIZES = [
  [300, 250],
  [728, 90],
  [320, 50],
  [160, 600],
  [970, 250],
  [1080, 1080],
  [320, 480],
] as const;

const COLORS = { primary: '#c1121f', secondary: '#ffd166', accent: '#003049' };
const FONTS = await new ImageProcessor().fonts.open([], 'en');
/** The worst that words can lie upon: a picture of black and white squares. */
const CHECKS = await sharp(
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><defs><pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse"><rect width="20" height="20" fill="#fff"/><path d="M0 0h10v20h10V10H0z"/></pattern></defs><rect width="400" height="400" fill="url(#p)"/></svg>',
  ),
)
  .png()
  .toBuffer();
const PICTURE = { dataUri: `data:image/png;base64,${CHECKS.toString('base64')}`, width: 400, height: 400 };

function contentOf(name: FamilyName, more: Partial<AdContent> = {}): AdContent {
  return {
    family: FAMILIES[name],
    ...buildPalettes(COLORS, FAMILIES[name].scheme),
    fonts: FONTS,
    brandName: 'Acme',
    eyebrow: 'This week',
    headline: 'Fresh fruit at half the price',
    body: 'In every store until Sunday.',
    callToAction: 'See offers',
    motif: 'rings',
    ...more,
  };
}

/** The tree of an ad to the half pixel, without what pictures hold. */
function digest(ad: Ad): string {
  const lines = ad.nodes.map(({ role, kind, box, ...node }) => {
    const at = [box.x, box.y, box.width, box.height].map((value) => Math.round(value * 2) / 2);
    const text = 'fitted' in node ? node.fitted.lines.join('|') : '';
    return [role, kind, ...at, 'fill' in node ? node.fill : '', text].join(' ');
  });
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12);
}

describe.each(FAMILY_NAMES)('the family %s', (name) => {
  it.each(SIZES)('is sound and readable at %ix%i, over a picture and without one', async (width, height) => {
    for (const more of [{}, { picture: PICTURE }]) {
      const ad = composeAd(contentOf(name, more), width, height);
      expectSound(ad);
      expect(texts(ad).some(({ role }) => role === 'headline')).toBe(true);
      if (width < 1000) await expectReadable(ad);
    }
  });

  it.each(['Check if your home fits', 'Request a non-binding consultation'])(
    'has words on the button of a mobile banner, never an arrow, for "%s"',
    (callToAction) => {
      for (const more of [{}, { picture: PICTURE }]) {
        const ad = composeAd(contentOf(name, { callToAction, shortAction: 'More', ...more }), 320, 50);
        const label = texts(ad).find(({ role }) => role === 'action');
        expect([callToAction, 'More']).toContain(label?.fitted.lines.join(' '));
        expect(label?.fitted.style.size).toBeGreaterThanOrEqual(6);
      }
    },
  );

  it('is laid out as it was', () => {
    const digests = SIZES.flatMap(([width, height]) =>
      [{}, { picture: PICTURE }].map((more) => digest(composeAd(contentOf(name, more), width, height))),
    );
    expect(digests).toMatchSnapshot();
  });
});

describe('a family', () => {
  it.each([
    [{ industry: 'perfume', words: '' }, 'luxury'],
    [{ industry: 'insurance', words: 'Mega sale' }, 'quiet'],
    [{ tone: 'bold, athletic', words: '' }, 'bold'],
    [{ words: 'Black Friday on software' }, 'bold'],
    [{ words: 'ホテルの予約' }, 'photo'],
    [{ words: 'Book now, of course: healthy hiking' }, 'classic'],
  ] as const)('for %j is %s', (understanding, name) => {
    expect(chooseFamily(understanding).name).toBe(name);
  });

  it('of its own composes every size in its own way', () => {
    for (const [width, height] of SIZES) {
      const all = FAMILY_NAMES.map((name) => digest(composeAd(contentOf(name, { picture: PICTURE }), width, height)));
      expect(new Set(all).size).toBe(FAMILY_NAMES.length);
    }
  });

  it('keeps terms whole in every size, or says that it has no room', () => {
    const legal = 'Terms apply. 18+.';
    for (const name of FAMILY_NAMES) {
      const ad = composeAd(contentOf(name, { legal }), 300, 250);
      expect(
        texts(ad)
          .find(({ role }) => role === 'legal')
          ?.fitted.lines.join(' '),
      ).toBe(legal);
    }
  });
});

describe('a long headline', () => {
  const LONG = {
    headline: 'Accounting software for freelancers: 3 months free if you switch before 31 January',
    body: 'File your VAT return in 10 minutes.',
    legal: 'New customers only. Terms apply.',
  };

  it.each(FAMILY_NAMES)(
    'is whole in the family %s, with terms that are read, whatever picture is beside it',
    (name) => {
      for (const [width, height] of [...SIZES, [250, 250], [200, 200], [120, 600]] as const) {
        for (const more of [{}, { picture: PICTURE }]) {
          const ad = composeAd(contentOf(name, { ...LONG, ...more }), width, height);
          expectSound(ad);
          const omissions = findOmissions(ad.content, ad.nodes).map(({ part }) => part);
          expect(omissions).not.toContain('headline');
          if (height >= 200) expect(omissions).not.toContain('legal');
          for (const { role, fitted } of texts(ad))
            if (role === 'legal') expect(fitted.style.size).toBeGreaterThanOrEqual(MIN_LEGAL_PX);
        }
      }
    },
  );

  it('shrinks before the text below it goes', () => {
    const { legal, ...texts } = LONG;
    const ad = composeAd(contentOf('bold', texts), 300, 250);
    expect(findOmissions(ad.content, ad.nodes).map(({ part }) => part)).not.toContain('body');
  });
});

describe('an ad with a picture', () => {
  it.each(['classic', 'playful', 'luxury'] as const)('of the family %s says whose it is', (name) => {
    for (const [width, height] of [
      [300, 250],
      [1080, 1080],
      [320, 480],
    ] as const) {
      const { nodes } = composeAd(contentOf(name, { picture: PICTURE }), width, height);
      expect(nodes.some(({ role }) => role === 'logo' || role === 'brand')).toBe(true);
    }
  });

  it('gives its room to a headline that a small strip would cut', () => {
    const headline = 'Hiking boots for the long way home';
    const { nodes } = composeAd(contentOf('classic', { headline, picture: PICTURE }), 320, 50);
    const lines = nodes.flatMap((node) => (node.kind === 'text' && node.role === 'headline' ? node.fitted.lines : []));
    expect(lines.join(' ')).toBe(headline);
  });
});
