import { z } from 'zod';
import { withoutUndefined } from '../../../platform/kernel/json/json.js';
import { isUrl } from '../../../platform/net/url.js';
import { BRAND_AGENT_TYPES } from '../../brand/types.js';
import { canonicalAgentUrl } from '../../model/agent-url.js';
import { asMember, type Member, VISIBILITIES } from '../auth/caller.js';
import { enrolAgent, listAgentsOf, removeAgent } from '../auth/members.js';
import { problemsOf } from '../http/answers.js';
import { ok, type Route, route } from '../http/route.js';
import { httpsUrl } from '../openapi/fields.js';
import { TAGS } from '../openapi/tags.js';
import { RegistryProblem } from '../service/problem.js';
import type { MemberAgent } from '../service/records.js';
import type { Registry } from '../service/registry.js';
import { shownAssessments } from './agent/monitoring.js';

/** An agent of a member, as the contract shows it. */
const memberAgent = z.looseObject({
  url: z.string(),
  name: z.string(),
  type: z.enum(BRAND_AGENT_TYPES),
  visibility: z.enum(VISIBILITIES),
});

const contact = z.object({
  name: z.string().max(255).optional(),
  email: z.email().max(255).optional(),
  website: httpsUrl().optional(),
});

const fields = {
  name: z.string().trim().min(1).max(255),
  description: z.string().max(5000),
  type: z.enum(BRAND_AGENT_TYPES, { error: () => `has to be one of ${BRAND_AGENT_TYPES.join(', ')}` }),
  protocol: z.enum(['mcp', 'a2a']),
  visibility: z.enum(VISIBILITIES, { error: () => `has to be one of ${VISIBILITIES.join(', ')}` }),
  contact,
};

/** The body of an enrollment, by members and by the operator alike. */
export const agentInput = z.object({
  url: z.string().max(2048),
  type: fields.type,
  name: fields.name.optional(),
  description: fields.description.optional(),
  protocol: fields.protocol.optional(),
  visibility: fields.visibility.optional(),
  contact: contact.optional(),
});

/** What a member alone may say of an agent. */
const consent = z
  .boolean()
  .describe(
    'Whether the registry may assess the agent on a schedule, by reading alone, and publish what it finds. What it was unless given.',
  )
  .optional();

/** The member's own agents in the catalog. */
export const MEMBER_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/me/agents',
    operation_id: 'listMemberAgents',
    tag: TAGS.members,
    summary: 'The agents that your organization has enrolled.',
    auth: 'member',
    answers: {
      200: { description: 'The agents.', body: z.object({ agents: z.array(memberAgent) }) },
      ...problemsOf(401, 403),
    },
    run: async ({ registry, caller }) => {
      const agents = await listAgentsOf(registry, asMember(caller).organization.org_id);
      return ok({ agents: await Promise.all(agents.map((agent) => shownWithConsent(registry, agent))) });
    },
  }),
  route({
    method: 'POST',
    path: '/api/me/agents',
    operation_id: 'registerMemberAgent',
    tag: TAGS.members,
    summary: 'Enrol an agent, or change what is said of it.',
    description:
      'It is private until a visibility is given; `members_only` shows it to members of the API tier, `public` to everybody.',
    auth: 'member',
    limits: ['save'],
    body: agentInput.extend({ assessments: consent }),
    answers: {
      200: { description: 'Changed.', body: z.looseObject({ agent: memberAgent }) },
      201: { description: 'Enrolled.', body: z.looseObject({ agent: memberAgent }) },
      ...problemsOf(400, 401, 403, 405, 409, 429),
    },
    run: async ({ registry, caller, body: { assessments, ...body } }) => {
      const { org_id } = asMember(caller).organization;
      const { agent, isNew } = await enrolAgent(registry, org_id, readEnrollment(body), assessments);
      return { status: isNew ? 201 : 200, json: { agent: await shownWithConsent(registry, agent) } };
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/me/agents/{url}',
    operation_id: 'updateMemberAgent',
    tag: TAGS.members,
    summary: 'Change some of what is said of an agent.',
    auth: 'member',
    limits: ['save'],
    body: agentInput.omit({ url: true }).partial().extend({ assessments: consent }),
    answers: {
      200: { description: 'Changed.', body: z.looseObject({ agent: memberAgent }) },
      ...problemsOf(400, 401, 403, 404, 405, 429),
    },
    run: async ({ registry, caller, params, body: { assessments, ...body } }) => {
      const member = asMember(caller);
      const {
        agent_url,
        org_id,
        added_date: _added,
        updated_at: _updated,
        ...current
      } = await ownAgent(registry, member, params.url ?? '');
      const changes = withoutUndefined(body);
      const changed = { ...current, ...changes, url: agent_url };
      const { agent } = await enrolAgent(registry, org_id, changed, assessments);
      return ok({ agent: await shownWithConsent(registry, agent) });
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/me/agents/{url}',
    operation_id: 'removeMemberAgent',
    tag: TAGS.members,
    summary: 'Take an agent out of the catalog.',
    auth: 'member',
    answers: { 204: { description: 'It is gone.' }, ...problemsOf(400, 401, 403, 404, 405, 409) },
    run: async ({ registry, caller, params }) => {
      const { org_id } = asMember(caller).organization;
      await removeAgent(registry, { url: params.url ?? '', field: 'url' }, org_id);
      return { status: 204, empty: true };
    },
  }),
];

/** Returns an enrollment with its default words. */
export function readEnrollment({
  url,
  name,
  protocol = 'mcp',
  visibility = 'private',
  ...fields
}: z.output<typeof agentInput>) {
  const given = withoutUndefined(fields);
  return {
    ...given,
    type: fields.type,
    url,
    name: name ?? (isUrl(url) ? new URL(url).hostname : url),
    protocol,
    visibility,
  };
}

/** Returns an enrolled agent as it is shown. */
export function shownAgent({ agent_url, ...agent }: MemberAgent): Readonly<Record<string, unknown>> {
  return { url: agent_url, ...agent };
}

async function shownWithConsent({ store }: Registry, agent: MemberAgent): Promise<Readonly<Record<string, unknown>>> {
  const assessments = shownAssessments(await store.read.crawl.findAssessment(agent.agent_url));
  return { ...shownAgent(agent), assessments };
}

async function ownAgent(registry: Registry, member: Member, url: string): Promise<MemberAgent> {
  const key = canonicalAgentUrl(url);
  const agent = key === undefined ? undefined : await registry.store.read.member_agent.find(key);
  if (agent?.org_id === member.organization.org_id) return agent;
  throw new RegistryProblem('not_found', 'You have enrolled no agent of this URL.', {
    field: 'url',
    suggestion: 'Enrol it with POST /api/me/agents.',
  });
}
