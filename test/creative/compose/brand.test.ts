import { describe, expect, it } from 'vitest';
import { readBrand } from '../../../src/creative/compose/brand.js';
import { chooseColors } from '../../../src/creative/compose/pictures/color.js';

const at = { field: 'brand' };

describe('a brand', () => {
  it('is read from the example of the specification', () => {
    const brand = readBrand(
      {
        brand_manifest: {
          url: 'https://brand.example',
          name: 'Brand',
          colors: { primary: '#FF0000', secondary: '#00f' },
        },
        inline_offerings: [{ name: 'Thing', description: 'A good thing.' }, { description: 'no name' }, 7],
      },
      at,
    );
    expect(brand).toEqual({
      name: 'Brand',
      hasLook: true,
      logos: [],
      domain: 'brand.example',
      url: 'https://brand.example/',
      colors: { primary: '#ff0000', secondary: '#0000ff' },
      offerings: [{ name: 'Thing', description: 'A good thing.' }],
    });
  });

  it('is read from a reference, its override and a brand.json, the first with a value winning', () => {
    const reference = {
      domain: 'acme.example',
      brand_kit_override: { tagline: 'Ours', colors: { primary: '#111111' } },
    };
    const brandJson = {
      house: { domain: 'acme.example', name: 'Acme House' },
      brands: [
        {
          id: 'acme',
          names: [{ en: 'Acme' }],
          tagline: 'Theirs',
          logos: [{ url: 'https://acme.example/logo.svg' }, { url: 'https://acme.example/logo.png' }],
          colors: { primary: '#222222', secondary: ['#333333'] },
          voice: 'dry',
          industries: ['outdoor'],
        },
      ],
    };
    expect(readBrand([reference, brandJson.brands[0]], at)).toMatchObject({
      name: 'Acme',
      tagline: 'Ours',
      tone: 'dry',
      industry: 'outdoor',
      logos: [{ url: 'https://acme.example/logo.png' }, { url: 'https://acme.example/logo.svg' }],
      colors: { primary: '#111111', secondary: '#333333' },
    });
    expect(readBrand(brandJson, at)).toMatchObject({ name: 'Acme House', tagline: 'Theirs' });
  });

  it('takes colors as a list, and a brand manifest as an address', () => {
    const colors = [
      { hex: '#abcdef', type: 'secondary' },
      { hex: '#123456', type: 'primary' },
    ];
    expect(readBrand({ name: 'X', colors }, at).colors).toEqual({ primary: '#123456', secondary: '#abcdef' });
    expect(readBrand({ brand_manifest: 'https://www.acme-outdoor.co.uk/brand.json' }, at)).toMatchObject({
      name: 'Acme Outdoor',
      domain: 'acme-outdoor.co.uk',
    });
  });

  it('without colors gets those of its name, always the same', () => {
    expect(readBrand({ name: 'Plain' }, at).colors).toEqual(chooseColors('Plain'));
    expect(readBrand({ name: 'Plain', colors: { secondary: '#123456' } }, at).colors.primary).toBe('#123456');
  });

  it('without a name is refused at its field', () => {
    for (const value of [undefined, null, 7, [], {}, { name: ' ' }, { url: 'javascript:alert(1)' }]) {
      expect(() => readBrand(value, { field: 'assets.promoted_offerings' })).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_ERROR',
          extras: expect.objectContaining({ field: 'assets.promoted_offerings' }),
        }),
      );
    }
  });

  it('has no address that nobody should follow, and no text without end', () => {
    const brand = readBrand(
      {
        name: 'N'.repeat(5000),
        url: 'javascript:alert(1)',
        logo: 'data:image/png;base64,AA',
        offerings: Array.from({ length: 500 }, (_, index) => ({
          name: `o${index}`,
          landing_url: 'file:///etc/passwd',
          image_url: 'ftp://x/y',
        })),
      },
      at,
    );
    expect(brand.name).toHaveLength(80);
    expect(brand).not.toHaveProperty('url');
    expect(brand.logos).toEqual([]);
    expect(brand.offerings).toHaveLength(50);
    expect(brand.offerings[0]).toEqual({ name: 'o0' });
  });

  it('has the offers of its products with prices', () => {
    const products = [
      {
        title: 'Boot',
        price: { amount: 49.5, currency: 'EUR' },
        assets: { main: { asset_type: 'image', url: 'https://x.example/b.jpg' } },
      },
    ];
    expect(readBrand({ name: 'A', products }, at).offerings).toEqual([
      { name: 'Boot', price: '€49.5', imageUrl: 'https://x.example/b.jpg' },
    ]);
  });
});
