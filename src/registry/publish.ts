import { readAdagents } from './adagents.js';
import { adagentsUrl } from './adagents-discovery.js';
import { brandJsonUrl } from './brand-discovery.js';
import { readBrandJson } from './brand-json.js';
import type { Finding } from './finding.js';
import { hostAdagents, publisherAdagents } from './publish-adagents.js';
import { operatorBrandJson } from './publish-brand.js';
import type { Publication } from './publish-types.js';

/** A file to put on the web. */
export type PublishedFile = {
  readonly kind: 'host_adagents' | 'publisher_adagents' | 'brand_json';
  /** Whose domain it is put on. */
  readonly domain: string;
  readonly url: string;
  readonly content: object;
};

/** Every file of a publication: what this host serves itself, and one adagents.json for each publisher to put on its own domain. */
export function publishedFiles(publication: Publication): readonly PublishedFile[] {
  const { operator, publishers } = publication;
  return [
    {
      kind: 'host_adagents',
      domain: operator.domain,
      url: adagentsUrl(operator.domain),
      content: hostAdagents(publication),
    },
    {
      kind: 'brand_json',
      domain: operator.domain,
      url: brandJsonUrl(operator.domain),
      content: operatorBrandJson(publication),
    },
    ...publishers.map((publisher) => ({
      kind: 'publisher_adagents' as const,
      domain: publisher.domain,
      url: adagentsUrl(publisher.domain),
      content: publisherAdagents(publisher, publication),
    })),
  ];
}

/**
 * What is wrong with a file before it is published, by the same rules as anybody else's. `local` lets http and loopback agents through,
 * in development mode only.
 */
export function checkPublished(file: PublishedFile, nowMs: number, local = false): readonly Finding[] {
  const text = JSON.stringify(file.content);
  return file.kind === 'brand_json'
    ? readBrandJson(text, { file: file.url, local }).findings
    : readAdagents(text, { file: file.url, domain: file.domain, nowMs, local }).findings;
}
