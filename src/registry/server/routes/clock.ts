import { z } from 'zod';
import { acceptJump } from '../../../platform/kernel/steady-clock.js';
import { problemsOf } from '../http/answers.js';
import { ok, route } from '../http/route.js';
import { TAGS } from '../openapi/tags.js';

/** Follows a wall clock after a jump that was held: for the operator's address alone, under the path that every server has it. */
export const ACCEPT_CLOCK = route({
  method: 'POST',
  path: '/clock/accept',
  operation_id: 'acceptClock',
  summary: 'Follow the wall clock after a jump that was held.',
  tag: TAGS.operation,
  auth: 'admin',
  answers: { 200: { description: 'Done.', body: z.looseObject({}) }, ...problemsOf(401) },
  run: async ({ registry }) => ok(acceptJump(registry)),
});
