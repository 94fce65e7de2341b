import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { DAY_MS, HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { canonicalAgentUrl, findUrlFault } from '../../model/agent-url.js';
import { beginAssessments, endAssessments } from '../assessment/consent.js';
import { recordEnrolment } from '../crawl/apply/agents.js';
import { isBlocked, refuseBlocked } from '../service/blocks/find.js';
import { refuseHeld, refuseMember } from '../service/blocks/holds.js';
import { RegistryProblem } from '../service/problem.js';
import type { ApiKey, MemberAgent, Organization, OrganizationMember } from '../service/records.js';
import type { Registry } from '../service/registry.js';
import type { ServerReader } from '../store/server-store.js';
import type { MembershipTier, RegistryCaller, Role } from './caller.js';

/** Begins every API key, so that leaked ones are found by scanners. */
const KEY_PREFIX = 'sk_';
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
/** Rows that are listed at a time. */
const MAX_LISTED_ROWS = 1000;

/** A key as it is handed out; the token is shown this once. */
type NewApiKey = Omit<ApiKey, 'hash'> & { readonly token: string };

/** Makes an organization. Throws invalid_request for a slug that cannot be one, conflict for one that is taken. */
export async function createOrganization(
  registry: Registry,
  wanted: { readonly slug: string; readonly name: string; readonly tier: MembershipTier },
): Promise<Organization> {
  if (!SLUG.test(wanted.slug)) {
    throw new RegistryProblem('invalid_request', 'slug: cannot be a slug', {
      field: '/slug',
      suggestion: 'Use 1 to 64 lower-case letters, digits and dashes.',
    });
  }
  return registry.store.transact(async (tx) => {
    if ((await tx.organization.listByMark(wanted.slug)).length > 0) {
      throw new RegistryProblem('conflict', 'There is an organization of this slug.', {
        field: '/slug',
        suggestion: 'Choose another slug, or make a key for the one that is there.',
      });
    }
    const organization: Organization = {
      org_id: registry.ids.next('org'),
      ...wanted,
      created_at: isoTime(registry.clock.now()),
    };
    await tx.organization.put(organization);
    return organization;
  });
}

/** Returns all organizations, oldest first. */
export function listOrganizations(registry: Registry): Promise<readonly Organization[]> {
  return registry.store.read.organization.page('', MAX_LISTED_ROWS);
}

/** Returns an organization by id or slug. Throws not_found. */
export function findOrganization(registry: Registry, idOrSlug: string, field = '/organization'): Promise<Organization> {
  return organizationOf(registry.store.read, idOrSlug, field);
}

/** A key to make: for an organization, by id or slug, and for how many days; for good unless given. */
type NewKey = Readonly<Record<'organization' | 'name', string>> & {
  readonly role: Role;
  readonly days?: number | undefined;
};

/** Makes a key for an organization, named by id or slug. Only its hash is kept. Throws not_found. */
export async function createKey(registry: Registry, wanted: NewKey): Promise<NewApiKey> {
  const token = `${KEY_PREFIX}${registry.ids.secret()}`;
  const nowMs = registry.clock.now();
  return registry.store.transact(async (tx) => {
    const { org_id } = await organizationOf(tx, wanted.organization);
    const key = {
      key_id: registry.ids.next('key'),
      org_id,
      name: wanted.name,
      role: wanted.role,
      created_at: isoTime(nowMs),
      ...(wanted.days !== undefined && { expires_at: isoTime(nowMs + wanted.days * DAY_MS) }),
    };
    await tx.api_key.put({ ...key, hash: sha256Hex(token) });
    return { ...key, token };
  });
}

/** Returns every key, without what it is recognized by. */
export async function listKeys(registry: Registry): Promise<readonly Omit<ApiKey, 'hash'>[]> {
  const keys = await registry.store.read.api_key.page('', MAX_LISTED_ROWS);
  return keys.map(({ hash: _hash, ...shown }) => shown);
}

/** Ends a key, from the next request on. Throws not_found. */
export async function revokeKey(registry: Registry, keyId: string): Promise<Omit<ApiKey, 'hash'>> {
  return registry.store.transact(async (tx) => {
    const key = await tx.api_key.find(keyId);
    if (key === undefined) throw refuseMissing('key', '/key_id');
    const revoked = { revoked_at: isoTime(registry.clock.now()), ...key };
    await tx.api_key.put(revoked);
    const { hash: _hash, ...shown } = revoked;
    return shown;
  });
}

/** Returns the caller that an API key proves; undefined for one that is unknown, has expired or was revoked. */
export async function findCallerByKey(registry: Registry, token: string): Promise<RegistryCaller | undefined> {
  const { read } = registry.store;
  const [key] = await read.api_key.listByMark(sha256Hex(token));
  if (key === undefined || key.revoked_at !== undefined) return undefined;
  if (key.expires_at !== undefined && Date.parse(key.expires_at) <= registry.clock.now()) return undefined;
  const organization = await read.organization.find(key.org_id);
  if (organization === undefined || (await isBlocked(read, 'organization', key.org_id))) return undefined;
  await noteUse(registry, key);
  return { kind: 'key', id: key.key_id, name: organization.name, organization, role: key.role };
}

/** Notes that a key was used, once an hour at most; a mirror leaves that to its primary. A call does not fail by it. */
async function noteUse({ clock, log, mirrors, store }: Registry, { key_id, last_used_at }: ApiKey): Promise<void> {
  const nowMs = clock.now();
  const isNoted = (at: string | undefined): boolean => at !== undefined && Date.parse(at) > nowMs - HOUR_MS;
  if (mirrors !== undefined || isNoted(last_used_at)) return;
  try {
    await store.transact(async (tx) => {
      const key = await tx.api_key.find(key_id);
      if (key !== undefined && !isNoted(key.last_used_at))
        await tx.api_key.put({ ...key, last_used_at: isoTime(nowMs) });
    });
  } catch (error) {
    log.warn({ err: error, key: key_id }, 'the use of a key could not be noted');
  }
}

/** Returns the caller that the `sub` of a verified token proves: a member with its organization, or somebody who belongs to none. */
export async function findCallerBySubject(registry: Registry, subject: string, name: string): Promise<RegistryCaller> {
  const { read } = registry.store;
  const member = await read.member.find(subject);
  const isOut =
    member === undefined ||
    (await isBlocked(read, 'organization', member.org_id)) ||
    (await isBlocked(read, 'member', subject));
  const organization = isOut ? undefined : await read.organization.find(member.org_id);
  if (member === undefined || organization === undefined) return { kind: 'user', id: subject, name, role: 'member' };
  return { kind: 'user', id: subject, name: member.name, organization, role: member.role };
}

/** Makes a user of the identity provider a member, or changes its role. Throws not_found. */
export async function putMember(
  registry: Registry,
  wanted: { readonly organization: string; readonly subject: string; readonly name: string; readonly role: Role },
): Promise<OrganizationMember> {
  return registry.store.transact(async (tx) => {
    const { org_id } = await organizationOf(tx, wanted.organization);
    const { subject, name, role } = wanted;
    await refuseBlocked(tx, 'member', subject);
    const member = { subject, org_id, name, role, created_at: isoTime(registry.clock.now()) };
    await tx.member.put(member);
    return member;
  });
}

/** An agent as an organization enrolls it. */
type AgentInput = Omit<MemberAgent, 'agent_url' | 'org_id' | 'added_date' | 'updated_at'> & {
  readonly url: string;
};

/** Returns the agents that an organization has enrolled. */
export function listAgentsOf(registry: Registry, orgId: string): Promise<readonly MemberAgent[]> {
  return registry.store.read.member_agent.listByScope(orgId, '', MAX_LISTED_ROWS);
}

/**
 * Puts an agent into the catalog, or changes it there, with its member's consent to assessments or without; as it was unless given. Throws invalid_request for no URL, conflict for another
 * member's agent.
 */
export async function enrolAgent(
  registry: Registry,
  orgId: string,
  { url, ...fields }: AgentInput,
  isAssessed?: boolean,
): Promise<{ readonly agent: MemberAgent; readonly isNew: boolean }> {
  const agent_url = listableUrl(registry, url, '/url');
  const at = isoTime(registry.clock.now());
  return registry.store.transact(async (tx) => {
    await refuseBlocked(tx, 'agent', agent_url);
    const before = await tx.member_agent.find(agent_url);
    if (before !== undefined && before.org_id !== orgId) {
      throw new RegistryProblem('conflict', 'Another member has enrolled this agent.', {
        field: '/url',
        suggestion: 'Ask the operator of this registry if it is yours.',
      });
    }
    const agent: MemberAgent = {
      ...fields,
      agent_url,
      org_id: orgId,
      added_date: before?.added_date ?? at,
      updated_at: at,
    };
    await tx.member_agent.put(agent);
    await recordEnrolment(tx, registry.clock, agent_url, `api:${orgId}`);
    if (isAssessed === false) await refuseMember(tx, agent_url);
    if (isAssessed !== undefined) await (isAssessed ? beginAssessments : endAssessments)(tx, registry.clock, agent_url);
    return { agent, isNew: before === undefined };
  });
}

/** A URL of an agent, and what of the request named it. */
type NamedAgent = { readonly url: string; readonly field: string };

/** Takes an agent out of the catalog, of an organization where one is given. Throws not_found. */
export async function removeAgent(registry: Registry, { field, url }: NamedAgent, orgId?: string): Promise<void> {
  const agent_url = agentKey(url, field);
  await registry.store.transact(async (tx) => {
    const before = await tx.member_agent.find(agent_url);
    if (before === undefined || (orgId !== undefined && before.org_id !== orgId)) throw refuseMissing('agent', field);
    await (orgId === undefined ? refuseHeld(tx, 'agent', agent_url) : refuseMember(tx, agent_url));
    await tx.member_agent.remove(agent_url);
    await recordEnrolment(tx, registry.clock, agent_url, `api:${before.org_id}`);
  });
}

async function organizationOf(
  tx: Pick<ServerReader, 'organization'>,
  idOrSlug: string,
  field = '/organization',
): Promise<Organization> {
  const organization = (await tx.organization.find(idOrSlug)) ?? (await tx.organization.listByMark(idOrSlug))[0];
  if (organization === undefined) throw refuseMissing('organization', field);
  return organization;
}

/** Returns the canonical URL of an agent that may be listed. Throws invalid_request for one that buyers elsewhere cannot call. */
export function listableUrl({ isDevelopment }: Pick<Registry, 'isDevelopment'>, url: string, field: string): string {
  const fault = findUrlFault(url, isDevelopment);
  if (fault === undefined) return agentKey(url, field);
  const reason = fault.message.startsWith('is ') ? fault.message : `cannot be listed: ${fault.message}`;
  throw new RegistryProblem('invalid_request', `url: ${reason}`, { field, suggestion: fault.fix });
}

function agentKey(url: string, field: string): string {
  const canonical = canonicalAgentUrl(url);
  if (canonical !== undefined) return canonical;
  throw new RegistryProblem('invalid_request', 'url: is not the URL of an agent', {
    field,
    suggestion: 'Send the absolute https URL that buyers call, such as https://ads.example/mcp.',
  });
}

function refuseMissing(what: string, field: string): RegistryProblem {
  return new RegistryProblem('not_found', `There is no such ${what}.`, {
    field,
    suggestion: 'Check the spelling; it is matched exactly.',
  });
}
