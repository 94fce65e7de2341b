import { readAdagents } from '../adagents/adagents.js';
import { adagentsUrl } from '../adagents/discovery.js';
import { readBrandJson } from '../brand/brand-json.js';
import { brandJsonUrl } from '../brand/discovery.js';
import type { Finding } from '../documents/finding.js';
import { hostAdagents, hostOf, publisherAdagents } from './adagents.js';
import { operatorBrandJson } from './brand.js';
import type { Publication } from './types.js';

/** A file to put on the web. */
export type PublishedFile = {
  readonly kind: 'host_adagents' | 'publisher_adagents' | 'brand_json' | 'jwks';
  /** Whose domain it is put on. */
  readonly domain: string;
  readonly url: string;
  readonly content: object;
};

/**
 * Returns every file of a publication: what this host serves itself (its adagents.json and keys), the operator's brand.json, and one
 * adagents.json for each publisher to put on its own domain. A domain has one adagents.json: that of a publisher here is the host's.
 */
export function publishedFiles(publication: Publication): readonly PublishedFile[] {
  const { jwks, jwksUri, operator, publishers } = publication;
  const host = hostOf(publication);
  return [
    { kind: 'host_adagents', domain: host, url: adagentsUrl(host), content: hostAdagents(publication) },
    { kind: 'jwks', domain: host, url: jwksUri, content: jwks },
    {
      kind: 'brand_json',
      domain: operator.domain,
      url: brandJsonUrl(operator.domain),
      content: operatorBrandJson(publication),
    },
    ...publishers
      .filter(({ domain }) => domain !== host)
      .map((publisher) => ({
        kind: 'publisher_adagents' as const,
        domain: publisher.domain,
        url: adagentsUrl(publisher.domain),
        content: publisherAdagents(publisher, publication),
      })),
  ];
}

/**
 * Returns what is wrong with a file before it is published, by the same rules as anybody else's. `local` lets http and loopback agents
 * through, in development mode only.
 */
export function checkPublished(file: PublishedFile, nowMs: number, local = false): readonly Finding[] {
  // Keys are checked by who holds their private parts.
  if (file.kind === 'jwks') return [];
  const text = JSON.stringify(file.content);
  return file.kind === 'brand_json'
    ? readBrandJson(text, { file: file.url, local }).findings
    : readAdagents(text, { file: file.url, domain: file.domain, nowMs, local }).findings;
}
