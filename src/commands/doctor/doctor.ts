import { CHECKS, runCheck } from '../../seller/doctor/checks.js';
import type { CheckedServer, Finding } from '../../seller/doctor/finding.js';
import type { CommandResult } from '../command.js';

/** A check as the command shows it. */
type Shown = Finding & { readonly check: string };

/** Runs every check, one after the other, and returns what was found: ok unless one of them failed. */
export async function runDoctor(server: CheckedServer, { json = false } = {}): Promise<CommandResult> {
  const shown: Shown[] = [];
  for (const check of CHECKS) shown.push({ check: check.name, ...(await runCheck(check, server)) });
  const ok = shown.every(({ status }) => status !== 'fail');
  return { ok, text: json ? JSON.stringify({ ok, checks: shown }, null, 2) : describeFindings(shown) };
}

function describeFindings(shown: readonly Shown[]): string {
  const width = Math.max(...shown.map(({ check }) => check.length));
  const lines = shown.flatMap(({ check, fix, message, status }) => [
    `${status.padEnd(4)}  ${check.padEnd(width)}  ${message.replaceAll('\n', `\n${' '.repeat(width + 8)}`)}`,
    ...(fix === undefined ? [] : [`${' '.repeat(width + 8)}fix: ${fix}`]),
  ]);
  const count = (status: Finding['status']): number => shown.filter((one) => one.status === status).length;
  return [
    ...lines,
    '',
    `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} failed, ${count('skip')} not asked.`,
  ].join('\n');
}
