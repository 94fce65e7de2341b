import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  coversHost,
  domainName,
  hostPattern,
  isSameSite,
  isWithin,
  publisherDomain,
  registrableDomain,
  typedDomain,
} from '../../../src/registry/model/domains.js';

describe('a domain name', () => {
  it.each([
    ['news.example', 'news.example'],
    ['News.Example', 'news.example'],
    [' news.example ', 'news.example'],
    ['news.example.', 'news.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['a-b.example', 'a-b.example'],
    ['1and1.example', '1and1.example'],
    ['ｎews.example', 'news.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%j is %s', (text, name) => {
    expect(domainName(text)).toBe(name);
  });

  it.each([
    '',
    'news',
    'localhost',
    'a.localhost',
    '127.0.0.1',
    '0x7f.1',
    '[::1]',
    'a..example',
    '.example',
    'news.example..',
    '-a.example',
    'a-.example',
    'a_b.example',
    'a b.example',
    'user@news.example',
    'news.example:443',
    'https://news.example',
    'news.example/path',
    'news.example\\@evil.example',
    '*.news.example',
    'xn--a.example',
    'news.123',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    'a\u0000.example',
    'a\u200b\u200b.exam ple',
  ])('%j is none', (text) => {
    expect(domainName(text)).toBeUndefined();
  });

  it('has one form: reading it again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string(), fc.webAuthority()), (text) => {
        const once = domainName(text);
        if (once !== undefined) expect(domainName(once)).toBe(once);
      }),
    );
  });

  it('is found in what a person types', () => {
    expect(typedDomain('HTTPS://www.News.example:8443/path?x#y')).toBe('www.news.example');
    expect(typedDomain('news.example/')).toBe('news.example');
    expect(typedDomain('https://user@news.example/')).toBeUndefined();
    expect(typedDomain('not a domain')).toBeUndefined();
  });
});

describe('whose a domain is', () => {
  it.each([
    ['a.b.news.example', 'news.example'],
    ['news.co.uk', 'news.co.uk'],
    ['www.news.co.uk', 'news.co.uk'],
    ['co.uk', undefined],
    ['someone.github.io', 'someone.github.io'],
    ['github.io', undefined],
  ])('%s is of %s', (domain, owner) => {
    expect(registrableDomain(domain)).toBe(owner);
  });

  it('tenants of one host are strangers', () => {
    expect(isSameSite('a.github.io', 'b.github.io')).toBe(false);
    expect(isSameSite('a.github.io', 'x.a.github.io')).toBe(true);
    expect(isSameSite('github.io', 'github.io')).toBe(true);
    expect(isSameSite('co.uk', 'github.io')).toBe(false);
    expect(isSameSite('www.news.example', 'cdn.news.example')).toBe(true);
  });

  it('a domain speaks for what is below it, unless that is somebody else', () => {
    expect(isWithin('news.example', 'news.example')).toBe(true);
    expect(isWithin('sports.news.example', 'news.example')).toBe(true);
    expect(isWithin('news.example', 'sports.news.example')).toBe(false);
    expect(isWithin('badnews.example', 'news.example')).toBe(false);
    expect(isWithin('someone.github.io', 'github.io')).toBe(false);
    expect(isWithin('news.co.uk', 'co.uk')).toBe(false);
  });

  it.each([
    ['www.news.example', 'news.example'],
    ['m.news.example', 'news.example'],
    ['news.example', 'news.example'],
    ['www.sports.news.example', 'www.sports.news.example'],
    ['www.m.news.example', 'www.m.news.example'],
    ['m.example', 'm.example'],
    ['www.github.io', 'www.github.io'],
    ['www.co.uk', 'www.co.uk'],
    ['mobile.news.example', 'mobile.news.example'],
  ])('the files of %s are those of %s', (host, domain) => {
    expect(publisherDomain(host)).toBe(domain);
  });
});

describe('an identifier of type domain', () => {
  const hosts = [
    'news.example',
    'www.news.example',
    'm.news.example',
    'edition.news.example',
    'www.edition.news.example',
    'a.edition.news.example',
    'badnews.example',
    'example',
  ];

  it.each([
    ['news.example', ['news.example', 'www.news.example', 'm.news.example']],
    ['edition.news.example', ['edition.news.example']],
    ['www.news.example', ['www.news.example']],
    [
      '*.news.example',
      [
        'www.news.example',
        'm.news.example',
        'edition.news.example',
        'www.edition.news.example',
        'a.edition.news.example',
      ],
    ],
    ['*.edition.news.example', ['www.edition.news.example', 'a.edition.news.example']],
  ])('%s covers %j', (identifier, covered) => {
    const pattern = hostPattern(identifier);
    expect(hosts.filter((host) => pattern !== undefined && coversHost(pattern, host))).toEqual(covered);
  });

  it('a public suffix covers itself alone, and a star before it nothing', () => {
    expect(hostPattern('github.io')).toEqual({ host: 'github.io', covers: 'host' });
    expect(hostPattern('*.github.io')).toBeUndefined();
    expect(hostPattern('*.co.uk')).toBeUndefined();
    expect(hostPattern('*')).toBeUndefined();
    expect(hostPattern('**.news.example')).toBeUndefined();
  });
});
