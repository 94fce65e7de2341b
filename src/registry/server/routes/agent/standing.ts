import { z } from 'zod';
import { problemsOf } from '../../http/answers.js';
import { ok, type Reply, type Route, type RouteSpec, route } from '../../http/route.js';
import { text } from '../../openapi/fields.js';
import { TAGS } from '../../openapi/tags.js';
import { describeCompliance, describeVerification, drawBadge, embedBadge } from '../../service/agent/standing.js';
import { listBadgeKeys } from '../../service/badges/keys.js';
import { listRevoked } from '../../service/badges/revoked.js';
import type { Registry } from '../../service/registry.js';

const AGENT = '/api/registry/agents/{encodedUrl}';
const badge = z.looseObject({
  role: z.string(),
  adcp_version: z.string(),
  verified_at: z.string(),
  verified_specialisms: z.array(z.string()),
  verification_modes: z.array(z.string()).min(1),
  badge_id: z.string().describe('The same as long as the badge is held as it is.').optional(),
});
const signedBadge = badge.extend({
  token: z
    .string()
    .describe(
      'The badge as a JWS (EdDSA) of a day; absent at a mirror and of badges that were given before they were signed.',
    )
    .optional(),
  expires_at: z.string().optional(),
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
function readRoute(
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
    readRoute(
      {
        path: `${AGENT}/badge/${of}.svg`,
        operation_id: `getAgentBadge${name}Svg`,
        summary: `The badge of an agent for a protocol${says}, as a picture.`,
        answers: { 200: { description: 'The picture.', body: z.string(), type: 'image/svg+xml' }, ...problemsOf(400) },
      },
      async (registry, path) => ({
        text: await drawBadge(registry, path),
        type: 'image/svg+xml',
        headers: { 'content-security-policy': "default-src 'none'" },
      }),
    ),
    readRoute(
      {
        path: `${AGENT}/badge/${of}/embed`,
        operation_id: `getAgentBadge${name}Embed`,
        summary: `What shows the badge of an agent for a protocol${says} on a page.`,
        answers: { 200: { description: 'HTML and Markdown.', body: embed }, ...problemsOf(400) },
      },
      async (registry, path) => ok(await embedBadge(registry, path)),
    ),
  ];
}

/** How agents did in the checks, and their badges. */
export const STANDING_ROUTES: readonly Route[] = [
  readRoute(
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
        ...problemsOf(400),
      },
    },
    async (registry, { agentUrl }) => ok(await describeCompliance(registry, agentUrl)),
  ),
  readRoute(
    {
      path: `${AGENT}/verification`,
      operation_id: 'getAgentVerification',
      summary: 'The badges of an agent, signed.',
      tool: true,
      answers: {
        200: {
          description: 'Its badges.',
          body: z.looseObject({
            agent_url: z.string(),
            verified: z.boolean(),
            badges: z.array(signedBadge),
            jwks_uri: z.string(),
            revoked_url: z.string(),
          }),
        },
        ...problemsOf(400),
      },
    },
    async (registry, { agentUrl }) => ok(await describeVerification(registry, agentUrl)),
  ),
  route({
    method: 'GET',
    path: '/api/.well-known/jwks.json',
    operation_id: 'getJwks',
    tag: TAGS.standing,
    summary: 'The public keys that verify badges.',
    auth: 'none',
    answers: { 200: { description: 'A JWKS.', body: z.object({ keys: z.array(z.looseObject({ kid: z.string() })) }) } },
    run: async ({ registry }) => ok(await listBadgeKeys(registry)),
  }),
  route({
    method: 'GET',
    path: '/api/registry/badges/revoked',
    operation_id: 'listRevokedBadges',
    tag: TAGS.standing,
    summary: 'Badges that were taken back, and why, as long as one of theirs may look valid.',
    auth: 'none',
    query: z.object({ badge_id: text('Only the badge of this id.', { max: 64 }).optional() }),
    answers: {
      200: {
        description: 'The badges; none of the ids counts any more.',
        body: z.object({
          revoked: z.array(
            z.object({
              badge_id: z.string(),
              agent_url: z.string(),
              role: z.string(),
              reason: z.string(),
              revoked_at: z.iso.datetime(),
            }),
          ),
        }),
      },
      ...problemsOf(400),
    },
    run: async ({ registry, query }) => ok({ revoked: await listRevoked(registry, query.badge_id) }),
  }),
  ...badgeRoutes('{role}', '', ''),
  ...badgeRoutes('{role}/{version}', 'Versioned', ' and a release'),
];
