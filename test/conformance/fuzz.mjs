import { randomInt } from 'node:crypto';
import { adcp } from './outside.mjs';

/** Two principals of every shipped tenant. */
const TOKENS = ['--auth-token', 'sandbox-token', '--auth-token-cross-tenant', 'sandbox-token-2'];

/** The seed of the longest run: FUZZ_SEED, to repeat one, else another every time. */
const SEED = process.env.FUZZ_SEED ?? String(randomInt(2 ** 31));

/** Under which seed a run is repeated, as a line to print. */
export const HOW_TO_REPEAT = `The fuzzer's own seed is ${SEED}; FUZZ_SEED=${SEED} repeats the run.`;

/**
 * The public fuzzer on one tenant: what it asks once with made up ids, once, under another seed, with ids of things that it has made
 * here before, and longer under a seed that no run before had. A row counts the tools that it fuzzed and the invariant of unknown ids
 * for each task that looks one up.
 */
export async function fuzz({ urlOf }, tenant) {
  return [
    await fuzzed('fuzz, seed 42', urlOf(tenant), ['--seed', '42', '--turn-budget', '20']),
    await fuzzed('fuzz, seed 7, with ids of its own', urlOf(tenant), [
      '--seed',
      '7',
      '--auto-seed',
      '--turn-budget',
      '20',
    ]),
    await fuzzed('fuzz, a random seed', urlOf(tenant), ['--seed', SEED, '--turn-budget', '150']),
  ];
}

async function fuzzed(name, url, options) {
  const args = ['fuzz', url, ...TOKENS, ...options, '--format', 'json'];
  const { code, text } = await adcp(args);
  const report = JSON.parse(text);
  const tools = Object.entries(report.perTool).map(([tool, row]) => ({
    name: tool,
    skipped: row.skipped,
    passed: row.failed === 0,
    said: row.skipped ? `${row.skipReason}: ${row._detail}` : `${row.failed} of ${row.runs} answers are wrong`,
  }));
  const invariants = report.uniformError.map(({ tool, verdict, skipReason, differences = [] }) => ({
    name: `${tool}, unknown and foreign ids`,
    skipped: verdict === 'skipped',
    passed: verdict === 'pass',
    said: skipReason ?? differences.join('; '),
  }));
  const checks = [...tools, ...invariants];
  const failed = checks.filter((check) => !check.skipped && !check.passed);
  const skipped = checks.filter((check) => check.skipped);
  const undeclared = skipped.flatMap((check) => /does not support: (.+)/.exec(check.said)?.[1].split(', ') ?? []);
  const faults = failed.map((check) => `${check.name}: ${check.said}`);
  return {
    name,
    passed: checks.length - failed.length - skipped.length,
    failed: failed.length,
    skipped: skipped.length,
    why: undeclared.length === 0 ? [] : [`not declared: ${[...new Set(undeclared)].join(', ')}`],
    unexplained: skipped.filter((check) => !check.said.includes('does not support: ')).map((check) => check.said),
    faults: [
      ...faults,
      ...report.failures.map(
        ({ tool, input, invariantFailures }) => `${tool} ${JSON.stringify(input)}: ${invariantFailures.join('; ')}`,
      ),
      ...(code === 0 || failed.length > 0 ? [] : [`the fuzzer ended with ${code}`]),
    ],
  };
}
