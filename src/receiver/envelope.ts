import { isObject } from '../platform/kernel/json/json.js';
import { detectFormat, openEnvelope } from '../protocol/webhook-envelope.js';

type Payload = Readonly<Record<string, unknown>>;

/** A kind of body: a task's event in either envelope, an event that is its own envelope, or the proof that an endpoint is wanted. */
export type EnvelopeKind = 'mcp' | 'a2a' | 'list_change' | 'artifacts' | 'revocation' | 'account_event' | 'challenge';

type EnvelopeRow = {
  readonly kind: EnvelopeKind;
  readonly fits: (payload: Payload) => boolean;
  /** Members that are texts in every body of this kind, beside its key. */
  readonly required: readonly string[];
};

const LIST_EVENTS: readonly unknown[] = ['collection_list_changed', 'property_list_changed'];
const hasMember = (name: string) => (payload: Payload) => Object.hasOwn(payload, name);

/** The kinds of bodies with what tells them apart; the first that fits counts. */
const ENVELOPES: readonly EnvelopeRow[] = [
  { kind: 'challenge', fits: ({ type }) => type === 'webhook.challenge', required: ['challenge', 'subscriber_id'] },
  {
    kind: 'mcp',
    fits: (payload) => hasMember('task_type')(payload) || detectFormat(payload) === 'mcp',
    required: ['task_id', 'task_type', 'status', 'timestamp'],
  },
  { kind: 'a2a', fits: (payload) => detectFormat(payload) === 'a2a', required: ['id'] },
  {
    kind: 'account_event',
    fits: hasMember('subscriber_id'),
    required: ['notification_type', 'notification_id', 'fired_at', 'subscriber_id', 'account_id'],
  },
  { kind: 'list_change', fits: ({ event }) => LIST_EVENTS.includes(event), required: ['list_id', 'resolved_at'] },
  {
    kind: 'artifacts',
    fits: ({ artifacts }) => Array.isArray(artifacts),
    required: ['media_buy_id', 'batch_id', 'timestamp'],
  },
  { kind: 'revocation', fits: hasMember('rights_id'), required: ['rights_id', 'brand_id', 'reason', 'effective_at'] },
];

/** A body's kind with the members that its receiver reads, or the required member that it lacks; `lacks` is absent for a body of no kind. */
type JudgedEnvelope =
  | { readonly ok: true; readonly kind: EnvelopeKind; readonly members: Payload }
  | { readonly ok: false; readonly lacks: string | undefined };

/** Judges a body by what its kind requires; a result without its envelope is of no kind. */
export function judgeEnvelope(payload: Payload): JudgedEnvelope {
  const opened = openEnvelope(payload);
  const row = ENVELOPES.find(({ fits }) => fits(opened));
  if (row === undefined) return { ok: false, lacks: undefined };
  const { kind, required } = row;
  const given = kind === 'a2a' ? { ...opened, id: opened.id ?? opened.taskId } : opened;
  const lacks = required.find((name) => !isText((given as Payload)[name]));
  if (lacks !== undefined) return { ok: false, lacks };
  // What A2A's own shapes have no member for is in its metadata.
  return { ok: true, kind, members: kind === 'a2a' && isObject(opened.metadata) ? opened.metadata : opened };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
