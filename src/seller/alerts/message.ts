import { sha256Hex } from '../../platform/kernel/canonical.js';
import { withoutBidiControls } from '../../platform/web/html.js';
import type { Alert, AlertCondition, AlertKind } from '../domain/alert/alert.js';

/** Things that the text names; the members have all of them. */
const MAX_LINES = 20;
const MAX_LINE_CHARS = 400;

/** How each kind is counted in the first line: one, and several. */
const NOUNS: Readonly<Record<AlertKind, readonly [one: string, several: string]>> = {
  approval_waiting: ['decision to take', 'decisions to take'],
  order_waiting: ['order that waits too long for a person', 'orders that wait too long for a person'],
  order_refused: ['order refused by the ad server', 'orders refused by the ad server'],
  order_drifted: ['order changed in the ad server by hand', 'orders changed in the ad server by hand'],
  delivery_failing: ['order whose delivery cannot be read', 'orders whose delivery cannot be read'],
  endpoint_failing: ['failing endpoint', 'failing endpoints'],
  edit_rejected: ['rejected edit of the tenant files', 'rejected edits of the tenant files'],
};

/** Something that people are told of, and the id under which they are. */
export type DueAlert = { readonly alert: Alert; readonly condition: AlertCondition };

/** A message about one or more things: `body` for programs and chat tools, the rest for people. */
export type AlertMessage = {
  /** The key of the message, equal when it is sent again as it was. */
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** Returns what is sent about things that stand at a seller. The same things under the same ids make the same key. */
export function writeAlertMessage(
  seller: { readonly name: string; readonly path: string },
  due: readonly DueAlert[],
  nowIso: string,
): AlertMessage {
  const key = sha256Hex(due.map(({ alert }) => alert.event_id).join('\n')).slice(0, 32);
  const title = `${plainWords(seller.name)}: ${countKinds(due)}`;
  const lines = due.slice(0, MAX_LINES).map(({ condition: { link, says } }) => {
    const words = `- ${plainWords(says)}`;
    return link === undefined ? words : `${words}\n  ${link}`;
  });
  const rest = due.length - lines.length;
  const text = [title, ...lines, ...(rest > 0 ? [`and ${rest} more: open the console`] : [])].join('\n');
  const alerts = due.map(({ alert, condition }) => ({
    event_id: alert.event_id,
    kind: condition.kind,
    subject: condition.subject,
    text: condition.says,
    link: condition.link,
    is_repeated: alert.told_at !== null,
  }));
  const body = { text, idempotency_key: key, type: 'seller.alert', tenant: seller.path, sent_at: nowIso, alerts };
  return { key, title, text, body };
}

function countKinds(due: readonly DueAlert[]): string {
  const counts = new Map<AlertKind, number>();
  for (const { condition } of due) counts.set(condition.kind, (counts.get(condition.kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${NOUNS[kind][count === 1 ? 0 : 1]}`).join(', ');
}

/** Returns a text in which nothing is a link, a mention or a format to a chat tool: buyers choose some of the words. */
function plainWords(text: string): string {
  return withoutBidiControls(text)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('@', '＠')
    .replaceAll(/[[\]`*]/g, ' ')
    .slice(0, MAX_LINE_CHARS);
}
