import { z } from 'zod';
import type { Route, RouteAnswer } from './route.js';

/** The one body of every error; `code` and `suggestion` stand beside what the public contract has. */
const problem = z
  .looseObject({
    error: z.string().describe('What is wrong, as a sentence; for an expired cursor the code.'),
    code: z.string().describe('The same for machines.'),
    message: z.string().optional(),
    field: z.string().optional().describe('The parameter, or an RFC 6901 pointer into the body.'),
    suggestion: z.string().optional().describe('What to do next.'),
    retry_after: z.int().optional().describe('Whole seconds.'),
    retryAfter: z.int().optional(),
  })
  .meta({ id: 'Error', description: 'An error of any kind.' });

/** The meaning of each status of an error, for the description of a route. */
const MEANINGS = {
  400: 'A parameter or the body is missing something or holds something that cannot be used.',
  401: 'No credential, or one that is not valid here; WWW-Authenticate says where tokens come from.',
  403: 'The caller lacks the standing, or has not proven that the domain is in its hands.',
  404: 'There is no such thing.',
  405: 'This registry is a mirror and takes no changes.',
  409: 'The entry is managed by the domain’s own file, belongs to somebody else, or waits for a moderator.',
  410: 'The cursor or nonce has expired.',
  413: 'The body is too large.',
  415: 'The body is of another type than this address takes, or it is compressed or otherwise encoded.',
  429: 'Too many requests; Retry-After says how long to wait.',
  502: 'The agent answered with nothing that can be used.',
  503: 'Not available on this registry just now.',
  504: 'The agent did not answer in time.',
} as const;

/** Returns the errors that a route may answer. */
export function problemsOf(...statuses: readonly (keyof typeof MEANINGS)[]): Readonly<Record<number, RouteAnswer>> {
  return Object.fromEntries(statuses.map((status) => [status, { description: MEANINGS[status], body: problem }]));
}

/** Returns all that a route may answer, by status: what it says itself, and the refusals that every body may meet. */
export function answersOf({ answers, body }: Pick<Route, 'answers' | 'body'>): Route['answers'] {
  return body === undefined ? answers : { ...answers, ...problemsOf(413, 415) };
}

const names = z.array(z.record(z.string(), z.string())).describe('Names by locale.');

/** A domain as a brand. */
export const resolvedBrand = z
  .looseObject({
    canonical_id: z.string(),
    canonical_domain: z.string(),
    brand_name: z.string(),
    source: z.enum(['brand_json', 'enriched', 'community']),
    names: names.optional(),
    keller_type: z.enum(['master', 'sub_brand', 'endorsed', 'independent']).optional(),
    parent_brand: z.string().optional(),
    house_domain: z.string().optional().describe('Only when both sides say so.'),
    house_name: z.string().optional(),
    claimed_house_domain: z.string().optional(),
    relationship_trust: z
      .enum(['inline', 'mutual', 'leaf_only', 'house_only', 'standalone', 'unverifiable'])
      .optional(),
    brand_agent_url: z.string().optional(),
    brand_manifest: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ResolvedBrand' });

/** A publisher's properties. */
export const resolvedProperty = z
  .looseObject({
    publisher_domain: z.string(),
    source: z.enum(['adagents_json', 'hosted', 'discovered']),
    verified: z.boolean(),
    authorized_agents: z.array(z.looseObject({ url: z.string(), authorized_for: z.string().optional() })),
    properties: z.array(
      z.looseObject({
        id: z.string().optional(),
        type: z.string(),
        name: z.string(),
        identifiers: z.array(z.object({ type: z.string(), value: z.string() })),
        tags: z.array(z.string()),
      }),
    ),
    contact: z.object({ name: z.string().optional(), email: z.string().optional() }).optional(),
  })
  .meta({ id: 'ResolvedProperty' });

/** The history of an entry. */
export const activity = z
  .object({
    domain: z.string(),
    total: z.int(),
    revisions: z.array(
      z.object({
        revision_number: z.int(),
        editor_name: z.string(),
        edit_summary: z.string(),
        source: z.string(),
        is_rollback: z.boolean(),
        rolled_back_to: z.int().optional(),
        created_at: z.string(),
      }),
    ),
  })
  .meta({ id: 'Activity' });

/** The outcome of a save. */
export const saved = z.looseObject({
  success: z.literal(true),
  message: z.string(),
  domain: z.string(),
  id: z.string(),
  revision_number: z.int().optional().describe('Of an update; a creation is revision 1.'),
  review_status: z.enum(['approved', 'pending']).optional(),
});
