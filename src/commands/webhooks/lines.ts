import { isoTime } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import type { ChannelMode } from '../../protocol/channels.js';
import { openEnvelope, resultOf } from '../../protocol/webhook-envelope.js';
import { REFUSALS, type Receipt, receiptStatus } from '../../receiver/answers.js';
import type { ReceiverEndpoint } from '../../receiver/endpoints.js';
import type { ReceivedEvent } from '../../receiver/handling.js';

/** One line of `webhooks listen`: its members are for machines, its `text` is for a person. */
export type ListenLine = { readonly event: string; readonly text: string } & Readonly<Record<string, unknown>>;

/** Returns a line as it is written at an instant (ms): the text, or one JSON object. */
export function writeLine({ text, ...members }: ListenLine, nowMs: number, isJson: boolean): string {
  const at = isoTime(nowMs);
  return isJson ? JSON.stringify({ at, ...members }) : text.replace(TIME, at.slice(11, 19));
}

/** Stands in a text for the time of day, UTC. */
const TIME = /^@/;

/** The scheme of each mode, and how the greeting calls it. */
const PROOFS = {
  rfc9421: ['', 'RFC 9421 signatures, keys of'],
  'hmac-sha256': ['HMAC-SHA256', 'HMAC-SHA256 with the'],
  bearer: ['Bearer', 'Bearer token, the'],
} as const satisfies Record<ChannelMode, readonly [string, string]>;

/** Returns the greeting: what to register, where that has to lead, and whose keys are believed. */
export function writeGreeting(endpoint: ReceiverEndpoint, bound: string, data: string): ListenLine {
  const { url, mode } = endpoint;
  const isSigned = endpoint.mode === 'rfc9421';
  const believes = isSigned ? endpoint.agents.map((agent) => agent.url) : [endpoint.sender];
  const [scheme, proof] = PROOFS[mode];
  const authentication = isSigned ? undefined : { schemes: [scheme], credentials: '<the secret>' };
  const config = { url, operation_id: '<a UUID per call>', authentication };
  const text = [
    `Register this URL: ${url}`,
    '',
    `  "push_notification_config": ${JSON.stringify(config)}`,
    '',
    `  proof   ${proof} ${believes.join(', ')}`,
    `  bound   ${bound}`,
    `  data    ${data}`,
    '',
    'One line per event. Ctrl-C ends; what was acknowledged is kept.',
  ];
  return { event: 'listening', url, mode, believes, bound, data, text: text.join('\n') };
}

/** Returns the line of an accepted event. */
export function writeReceived(event: ReceivedEvent): ListenLine {
  const { sender, keyid, mode, idempotencyKey, notificationId, reemissionOf, payload, receivedAt } = event;
  const facts = factsOf(payload);
  const marks = [notificationId === null ? '' : `notification=${notificationId}`];
  if (reemissionOf !== null) marks.push(`first told under ${reemissionOf}`);
  return {
    event: 'received',
    received_at: isoTime(receivedAt),
    verified: { sender, mode, keyid },
    idempotency_key: idempotencyKey,
    notification_id: notificationId,
    reemission_of: reemissionOf,
    ...facts,
    payload,
    text: line(reemissionOf === null ? 'received' : 're-emission', [
      ...factTexts(facts),
      `key=${idempotencyKey}`,
      ...marks,
      `verified by ${keyid ?? mode} of ${sender}`,
    ]),
  };
}

/** Returns the line of a request that brought nothing new; undefined for an accepted one, which `received` shows. */
export function describeOther(receipt: Receipt): ListenLine | undefined {
  if (receipt.kind === 'accepted') return undefined;
  const http_status = receiptStatus(receipt) ?? null;
  if (receipt.kind === 'gone') return { event: 'gone', http_status, text: line('gone', ['the sender hung up']) };
  if (receipt.kind === 'duplicate') {
    const { sender, keyid, mode, idempotencyKey: key, payload } = receipt;
    const facts = factsOf(payload);
    const verified = { sender, mode, keyid };
    const text = line('duplicate', [...factTexts(facts), `key=${key}`, `verified by ${keyid ?? mode} of ${sender}`]);
    return { event: 'duplicate', http_status, verified, idempotency_key: key, ...facts, text };
  }
  if (receipt.kind === 'challenge') {
    const { sender, keyid, mode, payload } = receipt;
    const subscriber = textOf(payload.subscriber_id) ?? '';
    const verified = { sender, mode, keyid };
    const text = line('challenge', [`subscriber=${subscriber}`, `verified by ${keyid ?? mode} of ${sender}`]);
    return { event: 'challenge', http_status, verified, payload, text };
  }
  if (receipt.kind === 'refused') {
    const { code, message, field } = refusalOf(receipt);
    const text = line('refused', [String(http_status), code, message, field === undefined ? '' : `field=${field}`]);
    return { event: 'refused', http_status, code, field, text };
  }
  const { code } = receipt;
  return { event: 'refused', http_status, code, text: line('refused', [String(http_status), code]) };
}

type RefusalTexts = { readonly code: string; readonly message: string; readonly field?: string | undefined };

function refusalOf(receipt: Extract<Receipt, { readonly kind: 'refused' }>): RefusalTexts {
  const row: RefusalTexts = REFUSALS[receipt.refusal];
  return { ...row, field: row.field ?? receipt.field };
}

/** Returns an answer 503 that was asked for with `--fail`. */
export function failedOnPurpose(left: number): ListenLine {
  return { event: 'failed', http_status: 503, left, text: line('failed', ['503', 'on purpose', `${left} to go`]) };
}

/** The members of a payload that tell events apart for a person. */
type Facts = Readonly<
  Record<'status' | 'task_type' | 'notification_type' | 'media_buy_id' | 'subject' | 'operation_id', string | null>
>;

/** Members that name what an event is about, where it is no media buy. */
const SUBJECTS = ['creative_id', 'list_id', 'rights_id'] as const;

function factsOf(received: Readonly<Record<string, unknown>>): Facts {
  const payload = openEnvelope(received);
  const result = objectOf(resultOf(payload));
  const metadata = objectOf(payload.metadata);
  const [delivery] = Array.isArray(result.media_buy_deliveries) ? result.media_buy_deliveries : [];
  return {
    status: textOf(payload.status) ?? textOf(objectOf(payload.status).state),
    task_type: textOf(payload.task_type) ?? textOf(metadata.task_type),
    notification_type: textOf(result.notification_type) ?? textOf(payload.notification_type) ?? textOf(payload.event),
    media_buy_id:
      textOf(result.media_buy_id) ?? textOf(payload.media_buy_id) ?? textOf(objectOf(delivery).media_buy_id),
    subject: SUBJECTS.map((name) => textOf(payload[name])).find((id) => id !== null) ?? null,
    operation_id: textOf(payload.operation_id) ?? textOf(metadata.operation_id),
  };
}

function factTexts(facts: Facts): readonly string[] {
  const { status, task_type, notification_type, media_buy_id, subject, operation_id } = facts;
  const kind = [task_type, notification_type].filter((name) => name !== null).join('/');
  return [
    status ?? '',
    kind,
    media_buy_id ?? '',
    subject ?? '',
    operation_id === null ? '' : `operation=${operation_id}`,
  ];
}

const WORD_WIDTH = 'duplicate'.length;
const MAX_PART_CHARACTERS = 120;

/** Senders chose parts of it: nothing that steers a terminal gets through, and nothing that never ends. */
function line(word: string, parts: readonly string[]): string {
  const clean = parts
    .map((part) => part.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_PART_CHARACTERS))
    .filter((part) => part !== '');
  return ['@', word.padEnd(WORD_WIDTH), ...clean].join('  ');
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
