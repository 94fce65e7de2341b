import { z } from 'zod';
import { problems } from '../../http/answers.js';
import { ok, type Reply, type Route, type RouteSpec, route } from '../../http/route.js';
import { TAGS } from '../../openapi/tags.js';
import { describeCompliance, describeVerification, drawBadge, embedBadge } from '../../service/agent/standing.js';
import type { Registry } from '../../service/registry.js';

const AGENT = '/api/registry/agents/{encodedUrl}';
const badge = z.looseObject({
  role: z.string(),
  adcp_version: z.string(),
  verified_at: z.string(),
  verified_specialisms: z.array(z.string()),
  verification_modes: z.array(z.string()).min(1),
});
const embed = z.looseObject({
  agent_url: z.string(),
  role: z.string(),
  verified: z.boolean(),
  badge_svg_url: z.string(),
  registry_url: z.string(),
  html: z.string(),
  markdown: z.string(),
});

/** The badge that a path names. */
type BadgePath = { readonly agentUrl: string; readonly role: string; readonly version: string | undefined };

/** Returns a read of what is known of one agent. */
function read(
  spec: Pick<RouteSpec<z.ZodUndefined, z.ZodUndefined>, 'path' | 'operation_id' | 'summary' | 'answers' | 'tool'>,
  run: (registry: Registry, path: BadgePath) => Promise<Reply>,
): Route {
  return route({
    ...spec,
    method: 'GET',
    tag: TAGS.standing,
    auth: 'none',
    run: async ({ registry, params: { encodedUrl = '', role = '', version } }) =>
      run(registry, { agentUrl: encodedUrl, role, version }),
  });
}

function badgeRoutes(of: string, name: string, says: string): readonly Route[] {
  return [
    read(
      {
        path: `${AGENT}/badge/${of}.svg`,
        operation_id: `getAgentBadge${name}Svg`,
        summary: `The badge of an agent for a protocol${says}, as a picture.`,
        answers: { 200: { description: 'The picture.', body: z.string(), type: 'image/svg+xml' }, ...problems(400) },
      },
      async (registry, path) => ({
        text: await drawBadge(registry, path),
        type: 'image/svg+xml',
        headers: { 'content-security-policy': "default-src 'none'" },
      }),
    ),
    read(
      {
        path: `${AGENT}/badge/${of}/embed`,
        operation_id: `getAgentBadge${name}Embed`,
        summary: `What shows the badge of an agent for a protocol${says} on a page.`,
        answers: { 200: { description: 'HTML and Markdown.', body: embed }, ...problems(400) },
      },
      async (registry, path) => ok(await embedBadge(registry, path)),
    ),
  ];
}

/** How agents did in the checks, and their badges. */
export const STANDING_ROUTES: readonly Route[] = [
  read(
    {
      path: `${AGENT}/compliance`,
      operation_id: 'getAgentCompliance',
      summary: 'What the checks of an agent came to.',
      tool: true,
      answers: {
        200: {
          description: 'Its status: unknown where nothing was checked.',
          body: z.looseObject({
            agent_url: z.string(),
            status: z.string(),
            lifecycle_stage: z.string(),
            verified: z.boolean(),
            verified_badges: z.array(badge),
          }),
        },
        ...problems(400),
      },
    },
    async (registry, { agentUrl }) => ok(await describeCompliance(registry, agentUrl)),
  ),
  read(
    {
      path: `${AGENT}/verification`,
      operation_id: 'getAgentVerification',
      summary: 'The badges of an agent.',
      tool: true,
      answers: {
        200: {
          description: 'Its badges.',
          body: z.looseObject({ agent_url: z.string(), verified: z.boolean(), badges: z.array(badge) }),
        },
        ...problems(400),
      },
    },
    async (registry, { agentUrl }) => ok(await describeVerification(registry, agentUrl)),
  ),
  ...badgeRoutes('{role}', '', ''),
  ...badgeRoutes('{role}/{version}', 'Versioned', ' and a release'),
];
