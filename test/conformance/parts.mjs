import { fileURLToPath } from 'node:url';
import { withoutUnreadable } from './a2a.mjs';
import { startTwoProcesses } from './agent.mjs';
import { routed } from './agents-map.mjs';
import { fuzz } from './fuzz.mjs';
import { withoutProbe } from './governance.mjs';
import { gradeRate, gradeSignedRequests, gradeSigner } from './graders.mjs';
import { mcpScenarios } from './mcp.mjs';
import { runOutside } from './outside.mjs';

/** The public kits' key: a sandbox principal of its own on every tenant. */
const TOKEN = 'demo-acme-outdoor-v1';

const assessment = fileURLToPath(new URL('./assess.mjs', import.meta.url));

/** The whole public assessment of one tenant; `probe` is the protected task that its security storyboards call. */
const assess =
  (tenant, probe, protocol = 'mcp', ...more) =>
  async (agent) => {
    const url = agent.urlOf(tenant).replace(/mcp$/, protocol);
    const { text } = await runOutside([assessment, url, TOKEN, probe, protocol, ...more], { codes: [0] });
    return JSON.parse(text);
  };

/** The assessment of a tenant over A2A; steps that this client cannot pass there are skipped, with the reason. */
const overA2a = (tenant, probe) => async (agent) => (await assess(tenant, probe, 'a2a')(agent)).map(withoutUnreadable);

/** The assessment of an agent that neither sells nor builds; the step that needs a task of another agent is skipped, with the reason. */
const assessOther =
  (tenant, ...more) =>
  async (agent) =>
    (await assess(tenant, 'list_creatives', 'mcp', ...more)(agent)).map(withoutProbe);

/** When the peers' figures were taken, with this suite. */
export const PEERS_MEASURED = '2026-11-22';

/** What a run consists of: `{ name, rows(agent), start?, peer? }`, each on an agent with a fresh store, of one process unless `start` is there. `peer` is what an example agent of the SDK reaches. */
export const parts = [
  { name: 'sales: storyboards', rows: assess('sales', 'list_creatives'), peer: '95 / 54 / 81, guaranteed seller' },
  { name: 'sales: storyboards on two processes', rows: assess('sales', 'list_creatives'), start: startTwoProcesses },
  {
    name: 'creative: storyboards',
    rows: assess('creative', 'list_creatives'),
    peer: '11 / 38 / 73, creative template',
  },
  { name: 'signals: storyboards', rows: assess('signals', 'get_signals'), peer: '13 / 40 / 58, signals marketplace' },
  { name: 'governance: storyboards', rows: assessOther('governance') },
  { name: 'brand: storyboards', rows: assessOther('brand', 'mara_velez') },
  { name: 'sales: storyboards over A2A', rows: overA2a('sales', 'list_creatives') },
  { name: 'creative: storyboards over A2A', rows: overA2a('creative', 'list_creatives') },
  { name: 'signals: storyboards over A2A', rows: overA2a('signals', 'get_signals') },
  { name: 'sales: signed requests', rows: gradeSignedRequests, peer: '1 / 32 / 6, guaranteed seller' },
  { name: 'sales: cap on signatures', rows: gradeRate },
  { name: 'sales: signer', rows: gradeSigner },
  { name: 'sales: fuzz', rows: (agent) => fuzz(agent, 'sales'), peer: 'fails' },
  { name: 'creative: fuzz', rows: (agent) => fuzz(agent, 'creative'), peer: 'fails' },
  { name: 'signals: fuzz', rows: (agent) => fuzz(agent, 'signals'), peer: 'fails' },
  { name: 'all three: agents map', rows: (agent) => routed(agent, TOKEN) },
  { name: 'sales: MCP scenarios', rows: (agent) => mcpScenarios(agent, 'sales', TOKEN), peer: '5 / 2 / 23' },
  { name: 'creative: MCP scenarios', rows: (agent) => mcpScenarios(agent, 'creative', TOKEN) },
  { name: 'signals: MCP scenarios', rows: (agent) => mcpScenarios(agent, 'signals', TOKEN) },
];

/** Parts whose time is the runner's own waiting for webhooks; all others run one after the other beside them. */
export const WAITING_PARTS = [
  'sales: storyboards',
  'sales: storyboards on two processes',
  'sales: storyboards over A2A',
];
