import { isoTime, secondText } from '../../platform/kernel/clock.js';
import type { Settings } from '../../seller/config/settings.js';
import { operateWebhooks, readWebhooks, type WebhookAction } from '../../seller/http/operator/operations.js';
import { readEventFilter } from '../../seller/webhooks/operate.js';
import { asOperator } from '../operator.js';
import { plain } from '../terminal.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The filters of events, as they were typed. */
export type WebhookFlags = Readonly<
  Partial<Record<'tenant' | 'principal' | 'endpoint' | 'state' | 'mediaBuy', string | undefined>>
>;

/** Returns the newest events of the outbox and their states, as text: the running server's where there is one. */
export async function listWebhooks(settings: Settings, env: Environment, flags: WebhookFlags): Promise<string> {
  const filter = { ...filterOf(flags), state: flags.state };
  const asked = new URLSearchParams(
    Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const path = `/webhooks?${asked}`;
  const { webhooks, backlog } = await asOperator(settings, env, { path }, ({ app }) =>
    readWebhooks(app, readEventFilter(filter)),
  );
  const lines = webhooks.flatMap((event) => [
    `${event.idempotency_key}  ${event.state}  ${event.notification_type ?? 'task'}  ${event.media_buy_id ?? event.task_id ?? ''}`,
    `  /${event.tenant}/mcp to ${event.url}, ${secondText(event.created_at)}, ${countAttempts(event.attempts)}${next(event.next_attempt_at)}`,
    ...(event.reason === null ? [] : [`  ${event.reason}`]),
  ]);
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  if (lines.length === 0 && isNarrowed) lines.push('No event is as asked for. Of all events:');
  const oldest =
    backlog.oldestPendingAt === undefined ? '' : `, the oldest since ${secondText(isoTime(backlog.oldestPendingAt))}`;
  return [...lines, `${backlog.pending} waiting${oldest}; ${backlog.dead} given up.`].map(plain).join('\n');
}

/** Has an event sent again or a test event sent, now or at the next start; returns their keys as text. Throws with the reason when it cannot be done. */
export async function actOnWebhooks(settings: Settings, env: Environment, action: WebhookAction): Promise<string> {
  const done = await asOperator(settings, env, { path: '/webhooks', body: action }, ({ app }) =>
    operateWebhooks(app, action),
  );
  if ('recovered' in done) return describeRecovered(done);
  return done.sent.map((key) => `${key} waits to be sent; \`webhooks list\` shows what becomes of it.`).join('\n');
}

function describeRecovered({
  recovered,
  overtaken,
}: {
  readonly recovered: number;
  readonly overtaken: number;
}): string {
  if (recovered + overtaken === 0) return 'No event was given up since then.';
  const leftOut = overtaken === 0 ? '' : `; ${overtaken} left out, as later ones tell more`;
  return `${recovered} of the events that were given up wait to be sent again${leftOut}.`;
}

/** Returns the filters as the operator API takes them. */
export function filterOf({ tenant, principal, endpoint, mediaBuy }: WebhookFlags) {
  return { tenant, principal, endpoint, media_buy_id: mediaBuy };
}

function countAttempts(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}

function next(at: string | null): string {
  return at === null ? '' : `, next ${secondText(at)}`;
}
