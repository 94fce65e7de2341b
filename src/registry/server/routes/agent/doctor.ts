import { z } from 'zod';
import { problemsOf } from '../../http/answers.js';
import { ok, type Route, route } from '../../http/route.js';
import { text } from '../../openapi/fields.js';
import { TAGS } from '../../openapi/tags.js';
import { examineAgent } from '../../service/agent/doctor.js';

const MAX_KEY_CHARACTERS = 4096;

/** The report of an assessment, in the words of `doctor <url> --json`. */
const report = z.object({
  ok: z.boolean().describe('Whether the agent keeps to all that the protocol demands: no finding is an error.'),
  url: z.string(),
  agent: z.object({
    name: z.string().optional(),
    version: z.string().optional(),
    releases: z.array(z.string()),
    protocols: z.array(z.string()),
    specialisms: z.array(z.string()),
    tools: z.array(z.string()),
  }),
  checked_at: z.iso.datetime(),
  took_ms: z.int(),
  requests: z.int(),
  bytes: z.int(),
  complete: z.boolean().describe('False where a bound was reached, and the rest was not asked.'),
  findings: z.array(
    z.object({
      check: z.string(),
      severity: z.enum(['error', 'warning', 'note']),
      rule: z.string().describe('What the protocol says.'),
      reference: z.object({ name: z.string(), url: z.string() }),
      seen: z.array(z.string()),
      fix: z.string().describe('How to mend it.'),
    }),
  ),
  checks: z.array(
    z.object({ check: z.string(), status: z.enum(['ok', 'fault', 'skipped']), why: z.string().optional() }),
  ),
  badge: z.object({
    possible: z.boolean(),
    storyboards: z.array(
      z.object({
        storyboard: z.string(),
        specialism: z.string().optional(),
        outcome: z.enum(['fails', 'open', 'skipped']),
        why: z.string().optional(),
      }),
    ),
  }),
});

/** Agents looked at by the rules of the protocol. */
export const DOCTOR_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/agents/doctor',
    operation_id: 'examineAgent',
    tag: TAGS.probing,
    summary: 'Look at an agent from outside, anyone’s, by the rules of the protocol.',
    description: 'Changes nothing there. It takes up to 30 seconds.',
    auth: 'member',
    limits: ['doctor'],
    body: z.object({
      url: text('The MCP endpoint of an agent: a public https URL.'),
      key: text('A key of the agent’s. It is sent to this URL alone, and stored nowhere.', {
        max: MAX_KEY_CHARACTERS,
      })
        .regex(/^[!-~]+$/, 'has to be made of visible ASCII characters')
        .optional(),
    }),
    answers: {
      200: {
        description: 'What was found: each finding with the rule, what was seen, and how to mend it.',
        body: report,
      },
      ...problemsOf(400, 401, 403, 429, 503),
    },
    run: async ({ registry, body }) => ok(await examineAgent(registry, body)),
  }),
];
