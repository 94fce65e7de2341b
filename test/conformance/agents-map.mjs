import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { adcp } from './outside.mjs';
import { plain, rowOf } from './rows.mjs';

/** Storyboards that the runner can send through several agents; those with fixtures it cannot. */
const BOARDS = ['signals_baseline', 'creative_lifecycle', 'media_buy_state_machine'];

/** Storyboards whose steps go to the tenant that declares the tool's protocol, and to the sales agent where none alone does. */
export async function routed({ urlOf }, token) {
  const folder = mkdtempSync(path.join(tmpdir(), 'agents-map-'));
  const file = path.join(folder, 'agents.yaml');
  const agents = ['sales', 'creative', 'signals'].map((tenant) => [
    tenant,
    { url: urlOf(tenant), auth: { type: 'bearer', token } },
  ]);
  writeFileSync(file, stringify({ default_agent: 'sales', agents: Object.fromEntries(agents) }));
  try {
    const rows = [];
    for (const board of BOARDS) rows.push(await runBoard(board, file));
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runBoard(board, file) {
  const args = ['storyboard', 'run', board, '--allow-http', '--json'];
  const { text } = await adcp(args, { codes: [0, 1, 3], env: { ADCP_AGENTS_MAP: file } });
  const { phases } = JSON.parse(text);
  const steps = phases.flatMap((phase) => phase.steps.map(plain));
  const faults = steps.filter((step) => !step.passed && !step.skipped).map((step) => `${step.step_id}: ${step.error}`);
  return { ...rowOf(board, steps, new Set()), faults };
}
