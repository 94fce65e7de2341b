import { DAY_MS } from '../../../../platform/kernel/clock.js';
import { startPace } from '../../../../platform/kernel/event-loop.js';
import { publisherDomain, typedDomain } from '../../../model/domains.js';
import type { ServerReader } from '../../store/server-store.js';
import { blockKey } from '../blocks/find.js';
import { RegistryProblem } from '../problem.js';
import { entryKey } from '../records.js';
import type { Registry } from '../registry.js';
import { adInfrastructure } from './ad-infrastructure.js';

/** Domains of one check, as the public contract says. */
export const MAX_CHECKED_DOMAINS = 10_000;
/** How long a report can be had. */
const REPORT_LASTS_MS = 7 * DAY_MS;

type Removed = {
  readonly input: string;
  readonly canonical: string;
  readonly reason: 'duplicate' | 'blocked';
  readonly domain_type?: string;
  readonly blocked_reason?: string;
};
type Modified = { readonly input: string; readonly canonical: string; readonly reason: string };
type Assessed = { readonly domain: string; readonly problem?: string };
type ResolvedDomain = { readonly domain: string; readonly source: string };

/** The domains of a list by verdict, each in one bucket. */
type Buckets = {
  readonly remove: Removed[];
  readonly modify: Modified[];
  readonly assess: Assessed[];
  readonly ok: ResolvedDomain[];
};

/** Sorts a list of domains into what to remove, modify, assess and leave, stores the report for seven days, and returns it as JSON. */
export async function checkPropertyList(registry: Registry, inputs: readonly string[]): Promise<string> {
  const { clock, ids, store } = registry;
  const buckets: Buckets = { remove: [], modify: [], assess: [], ok: [] };
  const seen = new Set<string>();
  const pace = startPace();
  for (const input of inputs) {
    await sortDomain(store.read, buckets, { input, seen });
    if (pace.isDue()) await pace.rest();
  }
  const { assess, modify, ok, remove } = buckets;
  const summary = {
    total: inputs.length,
    remove: remove.length,
    modify: modify.length,
    assess: assess.length,
    ok: ok.length,
  };
  const id = ids.uuid();
  const doc = JSON.stringify({ summary, ...buckets, report_id: id });
  const until_ms = clock.now() + REPORT_LASTS_MS;
  await store.transact((tx) => tx.propertyChecks.add({ id, until_ms, doc }));
  return doc;
}

/** Returns a stored report as JSON. Throws not_found for one that is not there or older than seven days. */
export async function findPropertyCheck({ clock, store }: Registry, id: string): Promise<string> {
  const doc = await store.read.propertyChecks.findDoc(id, clock.now());
  if (doc !== undefined) return doc;
  throw new RegistryProblem('not_found', 'Report not found or expired', {
    field: 'reportId',
    suggestion: 'Check the list again with POST /api/properties/check; a report can be had for seven days.',
  });
}

async function sortDomain(
  read: ServerReader,
  { assess, modify, ok, remove }: Buckets,
  { input, seen }: { readonly input: string; readonly seen: Set<string> },
): Promise<void> {
  const typed = typedDomain(input);
  if (typed === undefined) {
    assess.push({ domain: input, problem: 'This is no domain name.' });
    return;
  }
  const canonical = publisherDomain(typed);
  if (seen.has(canonical)) {
    remove.push({ input, canonical, reason: 'duplicate' });
    return;
  }
  seen.add(canonical);
  const infrastructure = adInfrastructure(canonical);
  if (infrastructure !== undefined) {
    const { reason, type } = infrastructure;
    remove.push({ input, canonical, reason: 'blocked', domain_type: type, blocked_reason: reason });
    return;
  }
  const block = await read.blocked.find(blockKey('domain', canonical));
  if (block !== undefined) {
    const blocked_reason = block.reason === '' ? 'The operator of this registry keeps it out.' : block.reason;
    remove.push({ input, canonical, reason: 'blocked', domain_type: 'kept_out', blocked_reason });
    return;
  }
  if (input !== canonical) {
    modify.push({ input, canonical, reason: changeOf(input, typed, canonical) });
    return;
  }
  const source = await sourceOf(read, canonical);
  if (source === undefined) assess.push({ domain: canonical });
  else ok.push({ domain: canonical, source });
}

/** Says how a domain was brought into its one form. */
function changeOf(input: string, typed: string, canonical: string): string {
  const changes = [
    ...(input.trim().toLowerCase() === typed ? [] : ['scheme, path, port or spelling changed']),
    ...(input.trim() !== input.trim().toLowerCase() ? ['lower case'] : []),
    ...(input.trim() === input ? [] : ['spaces cut away']),
    ...(typed === canonical ? [] : [`${typed.slice(0, typed.length - canonical.length)} cut away`]),
  ];
  return changes.join('; ');
}

/** Returns where a domain's properties are known from; undefined where they are not. */
async function sourceOf(read: ServerReader, domain: string): Promise<string | undefined> {
  if ((await read.publisher.find(domain))?.adagents_valid === true) return 'adagents_json';
  const entry = await read.entry.find(entryKey('property', domain));
  return entry?.review_status === 'approved' ? 'hosted' : undefined;
}
