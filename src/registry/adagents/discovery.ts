import { DISCOVERY_REASONS, type DiscoveryReason } from '../documents/discovery-reasons.js';
import type { Finding } from '../documents/finding.js';
import { fetchServed, isTroubled, type Trail, type Wanted } from '../documents/served.js';
import { fetchDocument, type Hop, isSecure, REDIRECTS, type Steps } from '../documents/steps.js';
import { publisherDomain, typedDomain } from '../model/domains.js';
import { type AdagentsContent, readAdagents } from './adagents.js';
import { readManagers } from './ads-txt.js';
import type { AdagentsFile } from './types.js';

/** How a publisher's file was found. */
export type DiscoveryMethod = 'direct' | 'authoritative_location' | 'ads_txt_managerdomain';

/** The file that counts for a publisher. */
export type EffectiveAdagents = {
  /** Whose authorizations it tells; a network's file tells those of many. */
  readonly publisherDomain: string;
  readonly method: DiscoveryMethod;
  /** Where it was read. */
  readonly url: string;
  readonly managerDomain?: string;
  readonly file: AdagentsFile;
  /** The publisher was seen revoked within a week, though this file no longer says so (see `settleAdagents`). */
  readonly isHeldRevoked?: true;
  /** More is granted exclusively than can be looked through: nobody else can be told that something is left. */
  readonly isUnclear?: true;
};

/** The result of a discovery: the file, or the reason why there is none, with every document that was asked for. */
export type AdagentsDiscovery = {
  readonly publisherDomain: string;
  readonly reason: DiscoveryReason;
  /** The reason in a sentence, and what to do about it. */
  readonly message: string;
  readonly fix: string;
  /** Whether it may be different soon: a copy that is not old may be used until then. */
  readonly isTransient: boolean;
  readonly effective?: EffectiveAdagents;
  readonly path: readonly Hop[];
  readonly findings: readonly Finding[];
};

/** How files are read on the way. */
type DiscoveryOptions = {
  /** Milliseconds; tells what has expired. */
  readonly nowMs: number;
  /** Lets http and loopback agents through, in development mode only. */
  readonly local?: boolean;
};

/** Returns where a domain's file stands. */
export function adagentsUrl(domain: string): string {
  return `https://${domain}/.well-known/adagents.json`;
}

const MEGABYTE = 1024 * 1024;
/** Most bytes of a file at its own place, and of one that a location leads to: it may speak for a whole network. */
export const ADAGENTS_MAX_BYTES = 5 * MEGABYTE;
export const AUTHORITATIVE_MAX_BYTES = 20 * MEGABYTE;

type Course = Trail & { readonly publisher: string; readonly options: DiscoveryOptions };

type FileOutcome =
  | { readonly kind: 'file'; readonly file: AdagentsFile; readonly url: string; readonly isPointed: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: DiscoveryReason };

/**
 * Finds the adagents.json that counts for a domain, which may be typed with a scheme, `www.` or `m.`. It is the domain's own, one that it
 * points to, or that of the manager whom its ads.txt names and who names it in turn, each one hop away.
 */
export function* discoverAdagents(domain: string, options: DiscoveryOptions): Steps<AdagentsDiscovery> {
  const name = typedDomain(domain);
  const publisher = name === undefined ? domain : publisherDomain(name);
  const course: Course = { publisher, options, path: [], findings: [] };
  if (name === undefined) return createOutcome(course, 'not_a_domain');
  const own = yield* readFrom(adagentsUrl(publisher), publisher, course);
  if (own.kind === 'failed') return createOutcome(course, own.reason);
  if (own.kind === 'absent') return yield* askManager(course);
  const method = own.isPointed ? 'authoritative_location' : 'direct';
  return createOutcome(course, 'found', { publisherDomain: publisher, method, url: own.url, file: own.file });
}

function* askManager(course: Course): Steps<AdagentsDiscovery> {
  const { publisher, path } = course;
  const url = `https://${publisher}/ads.txt`;
  const bounds = { maxBytes: ADAGENTS_MAX_BYTES, redirects: REDIRECTS.adsTxt, accept: 'text/plain' };
  const arrival = yield* fetchDocument(url, bounds, path);
  // Without an answer from ads.txt nobody knows whether there is a manager.
  if (!arrival.ok)
    return createOutcome(course, DISCOVERY_REASONS[arrival.reason].isTransient ? 'ads_txt_unavailable' : 'not_found');
  if (isTroubled(arrival.status)) return createOutcome(course, 'ads_txt_unavailable');
  if (arrival.status !== 200) return createOutcome(course, 'not_found');
  const { manager, skipped } = readManagers(new TextDecoder().decode(arrival.bytes), publisher);
  for (const { line, why } of skipped) {
    warn(
      course,
      arrival.url,
      `MANAGERDOMAIN in line ${line} ${why} and is not followed`,
      'Nothing, unless it was meant to be.',
    );
  }
  if (manager === undefined) return createOutcome(course, 'not_found');
  const managed = yield* readFrom(adagentsUrl(manager), manager, course);
  if (managed.kind === 'absent') return createOutcome(course, 'manager_not_found');
  if (managed.kind === 'failed') return createOutcome(course, managed.reason);
  if (!namesPublisher(managed.file, publisher)) return createOutcome(course, 'manager_out_of_scope');
  warn(
    course,
    managed.url,
    `${publisher} serves no adagents.json; that of its manager ${manager} counts`,
    'Serve one that points here.',
  );
  return createOutcome(course, 'found', {
    publisherDomain: publisher,
    method: 'ads_txt_managerdomain',
    url: managed.url,
    managerDomain: manager,
    file: managed.file,
  });
}

/**
 * Reads the file at a URL, or at the location that it points to. `owner` is whose properties are that name no
 * publisher.
 */
function* readFrom(url: string, owner: string, course: Course): Steps<FileOutcome> {
  const read: Wanted<AdagentsContent>['read'] = (bytes, file) =>
    readAdagents(bytes, { ...course.options, file, domain: owner });
  const first = yield* fetchServed({ url, maxBytes: ADAGENTS_MAX_BYTES, redirects: REDIRECTS.sameSite, read }, course);
  if (first.kind !== 'read') return first;
  if (first.content.kind === 'file')
    return { kind: 'file', file: first.content.file, url: first.url, isPointed: false };
  const { location } = first.content;
  if (!isSecure(location)) return { kind: 'failed', reason: 'location_not_https' };
  const target = new URL(location).href;
  if (course.path.some((hop) => hop.url === target)) return { kind: 'failed', reason: 'location_loop' };
  const wanted = { url: target, maxBytes: AUTHORITATIVE_MAX_BYTES, redirects: REDIRECTS.none, read };
  const second = yield* fetchServed(wanted, course);
  if (second.kind === 'absent') return { kind: 'failed', reason: 'location_not_found' };
  if (second.kind !== 'read') return second;
  if (second.content.kind === 'pointer') return { kind: 'failed', reason: 'location_nested' };
  return { kind: 'file', file: second.content.file, url: second.url, isPointed: true };
}

/** Whether a manager's file speaks for a publisher: it must name it, for ads.txt is easily copied. */
function namesPublisher(file: AdagentsFile, publisher: string): boolean {
  const isNamed = file.properties.some((property) => property.publisher_domain === publisher);
  return file.agents.some(
    ({ scope, collections }) =>
      (collections ?? []).some((collection) => collection.publisher_domain === publisher) ||
      (scope.authorization_type === 'publisher_properties' &&
        scope.selectors.some(({ domains }) => domains.has(publisher))) ||
      (scope.authorization_type === 'inline_properties' &&
        scope.properties.some((property) => property.publisher_domain === publisher)) ||
      (isNamed && reachesByIdOrTag(file, scope, publisher)),
  );
}

function reachesByIdOrTag(
  file: AdagentsFile,
  scope: AdagentsFile['agents'][number]['scope'],
  publisher: string,
): boolean {
  return file.properties.some(
    ({ property_id, publisher_domain, tags }) =>
      publisher_domain === publisher &&
      ((scope.authorization_type === 'property_ids' &&
        property_id !== undefined &&
        scope.property_ids.has(property_id)) ||
        (scope.authorization_type === 'property_tags' && tags.some((tag) => scope.property_tags.has(tag)))),
  );
}

function warn({ findings }: Course, file: string, message: string, fix: string): void {
  findings.push({ file, pointer: '', severity: 'warning', keyword: 'fallback', message, fix });
}

function createOutcome(course: Course, reason: DiscoveryReason, effective?: EffectiveAdagents): AdagentsDiscovery {
  const { publisher, path, findings } = course;
  const { isTransient, says, fix } = DISCOVERY_REASONS[reason];
  return {
    publisherDomain: publisher,
    reason,
    message: `${publisher}: ${says}`,
    fix,
    isTransient,
    effective,
    path,
    findings,
  };
}
