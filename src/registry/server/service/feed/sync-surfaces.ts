import { digest } from '../../../../platform/kernel/canonical.js';
import { parseDateTime } from '../../../../platform/kernel/clock.js';
import { yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import { canonicalAgentUrl } from '../../../model/agent-url.js';
import { publisherDomain } from '../../../model/domains.js';
import type { AuthorizationRecord, CollectionRecord, Evidence, PropertyRecord } from '../../../model/records.js';
import type { ServerStore } from '../../store/server-store.js';
import { RegistryProblem } from '../problem.js';

/** A page of the catalog; without `next` there is no more. */
export type CatalogChunk = { readonly records: readonly PropertyRecord[]; readonly next?: string };

/** A page of the collections. */
type CollectionPage = {
  readonly collections: readonly CollectionRecord[];
  readonly total: number;
  readonly next_offset: number | null;
  readonly next_cursor: string | null;
};

/** A row of the snapshot: the record, and members beside it. */
type SnapshotRow = AuthorizationRecord & { readonly override_applied: boolean; readonly override_reason: null };

/** Rows that are read at a time. */
const CHUNK = 500;
/** Rows that one page reads to find those that changed. */
const MAX_SCANNED_ROWS = 50_000;

/** Which properties a page of the catalog has, and where it begins. */
export type CatalogQuery = {
  readonly after: string;
  readonly limit: number;
  /** ISO 8601: only properties that changed then or later. */
  readonly since?: string | undefined;
  readonly publisher_domain?: string | undefined;
  readonly property_type?: string | undefined;
  readonly classification?: PropertyRecord['classification'] | undefined;
  readonly status?: PropertyRecord['status'] | undefined;
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Throws invalid_request for a cursor that is no position among records: neither an id of this registry's making nor that of a record. */
export async function requirePosition(
  records: { readonly find: (rid: string) => Promise<object | undefined> },
  cursor: string,
): Promise<void> {
  if (cursor === '' || UUID.test(cursor) || (await records.find(cursor)) !== undefined) return;
  throw new RegistryProblem('invalid_request', 'cursor: is none of a page before', {
    field: 'cursor',
    suggestion: 'Send the cursor of the page before as it came, or leave it out to begin.',
  });
}

/** Returns the properties that a query is for, in the order of their rids. Throws invalid_request for an instant that is none. */
export async function readCatalogPage({ read }: ServerStore, query: CatalogQuery): Promise<CatalogChunk> {
  const { after, limit, publisher_domain } = query;
  const isWanted = catalogFilter(query);
  const owner = publisher_domain === undefined ? undefined : publisherDomain(publisher_domain);
  const selected: PropertyRecord[] = [];
  let [at, scanned] = [after, 0];
  for (;;) {
    const rows =
      owner === undefined ? await read.property.page(at, CHUNK) : await read.property.ofPublisher(owner, at, CHUNK);
    for (const record of rows) {
      const isSelected = isWanted(record);
      if (isSelected && selected.length === limit) return { records: selected, next: at };
      at = record.property_rid;
      if (isSelected) selected.push(record);
    }
    scanned += rows.length;
    if (rows.length < CHUNK) return { records: selected };
    if (scanned >= MAX_SCANNED_ROWS) return { records: selected, next: at };
    await yieldToEventLoop();
  }
}

function catalogFilter({ classification, property_type, since, status }: CatalogQuery) {
  const sinceMs = since === undefined ? undefined : readSince(since);
  return (record: PropertyRecord): boolean =>
    (sinceMs === undefined || Date.parse(record.updated_at ?? '') >= sinceMs) &&
    (property_type === undefined || record.property_type === property_type) &&
    (classification === undefined || record.classification === classification) &&
    (status === undefined || record.status === status);
}

/** Returns collections in the order of their rids, behind `after` or with `skipped` of them passed over. */
export async function readCollectionPage(
  { read }: ServerStore,
  limit: number,
  skipped: number,
  after = '',
): Promise<CollectionPage> {
  const total = await read.collection.count();
  const selected: CollectionRecord[] = [];
  let [at, passed] = [after, 0];
  while (selected.length < limit) {
    const rows = await read.collection.page(at, CHUNK);
    for (const record of rows) {
      if (selected.length === limit) break;
      at = record.collection_rid;
      if (passed >= skipped) selected.push(record);
      else passed += 1;
    }
    if (rows.length < CHUNK) break;
    await yieldToEventLoop();
  }
  const [next] = selected.length < limit ? [] : await read.collection.page(at, 1);
  return {
    collections: selected,
    total,
    next_offset: next === undefined ? null : skipped + selected.length,
    next_cursor: next === undefined ? null : at,
  };
}

/** Returns the kinds of evidence that a request accepts; the publishers' own files unless given. */
export function wantedEvidence(wanted: readonly Evidence[] = []): ReadonlySet<string> {
  return new Set(wanted.length === 0 ? ['adagents_json'] : wanted);
}

/** Returns the rows of an agent. Throws invalid_request for what is no URL. */
export async function readAgentRows(
  { read }: ServerStore,
  agentUrl: string,
  evidence: ReadonlySet<string>,
): Promise<readonly SnapshotRow[]> {
  const canonical = canonicalAgentUrl(agentUrl);
  if (canonical === undefined) {
    throw new RegistryProblem('invalid_request', 'agent_url: is not the URL of an agent', {
      field: 'agent_url',
      suggestion: 'Send the absolute URL that buyers call, such as https://sales.example/mcp.',
    });
  }
  const selected: SnapshotRow[] = [];
  for (let after = ''; ; ) {
    const rows = await read.authorization.ofAgent(canonical, after, CHUNK);
    selected.push(...rows.filter((row) => evidence.has(row.evidence)).map(snapshotRow));
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK) return selected;
    after = last.id;
    await yieldToEventLoop();
  }
}

/** Reads every row, as lines of JSON, some hundreds at a time (bench row "registry": rows that are not read cost half). */
export async function* readSnapshotRows({ read }: ServerStore, evidence: ReadonlySet<string>): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await read.authorization.texts(after, CHUNK);
    let lines = '';
    for (const { doc } of rows) {
      const word = evidenceIn(doc);
      if (evidence.has(word)) lines += snapshotLine(doc, word);
    }
    if (lines !== '') yield lines;
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK) return;
    after = last.id;
    await yieldToEventLoop();
  }
}

const EVIDENCE_MEMBER = '"evidence":"';

/** Returns the evidence of a record as it is stored; one that holds the member twice, as its keys may, is read. */
function evidenceIn(doc: string): string {
  const at = doc.indexOf(EVIDENCE_MEMBER);
  if (at === -1 || doc.lastIndexOf(EVIDENCE_MEMBER) !== at) return (JSON.parse(doc) as AuthorizationRecord).evidence;
  const from = at + EVIDENCE_MEMBER.length;
  return doc.slice(from, doc.indexOf('"', from));
}

/** Returns the line of a record that is stored as a JSON object: its text, and the members beside it. */
function snapshotLine(doc: string, word: string): string {
  return `${doc.slice(0, -1)},"override_applied":${word === 'override'},"override_reason":null}\n`;
}

/** Returns the ETag of a snapshot: what is in it follows from where the feed stands. */
export function snapshotTag(head: string, evidence: ReadonlySet<string>, include: string): string {
  return `"${digest([head, include, ...[...evidence].sort()].join(' '))}"`;
}

function snapshotRow(record: AuthorizationRecord): SnapshotRow {
  return { ...record, override_applied: record.evidence === 'override', override_reason: null };
}

function readSince(since: string): number {
  const ms = parseDateTime(since);
  if (ms !== undefined) return ms;
  throw new RegistryProblem('invalid_request', 'since: is no instant', {
    field: 'since',
    suggestion: 'Send an ISO 8601 instant with an offset, such as 2026-01-31T00:00:00Z.',
  });
}
