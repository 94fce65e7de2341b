import { BRAND_REASONS, type BrandReason } from '../documents/discovery-reasons.js';
import type { Finding } from '../documents/finding.js';
import { fetchServed, type Trail } from '../documents/served.js';
import { type Hop, isSecure, REDIRECTS, type Steps } from '../documents/steps.js';
import { publisherDomain, typedDomain } from '../model/domains.js';
import { readBrandJson } from './brand-json.js';
import type { BrandContent, BrandDocument } from './types.js';

/**
 * The result of a discovery: a document with content, or the reason why there is none, with every document that was
 * asked for.
 */
export type BrandDiscovery = {
  /** Where it began, without www. and m. */
  readonly domain: string;
  readonly reason: BrandReason;
  readonly message: string;
  readonly fix: string;
  /** Whether it may be different soon. */
  readonly isTransient: boolean;
  readonly content?: BrandContent;
  /** Where the content was read. */
  readonly url?: string;
  /** Who speaks in it: the domain itself, or the house that it points to. A document may name any house. */
  readonly speaker: string;
  /** Whether another domain than the one asked for pointed to it. */
  readonly isRedirected: boolean;
  readonly path: readonly Hop[];
  readonly findings: readonly Finding[];
};

/** Returns where a domain's document stands. */
export function brandJsonUrl(domain: string): string {
  return `https://${domain}/.well-known/brand.json`;
}

/** Most bytes of a document. */
const BRAND_JSON_MAX_BYTES = 256 * 1024;
/** Most documents that may point on, one after the other. */
const MAX_POINTERS = 3;

/**
 * Finds the brand.json of a domain: its own, or where that one points to, an address or a house, at most three times.
 * `domain` may be typed with a scheme, `www.` or `m.`.
 */
export function* discoverBrand(domain: string, local = false): Steps<BrandDiscovery> {
  const name = typedDomain(domain);
  const begun = name === undefined ? domain : publisherDomain(name);
  const course: Course = { begun, speaker: begun, pointers: 0, path: [], findings: [] };
  if (name === undefined) return createOutcome(course, 'not_a_domain');
  let url = brandJsonUrl(begun);
  for (;;) {
    const wanted = {
      url,
      maxBytes: BRAND_JSON_MAX_BYTES,
      redirects: REDIRECTS.sameSite,
      read: (bytes: Uint8Array, file: string) => readBrandJson(bytes, { file, local }),
    };
    const served = yield* fetchServed<BrandDocument>(wanted, course);
    if (served.kind === 'absent')
      return createOutcome(course, course.pointers === 0 ? 'not_found' : 'location_not_found');
    if (served.kind === 'failed') return createOutcome(course, served.reason);
    const { content } = served;
    if (content.variant !== 'authoritative_location' && content.variant !== 'house_redirect') {
      return { ...createOutcome(course, 'found'), content, url: served.url };
    }
    const isHouse = content.variant === 'house_redirect';
    const next = isHouse ? brandJsonUrl(content.house) : content.location;
    if (!isSecure(next)) return createOutcome(course, 'location_not_https');
    if (course.pointers === MAX_POINTERS) return createOutcome(course, 'too_many_hops');
    course.pointers += 1;
    if (isHouse) course.speaker = content.house;
    url = new URL(next).href;
    if (course.path.some((hop) => hop.url === url)) return createOutcome(course, 'location_loop');
  }
}

/** The state of a discovery between two documents. */
type Course = Trail & { readonly begun: string; speaker: string; pointers: number };

function createOutcome({ begun, speaker, pointers, path, findings }: Course, reason: BrandReason): BrandDiscovery {
  const { isTransient, says, fix } = BRAND_REASONS[reason];
  return {
    domain: begun,
    reason,
    message: `${begun}: ${says}`,
    fix,
    isTransient,
    speaker,
    isRedirected: pointers > 0,
    path,
    findings,
  };
}
