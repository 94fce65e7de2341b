import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isExpectedHost, OurHosts } from '../../../src/platform/web/origin.js';

const HOSTS = new OurHosts(['sales.pub.example']);

/** A request with these headers. */
function requestWith(headers: Readonly<Record<string, string>>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return request;
}

describe('isExpectedHost', () => {
  it.each<readonly [host: string | undefined, origin: string | undefined, expected: boolean]>([
    [undefined, undefined, true],
    ['localhost', undefined, true],
    ['localhost:3000', undefined, true],
    ['LOCALHOST:3000', undefined, true],
    ['127.0.0.1:3000', undefined, true],
    ['[::1]:3000', undefined, true],
    ['[::1]', undefined, true],
    ['sales.pub.example', undefined, true],
    ['Sales.Pub.Example:443', undefined, true],
    ['evil.example', undefined, false],
    ['evil.example:3000', undefined, false],
    ['sales.pub.example.evil.example', undefined, false],
    ['evil-sales.pub.example', undefined, false],
    ['localhost.evil.example', undefined, false],
    ['localhost@evil.example', undefined, false],
    ['127.0.0.1.nip.io', undefined, false],
    ['localhost:80:80', undefined, false],
    ['localhost:', undefined, false],
    ['', undefined, false],
    ['localhost', 'http://localhost:8080', true],
    ['localhost', 'http://127.0.0.1', true],
    ['localhost', 'http://[::1]:5173', true],
    ['localhost', 'https://sales.pub.example', true],
    ['localhost', 'https://SALES.pub.example:8443', true],
    ['localhost', 'https://evil.example', false],
    ['localhost', 'https://localhost.evil.example', false],
    ['localhost', 'https://localhost@evil.example', false],
    ['localhost', 'null', false],
    ['localhost', 'file://', false],
    ['localhost', 'localhost', false],
    ['localhost', '', false],
    ['evil.example', 'http://localhost', false],
  ])('host %j, origin %j: %s', (host, origin, expected) => {
    const headers = { ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) };
    expect(isExpectedHost(requestWith(headers), HOSTS)).toBe(expected);
  });
});

describe('hosts that are ours', () => {
  it.each<readonly [allowed: string, host: string, isOurs: boolean]>([
    ['*.ads.example', 'one.ads.example', true],
    ['*.ads.example', 'one.two.ADS.example:8443', true],
    ['*.ads.example', 'one.ads.example.', true],
    ['*.ads.example', 'ads.example', false],
    ['*.ads.example', '.ads.example', false],
    ['*.ads.example', 'evilads.example', false],
    ['*.ads.example', 'one.ads.example.evil.example', false],
    ['any', 'evil.example', true],
    ['any', '10.0.0.7:3000', true],
    ['10.0.0.7', '10.0.0.7:3000', true],
    ['*', 'evil.example', false],
  ])('%s allows %s: %s', (allowed, host, isOurs) => {
    expect(new OurHosts([allowed]).has(host)).toBe(isOurs);
  });
});
