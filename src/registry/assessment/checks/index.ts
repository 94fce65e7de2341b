import type { Check } from '../check.js';
import { A2A_CHECKS } from './a2a.js';
import { AUTH_CHECKS } from './auth.js';
import { CAPABILITY_CHECKS } from './capabilities.js';
import { FILE_CHECKS } from './files.js';
import { HELD_TASK_CHECKS } from './held-tasks.js';
import { MCP_CHECKS } from './mcp.js';
import { REACH_CHECKS } from './reach.js';
import { READ_CHECKS } from './reads.js';
import { REFUSAL_CHECKS } from './refusals.js';
import { SANDBOX_CHECKS } from './sandbox.js';
import { TOOL_CHECKS } from './tools.js';

/** The table of checks, in the order in which a caller meets an agent. */
export const CHECKS: readonly Check[] = [
  ...REACH_CHECKS,
  ...AUTH_CHECKS,
  ...MCP_CHECKS,
  ...TOOL_CHECKS,
  ...CAPABILITY_CHECKS,
  ...REFUSAL_CHECKS,
  ...READ_CHECKS,
  ...FILE_CHECKS,
  ...A2A_CHECKS,
  ...SANDBOX_CHECKS,
  ...HELD_TASK_CHECKS,
];
