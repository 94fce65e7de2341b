import fs, { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { runOutside } from './outside.mjs';

const require = createRequire(import.meta.url);
const program = path.join(
  path.dirname(require.resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const here = path.dirname(fileURLToPath(import.meta.url));
/** Scenarios about fixtures of the reference server, which no seller has. */
const expected = path.join(here, 'mcp/expected-failures.yaml');
/** The suite wants a function of Node 22 that it needs for none of these scenarios. */
const shim = fs.globSync === undefined ? ['--import', new URL('./mcp/shim.mjs', import.meta.url).href] : [];

/** The scenarios of MCP's own conformance suite on one tenant: a listed failure that passes is as wrong as a pass that fails. */
export async function mcpScenarios({ baseUrl }, tenant, token) {
  const proxy = await openProxy(baseUrl, token);
  const folder = mkdtempSync(path.join(tmpdir(), 'mcp-'));
  const url = `http://127.0.0.1:${proxy.address().port}/${tenant}/mcp`;
  const args = [...shim, program, 'server', '--url', url, '--expected-failures', expected, '-o', folder];
  try {
    const { code, text } = await runOutside(args);
    return [countScenarios(text, code)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  }
}

function countScenarios(text, code) {
  const listed = new Set(parse(readFileSync(expected, 'utf8')).server);
  const scenarios = [...text.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed$/gm)].map(([, name, passes, fails]) => ({
    name,
    passed: fails === '0',
    // A scenario of which nothing passes and nothing fails ended in a warning, which the suite wants listed like a failure.
    warned: fails === '0' && passes === '0',
  }));
  const wrong = scenarios.filter(({ name, passed, warned }) => !warned && passed === listed.has(name));
  const faults = wrong.map(({ name, passed }) => `${name} ${passed ? 'passes and is listed as a failure' : 'fails'}`);
  if (code !== 0 && wrong.length === 0) faults.push(`the suite ended with ${code}: ${text.slice(-1000)}`);
  const passed = scenarios.filter((scenario) => scenario.passed).length;
  return {
    name: 'MCP scenarios',
    passed,
    failed: faults.length,
    skipped: scenarios.filter((scenario) => !scenario.passed && listed.has(scenario.name)).length,
    why: ['fixtures of the reference server'],
    faults,
  };
}

/** The suite sends no credential: a proxy on loopback adds it and passes all else on, Host and Origin as they came. */
async function openProxy(target, token) {
  const proxy = createServer((incoming, answer) => {
    const { method, headers } = incoming;
    const sent = { ...headers, authorization: `Bearer ${token}` };
    const outgoing = request(target + incoming.url, { method, headers: sent }, (answered) => {
      answer.writeHead(answered.statusCode, answered.rawHeaders);
      answered.pipe(answer);
    });
    outgoing.once('error', () => answer.destroy());
    answer.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
