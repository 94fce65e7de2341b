import { isoTime, MINUTE_MS } from '../../platform/kernel/clock.js';
import { pointerBelow, quoteValue, type Report } from '../documents/finding.js';
import type { Reading } from '../documents/reading.js';
import { domainName, registrableDomain } from '../model/domains.js';
import { disguise, skeleton } from '../model/look-alikes.js';
import { REFERENCE_CHECKS } from './references.js';
import type { AdagentsFile } from './types.js';

/** A file that was read member by member, before what its members say of each other is checked. */
type CheckedFile = {
  readonly file: AdagentsFile;
  /** The tags that each map describes; undefined for a map that is not there. */
  readonly tags: Readonly<Record<'tags' | 'placement_tags' | 'signal_tags', ReadonlySet<string> | undefined>>;
  readonly root: Reading;
  readonly nowMs: number;
};

/** A check over several members. It warns alone: what makes an entry count for nothing was found where the entry was read. */
type AdagentsCheck = (checked: CheckedFile, report: Report) => void;

/** Every check, in the order of the findings. */
export const ADAGENTS_CHECKS: readonly AdagentsCheck[] = [
  statesWhatItIs,
  authorizesSomebody,
  agentsAreListedOnce,
  idsAreDistinct,
  ...REFERENCE_CHECKS,
  tagsAreDescribed,
  entriesAreInEffect,
  domainsAreWhatTheyLookLike,
];

/** Clocks may differ by this much. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

function statesWhatItIs({ file, root, nowMs }: CheckedFile, report: Report): void {
  if (!root.holds('$schema')) {
    const fix = 'Add "$schema": "https://adcontextprotocol.org/schemas/v3/adagents.json".';
    report.warn('', 'required', '$schema is missing', fix);
  }
  if (!root.holds('last_updated')) {
    const why = 'last_updated is missing, so that an older copy cannot be told from this one';
    report.warn('', 'required', why, 'Add "last_updated" as an ISO 8601 instant.');
  }
  if (file.lastUpdated !== undefined && file.lastUpdated > nowMs + CLOCK_SKEW_MS) {
    report.warn('/last_updated', 'range', 'it lies in the future', 'Write when the file was changed.');
  }
}

function authorizesSomebody({ file, root }: CheckedFile, report: Report): void {
  const entries = root.value('authorized_agents');
  if (Array.isArray(entries) && entries.length === 0) {
    const why = 'the file names no agent, and readers of 3.0 want one';
    report.warn('/authorized_agents', 'version', why, 'Nothing, if it is meant to be a catalog alone.');
  }
  if (file.isSuperseded) {
    const why = 'the file says that another one took its place, and authorizes nobody';
    report.warn('/superseded_by', 'stale', why, 'Remove "superseded_by" if this file counts.');
  } else if (file.isCommunity && file.agents.length > 0) {
    const why = 'a catalog that a community keeps authorizes nobody, whoever it lists';
    report.warn(
      '/authorized_agents',
      'conflict',
      why,
      'Remove "catalog_role" if the publisher itself serves the file.',
    );
  }
}

function agentsAreListedOnce({ file: { agents } }: CheckedFile, report: Report): void {
  const first = new Map<string, string>();
  for (const { canonicalUrl, pointer } of agents) {
    const earlier = first.get(canonicalUrl);
    if (earlier === undefined) first.set(canonicalUrl, pointer);
    else {
      const why = `${earlier} names the same agent; some readers take neither`;
      report.warn(
        pointerBelow(pointer, 'url'),
        'ambiguous',
        why,
        'Put everything that the agent may sell into one entry.',
      );
    }
  }
}

function idsAreDistinct({ file }: CheckedFile, report: Report): void {
  const ids: readonly (readonly [name: string, id: unknown, pointer: string])[] = [
    ...file.properties.map((one) => ['property_id', one.property_id, one.pointer] as const),
    ...file.placements.map((one) => ['placement_id', one.placement_id, one.pointer] as const),
    ...file.collections.map((one) => ['collection_id', one.collection_id, one.pointer] as const),
    ...file.signals.map((one, index) => ['id', one.id, `/signals/${index}`] as const),
  ];
  const seen = new Set<string>();
  for (const [name, id, pointer] of ids) {
    if (id === undefined) continue;
    const key = `${name} ${String(id)}`;
    if (seen.has(key)) {
      const why = `${quoteValue(id)} is used twice as ${name} and stands for none`;
      report.warn(pointerBelow(pointer, name), 'duplicate', why, `Write another ${name} here.`);
    }
    seen.add(key);
  }
}

function tagsAreDescribed({ file, tags }: CheckedFile, report: Report): void {
  const used = {
    tags: file.properties.flatMap((property) => property.tags),
    placement_tags: file.placements.flatMap((placement) => placement.tags),
    signal_tags: file.signals.flatMap((signal) => (Array.isArray(signal.tags) ? signal.tags.map(String) : [])),
  };
  for (const map of ['tags', 'placement_tags', 'signal_tags'] as const) {
    const unknown = [...new Set(used[map])].filter((tag) => !(tags[map]?.has(tag) ?? false));
    if (unknown.length === 0) continue;
    const shown = `${unknown.slice(0, 5).join(', ')}${unknown.length > 5 ? ' …' : ''}`;
    report.warn(
      `/${map}`,
      'undefined',
      `not described: ${shown}`,
      `Add each to "${map}" with a name and a description.`,
    );
  }
}

function entriesAreInEffect({ file, nowMs }: CheckedFile, report: Report): void {
  for (const { effectiveUntil, pointer } of file.agents) {
    if (effectiveUntil === undefined || effectiveUntil > nowMs) continue;
    const why = `the entry ended at ${isoTime(effectiveUntil)}`;
    report.warn(pointerBelow(pointer, 'effective_until'), 'stale', why, 'Remove the entry, or give it a new end.');
  }
}

/** Reports a name that can be mistaken for another one of the same file: a slip of the pen or a trap. */
function domainsAreWhatTheyLookLike({ file }: CheckedFile, report: Report): void {
  const bySkeleton = new Map<string, string>();
  const checked = new Set<string>();
  for (const [domain, pointer] of namedDomains(file)) {
    const site = registrableDomain(domain) ?? domain;
    if (checked.has(site)) continue;
    checked.add(site);
    const fix = 'Check the spelling, letter by letter.';
    const hidden = disguise(site);
    if (hidden !== undefined) report.warn(pointer, 'look_alike', `${site} ${hidden}`, fix);
    const looks = skeleton(site);
    const twin = bySkeleton.get(looks);
    if (twin === undefined) bySkeleton.set(looks, site);
    else report.warn(pointer, 'look_alike', `${site} looks like ${twin}, which the file names too`, fix);
  }
}

function namedDomains(file: AdagentsFile): readonly (readonly [domain: string, pointer: string])[] {
  return [
    [file.domain, ''],
    ...file.properties.flatMap(({ publisher_domain, hosts, pointer }) =>
      [publisher_domain, ...hosts.map(({ host }) => host)].map((domain) => [domain, pointer] as const),
    ),
    ...file.agents.flatMap(({ scope, url, pointer }) => {
      const host = domainName(new URL(url).hostname);
      const selected =
        scope.authorization_type === 'publisher_properties'
          ? scope.selectors.flatMap(({ domains }) => [...domains])
          : [];
      return [...(host === undefined ? [] : [host]), ...selected].map((domain) => [domain, pointer] as const);
    }),
    ...[...file.revoked.keys()].map((domain) => [domain, '/revoked_publisher_domains'] as const),
  ];
}
