import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalAuthority, canonicalTargetUri, targetUriReason } from '../../../src/platform/signing/target-uri.js';
import { urlCases } from './verify/vectors.js';

const CASES = urlCases();

/** Why a URL is refused; `accepted` when it is not. */
function reasonOf(url: string): string {
  try {
    canonicalTargetUri(url);
    return 'accepted';
  } catch (error) {
    return targetUriReason(error) ?? String(error);
  }
}

describe('the published cases', () => {
  it('are all there', () => {
    expect(CASES).toHaveLength(31);
  });

  it.each(CASES.filter((one) => one.reject !== true))('$name', (one) => {
    expect(canonicalTargetUri(one.input_url)).toEqual({
      uri: one.expected_target_uri,
      authority: one.expected_authority,
    });
  });

  it.each(CASES.filter((one) => one.reject === true))('$name', (one) => {
    expect(reasonOf(one.input_url)).toMatch(/^(no_host|bad_ip_literal|zone_id)$/);
  });
});

describe('what the cases leave open', () => {
  it.each([
    ['https://a.example./p', 'https://a.example/p'],
    ['https://a.example:0443/p', 'https://a.example/p'],
    ['https://a.example:/p', 'https://a.example/p'],
    ['http://a.example:443/p', 'http://a.example:443/p'],
    ['https://a.example/a/%2e%2E/b', 'https://a.example/b'],
    ['https://a.example/a/..', 'https://a.example/'],
    ['https://a.example/a/b/.', 'https://a.example/a/b/'],
    ['https://a.example/../../a', 'https://a.example/a'],
    ['https://a.example/%', 'https://a.example/%25'],
    ['https://a.example/%2525', 'https://a.example/%2525'],
    ['https://a.example/höhe', 'https://a.example/h%C3%B6he'],
    ['https://a.example/{id}|x', 'https://a.example/{id}|x'],
    ['https://a.example/p?q=ä b', 'https://a.example/p?q=%C3%A4%20b'],
    ['https://a.example/p?a=%2f%7e', 'https://a.example/p?a=%2f%7e'],
    ['https://a.example/p?x=1?y#z?', 'https://a.example/p?x=1?y'],
    ['https://u:p@x@a.example/p', 'https://a.example/p'],
    ['https://faß.example/p', 'https://xn--fa-hia.example/p'],
    ['https://xn--bcher-kva.example/p', 'https://xn--bcher-kva.example/p'],
    ['https://under_score.example/', 'https://under_score.example/'],
  ])('%s is %s', (url, expected) => {
    expect(canonicalTargetUri(url).uri).toBe(expected);
  });

  it.each([
    ['', 'not_absolute'],
    ['a.example/p', 'not_absolute'],
    ['//a.example/p', 'not_absolute'],
    ['mailto:a@b.example', 'not_absolute'],
    ['https://a..example/', 'bad_host'],
    ['https://.example/', 'bad_host'],
    ['https://a.example../', 'bad_host'],
    ['https://a.example\\@b.example/', 'bad_host'],
    ['https://a\\b.example/', 'bad_host'],
    ['https://a b.example/', 'bad_host'],
    ['https://%61.example/', 'bad_host'],
    ['https://a.example:65536/', 'bad_port'],
    ['https://a.example:80x/', 'bad_port'],
    ['https://[::1]x/', 'bad_ip_literal'],
    ['https://[1.2.3.4]/', 'bad_ip_literal'],
    ['https://[]/', 'bad_ip_literal'],
    ['https://\u{fffd}.example/', 'bad_host'],
  ])('%s is refused as %s', (url, reason) => {
    expect(reasonOf(url)).toBe(reason);
  });

  it('names the argument and says what to do', () => {
    expect(() => canonicalTargetUri('x', 'push_notification_config.url')).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        extras: expect.objectContaining({ field: 'push_notification_config.url', suggestion: expect.any(String) }),
      }),
    );
  });

  it('a Host header has the form of the authority', () => {
    expect(canonicalAuthority('https', 'A.Example:443')).toBe('a.example');
    expect(canonicalAuthority('http', '[2001:DB8::1]:8080')).toBe('[2001:db8::1]:8080');
  });
});

describe('every URL', () => {
  const segment = fc.oneof(fc.constantFrom('.', '..', '', '%2e', '%2E%2e', '%7e', '%2f', 'a b', '%'), fc.string());
  const url = fc
    .record({
      scheme: fc.constantFrom('https', 'HTTP', 'Https'),
      host: fc.oneof(
        fc.domain(),
        fc.ipV6().map((address) => `[${address}]`),
        fc.constant('BÜCHER.example'),
      ),
      port: fc.constantFrom('', ':443', ':80', ':8443', ':'),
      path: fc.array(segment, { maxLength: 6 }),
      query: fc.option(fc.string(), { nil: undefined }),
      fragment: fc.option(fc.string(), { nil: undefined }),
    })
    .map(({ scheme, host, port, path, query, fragment }) => {
      const clean = path.map((part) => part.replace(/[/?#\\]/g, '')).map((part) => `/${part}`);
      const tail = query === undefined ? '' : `?${query.replaceAll('#', '')}`;
      return `${scheme}://${host}${port}${clean.join('')}${tail}${fragment === undefined ? '' : `#${fragment}`}`;
    });

  it('has one canonical form: doing it again changes nothing', () => {
    fc.assert(
      fc.property(url, (text) => {
        const once = canonicalTargetUri(text);
        expect(canonicalTargetUri(once.uri)).toEqual(once);
      }),
    );
  });

  it('is plain ASCII without dot segments, user and fragment afterwards', () => {
    fc.assert(
      fc.property(url, (text) => {
        const { uri, authority } = canonicalTargetUri(text);
        expect(uri).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
        expect(uri).not.toContain('#');
        expect(authority).not.toContain('@');
        const path = uri.split('?')[0]?.split('/').slice(3) ?? [];
        expect(path.filter((part) => part === '.' || part === '..')).toEqual([]);
      }),
    );
  });

  it('is what a receiver makes of what a URL parser sends', () => {
    fc.assert(
      fc.property(url, (text) => {
        const sent = new URL(text).href;
        const { uri, authority } = canonicalTargetUri(sent);
        expect(canonicalTargetUri(new URL(uri).href)).toEqual({ uri, authority });
        expect(authority).toBe(new URL(text).host);
      }),
    );
  });
});

it('a host that ends in a dot is the host without it', () => {
  expect(canonicalTargetUri('https://seller.example./x')).toEqual(canonicalTargetUri('https://seller.example/x'));
});
