import type { Evidence, Subject } from '../evidence.js';
import { readCard, speakA2a } from './a2a.js';
import { readCapabilities } from './capabilities.js';
import { readFiles } from './files.js';
import { holdTasks } from './held-tasks.js';
import { introduce, listTools, probeTransport } from './introduction.js';
import { callReads } from './reads.js';
import { probeRefusals } from './refusals.js';
import { trySandbox } from './sandbox.js';
import type { Gathering, Stage } from './stage.js';
import { probeStrangers } from './strangers.js';
import { BudgetSpent } from './wire.js';

/** The stages in their order. */
const STAGES: readonly Stage[] = [
  introduce,
  probeTransport,
  listTools,
  readCapabilities,
  probeStrangers,
  probeRefusals,
  callReads,
  readFiles,
  readCard,
  speakA2a,
  trySandbox,
  holdTasks,
];

/** Asks an agent for all of the evidence, stage by stage; what it does not answer is missing, and what the bounds left no room for. Never rejects for what the agent does. */
export async function gatherEvidence(subject: Subject, gathering: Gathering): Promise<Evidence> {
  let evidence: Evidence = subject;
  const unasked: string[] = [];
  for (const stage of STAGES) {
    try {
      evidence = { ...evidence, ...(await stage(gathering, evidence)) };
    } catch (error) {
      if (error instanceof BudgetSpent) break;
      unasked.push(`${stage.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { ...evidence, unasked };
}
