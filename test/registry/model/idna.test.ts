import { describe, expect, it } from 'vitest';
import { domainName } from '../../../src/registry/model/domains.js';
import { findIdnaFault } from '../../../src/registry/model/idna.js';

const faultOf = (name: string): string | undefined => findIdnaFault(domainName(name) ?? 'none.--');

describe('a name that IDNA 2008 lets be registered', () => {
  it.each([
    'news.example',
    'a-b-c.example',
    'xn--bcher-kva.example',
    'faß.example',
    'пример.example',
    '例え.example',
    'paral·lel.example',
    'カタ・カナ.example',
    'שנ״ב.example',
    'نامهای.example',
    '۴۲.example',
  ])('%s', (name) => {
    expect(faultOf(name)).toBeUndefined();
  });
});

describe('a name that it does not', () => {
  it.each([
    ['ab--cd.example', 'hyphens'],
    ['news.r3---sn.example', 'hyphens'],
    ['☕.example', 'U+2615'],
    ['i♥ny.example', 'U+2665'],
    ['√2.example', 'U+221A'],
    ['a·b.example', 'U+00B7'],
    ['a・b.example', 'U+30FB'],
    ['بب׳.example', 'U+05F3'],
    ['محـمد.example', 'U+0640'],
  ])('%s: %s', (name, says) => {
    expect(faultOf(name)).toContain(says);
  });
});
