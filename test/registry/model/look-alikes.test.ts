import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { disguise, skeleton } from '../../../src/registry/model/look-alikes.js';

describe('names that look alike', () => {
  it.each([
    ['google.example', 'g00gle.example'],
    ['paypal.example', 'paypa1.example'],
    ['modern.example', 'modem.example'],
    ['wild.example', 'vvi1d.example'],
    ['sports.example', '5port5.example'],
    ['apple.example', domainToASCII('аррӏе.example')],
    ['apple.example', domainToASCII('аpple.example')],
    ['cafe.example', domainToASCII('café.example')],
    ['bank.example', domainToASCII('ɓank.example')],
  ])('%s and %s', (one, other) => {
    expect(one).not.toBe(other);
    expect(skeleton(one)).toBe(skeleton(other));
  });

  it.each([
    ['news.example', 'mews.example'],
    ['guardian.example', 'guardians.example'],
    ['bild.example', 'bald.example'],
  ])('%s and %s do not', (one, other) => {
    expect(skeleton(one)).not.toBe(skeleton(other));
  });

  it('a skeleton looks like itself', () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        expect(skeleton(skeleton(domain))).toBe(skeleton(domain));
      }),
    );
  });
});

describe('a name in disguise', () => {
  it.each([
    ['аpple.example', /mixes scripts/],
    ['аррӏе.example', /reads like "app[il]e\.example"/],
    ['news.ехample', /mixes scripts/],
  ])('%s', (name, why) => {
    expect(disguise(domainToASCII(name))).toMatch(why);
  });

  it.each([
    'bücher.example',
    'пример.испытание',
    'новости.example',
    '東京タワー.example',
    'yahoo日本.example',
    'news.example',
  ])('%s is none', (name) => {
    expect(disguise(domainToASCII(name))).toBeUndefined();
  });
});
