import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { adcp } from './outside.mjs';

/**
 * Vectors that no agent passes beside the positive ones: the first wants digests to be required, the second to be forbidden. Both are
 * proven in test/signing/vectors.test.ts.
 */
export const CONTRARY_VECTORS = ['007-missing-content-digest', '018-digest-covered-when-forbidden'];

/** The vectors of signed requests, each in a tools/call, but for the one that fills the cap. */
export async function gradeSignedRequests({ urlOf }) {
  const why = ['vectors of a raw URL, of the contrary digest policy, and of the cap'];
  const left = ['--skip-rate-abuse', '--skip', CONTRARY_VECTORS.join(',')];
  return [await vectors('request signing', urlOf('sales'), left, why)];
}

/** The vector that fills the cap on signatures of one counterparty; wants an agent with a fresh store. */
export async function gradeRate({ urlOf }) {
  const only = ['--only', '020-rate-abuse'];
  return [await vectors('request signing: 020-rate-abuse', urlOf('sales'), only, ['the other vectors'])];
}

async function vectors(name, url, options, why) {
  const args = ['grade', 'request-signing', url, '--allow-http', '--transport', 'mcp', '--json', ...options];
  const report = JSON.parse((await adcp(args)).text);
  const failed = [...report.positive, ...report.negative].filter((vector) => !vector.passed && !vector.skipped);
  return {
    name,
    passed: report.passed_count,
    failed: report.failed_count,
    skipped: report.skipped_count,
    why,
    faults: failed.map((vector) => `${vector.vector_id}: ${vector.diagnostic}`),
  };
}

/** A request signed with the agent's own key, against the keys that it publishes. */
export async function gradeSigner({ urlOf, baseUrl, dataDir }) {
  const jwksUrl = `${baseUrl}/.well-known/jwks.json`;
  const { keys } = JSON.parse(readFileSync(path.join(dataDir, 'keys/signing.json'), 'utf8'));
  const { kid, alg, d } = keys.find((key) => key.state === 'active');
  const published = (await (await fetch(jwksUrl)).json()).keys.find((key) => key.kid === kid);
  const folder = mkdtempSync(path.join(tmpdir(), 'signer-'));
  try {
    const file = path.join(folder, 'key.jwk');
    writeFileSync(file, JSON.stringify({ ...published, d }), { mode: 0o600 });
    const names = ['--key-file', file, '--kid', kid, '--alg', alg, '--jwks-url', jwksUrl];
    const { code, text } = await adcp(['grade', 'signer', urlOf('sales'), ...names, '--allow-http']);
    const passed = code === 0;
    const counts = { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
    return [{ name: 'signer', ...counts, why: [], faults: passed ? [] : [text] }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
