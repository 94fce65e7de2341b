import { z } from 'zod';
import { SPECIALISMS } from '../../../assessment/specialisms.js';
import { canonicalAgentUrl } from '../../../model/agent-url.js';
import { VERIFICATION_MODES } from '../../../model/records.js';
import { changeAssessments } from '../../assessment/consent.js';
import { listFailingVisits, visitSoon } from '../../crawl/operate.js';
import { ok, type Route } from '../../http/route.js';
import { USUAL_BADGE_RELEASE } from '../../service/agent/standing.js';
import { setBadge, setCompliance } from '../../service/badges/give.js';
import { RegistryProblem } from '../../service/problem.js';
import { shownAssessments } from '../agent/monitoring.js';
import { adminList, adminRoute, editorName, moderatorRoute } from './admin-route.js';

/** Agents of one page. */
const MAX_ASSESSMENTS = 1000;
const COMPLIANCE = ['passing', 'degraded', 'failing', 'unknown'] as const;

const url = z.string().max(2048);
const after = url.describe('Only agents behind this one, by URL.').optional();

/** What the registry finds out about agents, and how it vouches for them. */
export const ADMIN_AGENT_ROUTES: readonly Route[] = [
  adminList({
    path: 'visits',
    operation_id: 'adminListFailingVisits',
    summary: 'Agents of members that could not be visited: why, since when, and when they are visited again.',
    query: z.object({ after }),
    run: async ({ registry, query }) => ok({ visits: await listFailingVisits(registry, query.after ?? '') }),
  }),
  moderatorRoute({
    path: 'visits',
    operation_id: 'adminVisit',
    summary: 'Have an agent be visited with the next round.',
    body: z.object({ url }),
    run: async ({ registry, body }) => ok(await visitSoon(registry, body.url)),
  }),
  adminList({
    path: 'assessments',
    operation_id: 'adminListAssessments',
    summary: 'Agents that are assessed with the consent of their members: how they did, and when next.',
    query: z.object({ after }),
    run: async ({ registry, query }) => {
      const states = await registry.store.read.crawl.listAssessments(query.after ?? '', MAX_ASSESSMENTS);
      return ok({ assessments: states.map((one) => ({ agent_url: one.agent_url, ...shownAssessments(one) })) });
    },
  }),
  moderatorRoute({
    path: 'assessments',
    operation_id: 'adminAssess',
    summary: 'Have an agent be assessed with the next round, where its member consents.',
    body: z.object({ url }),
    run: async ({ registry, body }) => {
      const url = canonicalAgentUrl(body.url) ?? body.url;
      await changeAssessments(registry, url, { ask: 'operator' });
      return ok({ due: url });
    },
  }),
  adminRoute({
    path: 'badges',
    operation_id: 'adminSetBadge',
    summary: 'Give an agent a verified badge for a role, or take it away.',
    body: z.object({
      url,
      role: z.string().min(1).max(64),
      verified_specialisms: z
        .array(
          z.string().refine((one) => SPECIALISMS.has(one), {
            error: 'is no specialism of the protocol',
            params: { suggestion: `Use some of ${[...SPECIALISMS.keys()].join(', ')}.` },
          }),
        )
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
      await setBadge(registry, badge, `admin:${editorName(caller)}`);
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
      url,
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
      await setCompliance(registry, url, whole, `admin:${editorName(caller)}`);
      return ok({ url, ...whole });
    },
  }),
];
