/**
 * The whole public assessment of one agent, as a program of its own: node assess.mjs URL TOKEN PROBE [mcp|a2a] [BRAND], with
 * ADCP_COMPLIANCE_DIR set. BRAND is the id of the brand whose rights are asked for: the runner asks for those of its own buyer otherwise.
 * Prints its rows as JSON, one per storyboard. Wants an agent with a fresh store.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { CONTRARY_VECTORS } from './graders.mjs';
import { sdkFolder } from './outside.mjs';
import { rowsOf } from './rows.mjs';

const require = createRequire(import.meta.url);
const { comply, runStoryboard, getComplianceStoryboardById } = require('@adcp/sdk/testing');
const { StaticJwksResolver } = require('@adcp/sdk/signing/server');
const { setAgentTesterLogger } = require(path.join(sdkFolder, 'dist/lib/testing/client.js'));
setAgentTesterLogger({ info() {}, warn() {}, error() {}, debug() {} });
// The SDK tells of stripped arguments on the console, where the report goes.
console.log = console.warn = console.error;

/** Storyboards that the SDK counts in its totals alone: run once more, for their steps. */
const UNROLLED = ['security_baseline', 'signed_requests'];
/** The storyboard of rights, and the beginning of those below it. */
const RIGHTS = 'brand_rights';
/** Those send messages of MCP whatever is graded. */
const isMcp = (process.argv[5] ?? 'mcp') === 'mcp';

const [url, token, probe, protocol = 'mcp', brand_id] = process.argv.slice(2);
const { keys } = await (await fetch(new URL('/.well-known/jwks.json', url))).json();
const options = {
  protocol,
  allow_http: true,
  auth: { type: 'bearer', token },
  test_kit: {
    auth: { api_key: token, probe_task: probe },
    operations: { primary_webhook_emitter: 'create_media_buy' },
  },
  request_signing: {
    transport: 'mcp',
    // The cap has a grader of its own, which fills it; 025 is about a key that no server can be given.
    skipRateAbuse: true,
    skipVectors: [...CONTRARY_VECTORS, '025-jwk-alg-crv-mismatch'],
  },
};
const receiving = {
  ...options,
  webhook_receiver: { mode: 'loopback_mock' },
  contracts: ['webhook_receiver_runner'],
  webhook_signing: { jwks: new StaticJwksResolver(keys) },
};
const report = await comply(url, receiving);
const unrolled = [];
for (const id of isMcp ? UNROLLED.filter((board) => report.storyboards_executed.includes(board)) : [])
  unrolled.push(await runStoryboard(url, getComplianceStoryboardById(id), options));

process.stdout.write(
  JSON.stringify([...withFaults(rowsOf(report, unrolled), report).filter(isNotOfRights), ...(await rightsRows())]),
);
process.exit(0);

/** Whether a row is asked without the brand whose rights are looked for, where there is one. */
function isNotOfRights({ name }) {
  return brand_id === undefined || !name.startsWith(RIGHTS);
}

/** The storyboards of rights, by a buyer of that brand: as one, the runner asks for its rights. */
async function rightsRows() {
  if (brand_id === undefined) return [];
  const brand = { domain: 'acmeoutdoor.example', brand_id };
  const asked = await comply(url, { ...receiving, brand, storyboards: [RIGHTS] });
  return withFaults(rowsOf(asked, []), asked);
}

/** Rows with their failed checks: those of optional phases too, which no count shows, and steps that no row has. */
function withFaults(rows, { failures = [], summary }) {
  const graded = isMcp ? rows : rows.filter(({ name }) => !UNROLLED.includes(name));
  const told = graded.map((row) => {
    const faults = failures.filter(({ storyboard_id }) => storyboard_id === row.name).map(faultText);
    return { ...row, failed: Math.max(row.failed, faults.length), faults };
  });
  const counted = rows.reduce((total, row) => total + row.passed + row.failed + row.skipped, 0);
  if (!isMcp || counted === summary.total_steps) return told;
  const faults = [`the rows hold ${counted} steps, the report ${summary.total_steps}`];
  return [...told, { name: 'all steps', passed: 0, failed: 1, skipped: 0, why: [], faults }];
}

function faultText({ step_id, error, validation }) {
  const actual = validation?.actual === undefined ? undefined : `got ${JSON.stringify(validation.actual)}`;
  return [`${step_id}:`, validation?.description, error, actual].filter((text) => text !== undefined).join(' ');
}
