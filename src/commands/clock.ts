import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, secondText } from '../platform/kernel/clock.js';
import { acceptJump } from '../platform/kernel/steady-clock.js';
import { TaskError } from '../protocol/errors.js';
import type { Settings } from '../seller/config/settings.js';
import { advanceClocks, describeClocks } from '../seller/http/operator/operations.js';
import { asOperator } from './operator.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whose clock; left out: the first sandbox principal of every tenant. */
type ClockFlags = { readonly tenant?: string; readonly principal?: string };

const UNITS_MS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };

/** Milliseconds of a span such as `3d`, `12h` or `1d12h`. Throws INVALID_REQUEST. */
export function readSpan(text: string): number {
  if (/^(\d{1,6}[smhdw])+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+)([smhdw])/g)];
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS_MS[unit ?? ''] ?? 0), 0);
  }
  throw new TaskError('INVALID_REQUEST', `"${text}" is not a span of time.`, {
    field: 'span',
    suggestion: 'Write a number and a unit: 90m, 12h, 3d, 2w or 1d12h.',
  });
}

/** Returns the sandboxes whose time is ahead, as text: the running server's where there is one, else the store's. */
export async function listSandboxClocks(settings: Settings, env: Environment): Promise<string> {
  return describeSandboxes(await asOperator(settings, env, { path: '/clock' }, async ({ app }) => describeClocks(app)));
}

/** Moves the clocks of sandboxes ahead; returns the times that they show then, as text. */
export async function advanceClock(
  settings: Settings,
  env: Environment,
  span: string,
  { tenant, principal }: ClockFlags,
): Promise<string> {
  const body = { advance_ms: readSpan(span), tenant, principal };
  return describeSandboxes(
    await asOperator(settings, env, { path: '/clock', body }, ({ app }) => advanceClocks(app, body)),
  );
}

/** Has the server follow a wall clock that has jumped; returns the time from now on, as text. */
export async function acceptClockJump(settings: Settings, env: Environment): Promise<string> {
  const request = { path: '/clock/accept', body: {} };
  const { ahead_seconds, now } = await asOperator(settings, env, request, async ({ app }) => acceptJump(app));
  if (ahead_seconds === 0) return `The clock had not jumped: it is ${secondText(now)}.`;
  return `It is ${secondText(now)}: the clock was set by ${ahead_seconds} seconds, and what is due by now happens now.`;
}

function describeSandboxes({ clocks }: Awaited<ReturnType<typeof describeClocks>>): string {
  if (clocks.length === 0) return 'Every sandbox shows the real time.';
  return clocks
    .map(
      ({ tenant, principal, now, ahead_ms }) =>
        `/${tenant}/mcp  ${principal}  ${secondText(now)}, ${Math.round((ahead_ms / HOUR_MS) * 100) / 100} hours ahead`,
    )
    .join('\n');
}
