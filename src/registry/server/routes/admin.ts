import { z } from 'zod';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import { VERIFICATION_MODES } from '../../model/records.js';
import { changeAssessments } from '../assessment/consent.js';
import { MEMBERSHIP_TIERS, type RegistryCaller, ROLES } from '../auth/caller.js';
import {
  createKey,
  createOrganization,
  enrolAgent,
  findOrganization,
  listKeys,
  listOrganizations,
  putMember,
  removeAgent,
  revokeKey,
} from '../auth/members.js';
import { crawlSoon, importFiles, listFailingCrawls, listFailingVisits, visitSoon } from '../crawl/operate.js';
import { problems } from '../http/answers.js';
import { ok, type Route, type RouteSpec, route } from '../http/route.js';
import { choice, domain, offset, text } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { carryOutAct, listActs } from '../service/acts.js';
import { USUAL_BADGE_RELEASE } from '../service/agent/standing.js';
import { setBadge, setCompliance } from '../service/badges/give.js';
import { block, listBlocked, unblock } from '../service/blocks/change.js';
import { beginHold, endHold } from '../service/blocks/change-holds.js';
import { listHolds } from '../service/blocks/holds.js';
import { removeForGood } from '../service/blocks/remove.js';
import { decideReview, listReviews, rollBack } from '../service/brand/moderation.js';
import { RegistryProblem } from '../service/problem.js';
import { importSnapshot } from '../service/publisher/snapshot-import.js';
import { BLOCKED_KINDS, ENTRY_KINDS } from '../service/records.js';
import { shownAssessments } from './agent/monitoring.js';
import { agentInput, enrolment, shownAgent } from './members.js';

const organization = z.string().min(1).max(128).describe('Id or slug of an organization.');
const name = z.string().trim().min(1).max(255);
/** Something that an operator keeps out or holds, and why. */
const named = z.object({ kind: z.enum(BLOCKED_KINDS), name: z.string().min(1).max(2048) });
const reasoned = named.extend({ reason: z.string().trim().min(1).max(500) });
const anything = z.looseObject({});
/** Publishers of one request. */
const MAX_CRAWLS = 1000;
/** Files of one request, and bytes of all of them: the largest that counts has twenty megabytes. */
const MAX_FILES = 500;
const MAX_FILES_BYTES = 24 * 1024 * 1024;
/** Characters of a row of another registry's snapshot. */
const MAX_ROW_CHARACTERS = 512 * 1024;
/** Days until a key ends by itself, at most. */
const MAX_KEY_DAYS = 3650;
const STATES = ['pending', 'approved', 'rejected'] as const;
const COMPLIANCE = ['passing', 'degraded', 'failing', 'unknown'] as const;

/** Refuses a moderator what only admins may do. */
function adminOnly(caller: RegistryCaller): void {
  if (caller.kind !== 'anonymous' && caller.role === 'admin') return;
  throw new RegistryProblem('forbidden', 'This needs the standing of an admin.', {
    suggestion: 'Ask the operator of this registry.',
  });
}

/** Returns a change by the operator, or by an admin or moderator over the API. */
function adminRoute<Body extends z.ZodType>(
  spec: Pick<
    RouteSpec<z.ZodUndefined, Body>,
    'operation_id' | 'summary' | 'description' | 'body' | 'maxBodyBytes' | 'run'
  > & { readonly path: string },
  standing: 'admin' | 'moderator' = 'admin',
): Route {
  return route<z.ZodUndefined, Body>({
    ...spec,
    method: 'POST',
    path: `/api/admin/${spec.path}`,
    tag: TAGS.operation,
    auth: 'admin',
    answers: { 200: { description: 'Done.', body: anything }, ...problems(400, 401, 403, 404, 405, 409) },
    run: async (call) => {
      if (standing === 'admin') adminOnly(call.caller);
      const act = { by: actor(call.caller), action: spec.operation_id, request: call.body };
      return carryOutAct(call.registry, act, (registry) => spec.run({ ...call, registry }));
    },
  });
}

/** Returns a list for admins and moderators. */
function list<Query extends z.ZodType>(
  spec: Pick<RouteSpec<Query, z.ZodUndefined>, 'operation_id' | 'summary' | 'query' | 'run'> & {
    readonly path: string;
  },
): Route {
  return route<Query, z.ZodUndefined>({
    ...spec,
    method: 'GET',
    path: `/api/admin/${spec.path}`,
    tag: TAGS.operation,
    auth: 'admin',
    answers: { 200: { description: 'The list.', body: anything }, ...problems(400, 401, 403) },
  });
}

/** Returns the name that the history and the feed show of a caller. */
function editor(caller: RegistryCaller): string {
  return caller.kind === 'anonymous' ? 'operator' : caller.name;
}

/** Returns who did something, for the list of acts: an organization may have many keys. */
function actor(caller: RegistryCaller): string {
  const named = editor(caller);
  return caller.kind === 'anonymous' || caller.id === named ? named : `${named} (${caller.id})`;
}

/** Operation of a registry: what the commands do, for admins over the API too. */
export const ADMIN_ROUTES: readonly Route[] = [
  list({
    path: 'organizations',
    operation_id: 'adminListOrganizations',
    summary: 'Every organization.',
    run: async ({ registry }) => ok({ organizations: await listOrganizations(registry) }),
  }),
  adminRoute({
    path: 'organizations',
    operation_id: 'adminCreateOrganization',
    summary: 'Make an organization.',
    body: z.object({ slug: z.string().max(64), name, tier: z.enum(MEMBERSHIP_TIERS).optional() }),
    run: async ({ registry, body }) => ok(await createOrganization(registry, { ...body, tier: body.tier ?? 'api' })),
  }),
  list({
    path: 'keys',
    operation_id: 'adminListKeys',
    summary: 'Every API key, without its secret.',
    run: async ({ registry }) => ok({ keys: await listKeys(registry) }),
  }),
  adminRoute({
    path: 'keys',
    operation_id: 'adminCreateKey',
    summary: 'Make an API key; it is shown this once.',
    body: z.object({
      organization,
      name: name.optional(),
      role: z.enum(ROLES).optional(),
      expires_in_days: z
        .int()
        .min(1)
        .max(MAX_KEY_DAYS)
        .optional()
        .describe('It holds until it is revoked unless given.'),
    }),
    run: async ({ registry, body }) =>
      ok(
        await createKey(registry, {
          organization: body.organization,
          name: body.name ?? 'API key',
          role: body.role ?? 'member',
          days: body.expires_in_days,
        }),
        { 'cache-control': 'no-store' },
      ),
  }),
  adminRoute({
    path: 'keys/revoke',
    operation_id: 'adminRevokeKey',
    summary: 'End an API key.',
    body: z.object({ key_id: z.string().max(128) }),
    run: async ({ registry, body }) => ok(await revokeKey(registry, body.key_id)),
  }),
  adminRoute({
    path: 'members',
    operation_id: 'adminPutMember',
    summary: 'Make a user of the identity provider a member of an organization, or change the role.',
    body: z.object({
      organization,
      subject: z.string().min(1).max(255),
      name: name.optional(),
      role: z.enum(ROLES).optional(),
    }),
    run: async ({ registry, body }) =>
      ok(await putMember(registry, { ...body, name: body.name ?? body.subject, role: body.role ?? 'member' })),
  }),
  adminRoute({
    path: 'agents',
    operation_id: 'adminEnrolAgent',
    summary: 'Enrol an agent for an organization.',
    body: agentInput.extend({ organization }),
    run: async ({ registry, body: { organization: of, ...fields } }) => {
      const { org_id } = await findOrganization(registry, of);
      const { agent } = await enrolAgent(registry, org_id, enrolment(fields));
      return ok({ agent: shownAgent(agent) });
    },
  }),
  adminRoute({
    path: 'agents/remove',
    operation_id: 'adminRemoveAgent',
    summary: 'Take an agent out of the catalog.',
    body: z.object({ url: z.string().max(2048) }),
    run: async ({ registry, body }) => {
      await removeAgent(registry, undefined, body.url);
      return ok({ removed: body.url });
    },
  }),
  list({
    path: 'visits',
    operation_id: 'adminListFailingVisits',
    summary: 'Agents of members that could not be visited: why, since when, and when they are visited again.',
    query: z.object({ after: z.string().max(2048).describe('Only agents behind this one, by URL.').optional() }),
    run: async ({ registry, query }) => ok({ visits: await listFailingVisits(registry, query.after ?? '') }),
  }),
  adminRoute(
    {
      path: 'visits',
      operation_id: 'adminVisit',
      summary: 'Have an agent be visited with the next round.',
      body: z.object({ url: z.string().max(2048) }),
      run: async ({ registry, body }) => ok(await visitSoon(registry, body.url)),
    },
    'moderator',
  ),
  list({
    path: 'assessments',
    operation_id: 'adminListAssessments',
    summary: 'Agents that are assessed with the consent of their members: how they did, and when next.',
    query: z.object({ after: z.string().max(2048).describe('Only agents behind this one, by URL.').optional() }),
    run: async ({ registry, query }) => {
      const states = await registry.store.read.crawl.listAssessments(query.after ?? '', MAX_CRAWLS);
      return ok({ assessments: states.map((one) => ({ agent_url: one.agent_url, ...shownAssessments(one) })) });
    },
  }),
  adminRoute(
    {
      path: 'assessments',
      operation_id: 'adminAssess',
      summary: 'Have an agent be assessed with the next round, where its member consents.',
      body: z.object({ url: z.string().max(2048) }),
      run: async ({ registry, body }) => {
        const url = canonicalAgentUrl(body.url) ?? body.url;
        await changeAssessments(registry, url, { ask: 'operator' });
        return ok({ due: url });
      },
    },
    'moderator',
  ),
  adminRoute({
    path: 'badges',
    operation_id: 'adminSetBadge',
    summary: 'Give an agent a verified badge for a role, or take it away.',
    body: z.object({
      url: z.string().max(2048),
      role: z.string().min(1).max(64),
      verified_specialisms: z
        .array(z.string().min(1).max(128))
        .max(100)
        .optional()
        .describe('None takes the badge away.'),
      verification_modes: z
        .array(z.enum(VERIFICATION_MODES))
        .min(1)
        .max(VERIFICATION_MODES.length)
        .optional()
        .describe('What it rests on: "spec", storyboards that pass (the default), "live", traffic that was watched.'),
      adcp_version: z
        .string()
        .regex(/^\d{1,3}\.\d{1,3}$/, 'has to be a release such as 3.1')
        .optional()
        .describe(`The release that it is given for; ${USUAL_BADGE_RELEASE} unless given.`),
      reason: z.string().max(500).optional(),
    }),
    run: async ({ registry, caller, body }) => {
      const { url, role, verified_specialisms = [], verification_modes = ['spec'], reason = 'revoked' } = body;
      const { adcp_version = USUAL_BADGE_RELEASE } = body;
      const badge = { url, role, adcp_version, verified_specialisms, verification_modes, reason };
      await setBadge(registry, badge, `admin:${editor(caller)}`);
      return ok({ url, role, verified: verified_specialisms.length > 0 });
    },
  }),
  adminRoute({
    path: 'badges/keys',
    operation_id: 'adminReplaceBadgeKey',
    summary: 'Have another key sign badges.',
    description: 'What the one before has signed is verified until it expires; of a compromised one, no more.',
    body: z.object({ compromised: z.boolean().describe('Whether somebody else may have the key.').optional() }),
    run: async ({ registry, body }) => {
      if (registry.badgeKeys === undefined)
        throw new RegistryProblem('conflict', 'A mirror signs no badges.', {
          suggestion: 'Ask the registry that it mirrors.',
        });
      return ok(await registry.badgeKeys.replace(registry.store, body.compromised === true));
    },
  }),
  adminRoute({
    path: 'compliance',
    operation_id: 'adminSetCompliance',
    summary: 'Set what the checks of an agent came to.',
    body: z.object({
      url: z.string().max(2048),
      status: z.enum(COMPLIANCE),
      tracks: z.record(z.string(), z.string()).optional(),
      storyboards_passing: z.int().min(0).optional(),
      storyboards_total: z.int().min(0).optional(),
      headline: z.string().max(500).optional(),
    }),
    run: async ({ registry, caller, body: { url, headline, ...body } }) => {
      const { status, tracks = {}, storyboards_passing = 0, storyboards_total = 0 } = body;
      const compliance = { status, tracks, storyboards_passing, storyboards_total };
      const whole = headline === undefined ? compliance : { ...compliance, headline };
      await setCompliance(registry, url, whole, `admin:${editor(caller)}`);
      return ok({ url, ...whole });
    },
  }),
  list({
    path: 'crawls',
    operation_id: 'adminListFailingCrawls',
    summary: 'Publishers whose last reading came to nothing: why, since when, and when they are read again.',
    query: z.object({ after: domain().describe('Only publishers behind this one, by domain.').optional() }),
    run: async ({ registry, query }) => ok({ crawls: await listFailingCrawls(registry, query.after ?? '') }),
  }),
  adminRoute(
    {
      path: 'crawls',
      operation_id: 'adminCrawl',
      summary: 'Have up to 1,000 publishers be read with the next round, known or not.',
      body: z.object({ domains: z.array(domain()).min(1).max(MAX_CRAWLS) }),
      run: async ({ registry, body }) => ok(await crawlSoon(registry, body.domains)),
    },
    'moderator',
  ),
  adminRoute({
    path: 'import',
    operation_id: 'adminImport',
    summary: 'Read up to 500 adagents.json files of publishers from copies that the operator has.',
    description:
      'Each is read as if its domain had served it just now, and counts until the domain is read, an hour later. What is refused stays as it was.',
    body: z.object({
      files: z
        .array(z.object({ domain: domain(), text: z.string() }))
        .min(1)
        .max(MAX_FILES),
    }),
    maxBodyBytes: MAX_FILES_BYTES,
    run: async ({ registry, body }) => ok(await importFiles(registry, body.files)),
  }),
  adminRoute({
    path: 'import/snapshot',
    operation_id: 'adminImportSnapshot',
    summary: 'Take up to 500 properties and 1,000 publishers of another registry’s snapshot in, not verified.',
    description:
      'Properties are listed as contributed until the files of their publishers are read, with the next rounds. Nothing of a snapshot authorizes anybody, and what is known here already is not changed.',
    body: z.object({
      domains: z.array(domain()).max(MAX_CRAWLS).optional(),
      properties: z
        .array(z.string().max(MAX_ROW_CHARACTERS).describe('A row of the catalog, as JSON.'))
        .max(MAX_FILES)
        .optional(),
    }),
    maxBodyBytes: MAX_FILES_BYTES,
    run: async ({ registry, caller, body: { domains = [], properties = [] } }) =>
      ok(await importSnapshot(registry, { domains, properties }, `admin:${editor(caller)}`)),
  }),
  list({
    path: 'acts',
    operation_id: 'adminListActs',
    summary:
      'What the operator, admins and moderators did: who, when, what about and why; the newest first, 200 at a time.',
    query: z.object({ offset: offset().optional() }),
    run: async ({ registry, query }) => ok({ acts: await listActs(registry, query.offset ?? 0) }),
  }),
  list({
    path: 'blocked',
    operation_id: 'adminListBlocked',
    summary: 'Domains, agents, organizations and members that are kept out, with why, by whom and since when.',
    query: z.object({
      after: text('Only those behind this kind and name, such as "agent:https://ads.example/mcp".').optional(),
    }),
    run: async ({ registry, query }) => ok({ blocked: await listBlocked(registry, query.after ?? '') }),
  }),
  adminRoute(
    {
      path: 'blocked',
      operation_id: 'adminBlock',
      summary: 'Keep a domain, an agent, an organization or a member out of the registry.',
      description:
        'A domain goes from every list and look-up, and the feed tells that what it had is gone; its saves, crawls and imports are refused. An agent leaves the catalog and is not enrolled again; files of publishers name whom they like. Keys and users of an organization open nothing, and its agents are private; a member is one no more. What members saved stays, hidden.',
      body: reasoned,
      run: async ({ registry, caller, body: { reason, ...thing } }) =>
        ok(await block(registry, thing, { reason, by: editor(caller) })),
    },
    'moderator',
  ),
  adminRoute(
    {
      path: 'blocked/end',
      operation_id: 'adminUnblock',
      summary: 'Let a domain, an agent, an organization or a member into the registry again.',
      body: named,
      run: async ({ registry, body }) => ok(await unblock(registry, body)),
    },
    'moderator',
  ),
  adminRoute({
    path: 'removed',
    operation_id: 'adminRemove',
    summary: 'Remove a domain, an agent, an organization or a member for good.',
    description:
      'It is kept out as what is blocked is, and what is stored of it goes: entries with their history and submissions, proofs, the brand, what its properties were; keys, people, agents and entries of an organization. Refused with legal_hold under a hold.',
    body: reasoned,
    run: async ({ registry, caller, body: { reason, ...thing } }) =>
      ok(await removeForGood(registry, thing, { reason, by: editor(caller) })),
  }),
  list({
    path: 'holds',
    operation_id: 'adminListHolds',
    summary: 'What is under a legal hold, with why, by whom and since when.',
    run: async ({ registry: { store } }) => ok({ holds: await listHolds(store.read) }),
  }),
  adminRoute({
    path: 'holds',
    operation_id: 'adminHold',
    summary:
      'Have the records of a domain, an agent, an organization or a member stay, whoever or whatever would remove them.',
    body: reasoned,
    run: async ({ registry, caller, body: { reason, ...thing } }) =>
      ok(await beginHold(registry, thing, { reason, by: editor(caller) })),
  }),
  adminRoute({
    path: 'holds/end',
    operation_id: 'adminEndHold',
    summary: 'End a legal hold.',
    body: reasoned,
    run: async ({ registry, body: { reason: _reason, ...thing } }) => ok(await endHold(registry, thing)),
  }),
  list({
    path: 'reviews',
    operation_id: 'adminListReviews',
    summary: 'Submissions that wait for a moderator, or were decided.',
    query: z.object({ state: choice(STATES, 'Only those in this state; the waiting ones unless given.').optional() }),
    run: async ({ registry, query }) => ok({ reviews: await listReviews(registry, query.state ?? 'pending') }),
  }),
  adminRoute(
    {
      path: 'reviews/decide',
      operation_id: 'adminDecideReview',
      summary: 'Approve or reject a submission.',
      body: z.object({ review_id: z.string().max(128), decision: z.enum(['approve', 'reject']) }),
      run: async ({ registry, caller, body }) =>
        ok(await decideReview(registry, body.review_id, body.decision, editor(caller))),
    },
    'moderator',
  ),
  adminRoute(
    {
      path: 'rollback',
      operation_id: 'adminRollBack',
      summary: 'Bring an entry back to an earlier revision.',
      body: z.object({ kind: z.enum(ENTRY_KINDS), domain: domain(), revision_number: z.int().min(1) }),
      run: async ({ registry, caller, body }) =>
        ok(await rollBack(registry, body.kind, body.domain, body.revision_number, editor(caller))),
    },
    'moderator',
  ),
];
