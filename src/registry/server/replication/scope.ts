import type { Visit } from '../crawl/records.js';
import type { Blocked, Entry, MemberAgent, Organization, Revision } from '../service/records.js';
import type { ReplicatedKind } from '../store/replication.js';
import type { ServerReader } from '../store/server-store.js';

/** What a mirror carries: what everybody may read, or, with a key of an admin of the primary, all that a promotion needs. */
export const SCOPES = ['public', 'whole'] as const;
/** A scope of the list. */
export type Scope = (typeof SCOPES)[number];

/** A row as a mirror is sent it: its record as JSON, or that there is none for it. */
type ShownRow = { readonly kind: ReplicatedKind; readonly id: string; readonly doc: string | null };

type Show = (read: ServerReader, row: { readonly id: string; readonly doc: string }) => Promise<readonly ShownRow[]>;

const NOTHING: Show = async () => [];

/** What everybody may have of each kind; kinds without a row here are public as they are. */
const PUBLIC: Readonly<Partial<Record<ReplicatedKind, Show>>> = {
  api_key: NOTHING,
  member: NOTHING,
  ownership: NOTHING,
  review: NOTHING,
  crawl_request: NOTHING,
  operator_act: NOTHING,
  legal_hold: NOTHING,
  // Members are shown by the agents that they show.
  organization: async (read, { id, doc }) => {
    const agents = await read.member_agent.listByScope(id, '', MAX_AGENTS);
    return agents.some(isPublic) ? [{ kind: 'organization', id, doc }] : [];
  },
  member_agent: async (read, { id, doc }) => {
    const agent = JSON.parse(doc) as MemberAgent;
    if (!isPublic(agent)) return [{ kind: 'member_agent', id, doc: null }, ...(await visitOf(read, id))];
    const organization = await read.organization.find(agent.org_id);
    const member = organization === undefined ? [] : [memberRow(organization)];
    return [...member, { kind: 'member_agent', id, doc }, ...(await visitOf(read, id))];
  },
  visit: (read, { id }) => visitOf(read, id),
  assessment: async (read, { doc, id }) => {
    const agent = await read.member_agent.find(id);
    return [{ kind: 'assessment', id, doc: agent !== undefined && isPublic(agent) ? doc : null }];
  },
  entry: async (_read, { id, doc }) => [{ kind: 'entry', id, doc: isHidden(JSON.parse(doc) as Entry) ? null : doc }],
  // The history is public, and what an entry held before is not.
  revision: async (_read, { id, doc }) => {
    const revision: Revision = { ...(JSON.parse(doc) as Revision), content: NO_CONTENT };
    return [{ kind: 'revision', id, doc: JSON.stringify(revision) }];
  },
  blocked: async (_read, { id, doc }) => {
    const blocked: Blocked = { ...(JSON.parse(doc) as Blocked), reason: '', blocked_by: '' };
    return [{ kind: 'blocked', id, doc: JSON.stringify(blocked) }];
  },
};

const NO_CONTENT: Revision['content'] = { authorized_agents: [], properties: [] };
/** Agents of an organization that are looked through. */
const MAX_AGENTS = 1000;

/** Whether a mirror of a scope has what the primary has of a kind, and nothing else. */
export function isCarried(scope: Scope, kind: ReplicatedKind): boolean {
  return scope === 'whole' || (PUBLIC[kind] !== NOTHING && kind !== 'organization');
}

/** Returns the rows that a mirror of a scope is sent for a row that is stored here; none for what is not for it. */
export async function showRow(
  read: ServerReader,
  scope: Scope,
  { doc, id, kind }: ShownRow,
): Promise<readonly ShownRow[]> {
  const show = scope === 'whole' ? undefined : PUBLIC[kind];
  if (doc === null) return scope === 'whole' || isCarried(scope, kind) ? [{ kind, id, doc }] : [];
  return show === undefined ? [{ kind, id, doc }] : await show(read, { id, doc });
}

/** Returns what the visit of an agent came to, where everybody may see the agent: a member shows it, or a publisher names it. */
export async function visitOf(read: ServerReader, id: string): Promise<readonly ShownRow[]> {
  const [enrolled, record, visit] = await Promise.all([
    read.member_agent.find(id),
    read.agent.find(id),
    read.crawl.findVisit(id),
  ]);
  const isSeen = record !== undefined || (enrolled !== undefined && isPublic(enrolled));
  return [visitRow(id, isSeen ? visit : undefined)];
}

function visitRow(id: string, visit: Visit | undefined): ShownRow {
  return { kind: 'visit', id, doc: visit === undefined ? null : JSON.stringify(visit) };
}

function memberRow(organization: Organization): ShownRow {
  return { kind: 'organization', id: organization.org_id, doc: JSON.stringify(organization) };
}

function isPublic({ visibility }: MemberAgent): boolean {
  return visibility === 'public';
}

function isHidden({ review_status }: Entry): boolean {
  return review_status === 'pending';
}
