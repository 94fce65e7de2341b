import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
const cli = path.join(path.dirname(require.resolve('@adcp/sdk/package.json')), 'bin/adcp.js');

/**
 * Vectors that no agent passes beside the positive ones: the first wants digests to be required, the second to be forbidden. Both are
 * proven in test/signing/vectors.test.ts.
 */
export const CONTRARY_VECTORS = ['007-missing-content-digest', '018-digest-covered-when-forbidden'];

/** The graders beside the storyboards, each with how many vectors have to pass; every one wants an agent with a fresh store. */
export const GRADERS = [
  {
    name: 'grade request-signing',
    passes: 31,
    run: ({ url }) => gradeRequests(url, '--skip-rate-abuse', '--skip', CONTRARY_VECTORS.join(',')),
  },
  { name: 'grade request-signing, rate', passes: 1, run: ({ url }) => gradeRequests(url, '--only', '020-rate-abuse') },
  { name: 'grade signer', passes: 1, run: gradeSigner },
];

/** The vectors of signed requests, each in a tools/call. */
async function gradeRequests(url, ...options) {
  const args = ['request-signing', url, '--allow-http', '--transport', 'mcp', '--json', ...options];
  const { text } = await adcp(args);
  const report = JSON.parse(text);
  const failed = [...report.positive, ...report.negative].filter((vector) => !vector.passed && !vector.skipped);
  return {
    passed: report.passed_count,
    failed: report.failed_count,
    skipped: report.skipped_count,
    faults: failed.map((vector) => `${vector.vector_id}: ${vector.diagnostic}`),
  };
}

/** A request signed with the agent's own key, against the keys that it publishes. */
async function gradeSigner({ url, baseUrl, dataDir }) {
  const jwksUrl = `${baseUrl}/.well-known/jwks.json`;
  const { keys } = JSON.parse(readFileSync(path.join(dataDir, 'keys/signing.json'), 'utf8'));
  const { kid, alg, d } = keys.find((key) => key.state === 'active');
  const published = (await (await fetch(jwksUrl)).json()).keys.find((key) => key.kid === kid);
  const folder = mkdtempSync(path.join(tmpdir(), 'signer-'));
  try {
    const file = path.join(folder, 'key.jwk');
    writeFileSync(file, JSON.stringify({ ...published, d }), { mode: 0o600 });
    const names = ['--key-file', file, '--kid', kid, '--alg', alg, '--jwks-url', jwksUrl];
    const { code, text } = await adcp(['signer', url, ...names, '--allow-http']);
    return code === 0
      ? { passed: 1, failed: 0, skipped: 0, faults: [] }
      : { passed: 0, failed: 1, skipped: 0, faults: [text] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `adcp grade`; a grader that finds faults exits with 1. */
function adcp(args) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [cli, 'grade', ...args], { timeout: 120_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (code === 0 || code === 1) resolve({ code, text: stdout });
      else reject(new Error(`adcp grade ${args[0]} could not run: ${stderr}`));
    });
  });
}
