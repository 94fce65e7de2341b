import type { ServerResponse } from 'node:http';
import { type SignatureCode, signatureChallenge } from '../platform/signing/verify/codes.js';
import type { ChannelMode } from '../protocol/channels.js';
import { ERROR_CODES, type ErrorCode } from '../protocol/errors.js';

type RefusalRow = {
  readonly code: ErrorCode;
  /** Where it differs from the status of the code. */
  readonly status?: number;
  readonly message: string;
  readonly field?: string;
  readonly suggestion: string;
  /** Seconds after which the sender should come again. */
  readonly retryAfter?: number;
  /** Nothing more is read from this connection. */
  readonly closes?: true;
};

/** Every refusal of a receiver except that of a bad signature, with its answer. */
export const REFUSALS = {
  unknown_address: {
    code: 'REFERENCE_NOT_FOUND',
    message: 'No webhook is registered at this address.',
    suggestion: 'Post to the URL of the registration, exactly as it was registered.',
  },
  wrong_method: {
    code: 'INVALID_REQUEST',
    status: 405,
    message: 'This address takes POST requests only.',
    suggestion: 'Send the event with POST.',
  },
  too_large: {
    code: 'INVALID_REQUEST',
    status: 413,
    message: 'The body is larger than this receiver accepts.',
    suggestion: 'Keep bodies below 1 MB; split reports over several events.',
  },
  too_many_values: {
    code: 'INVALID_REQUEST',
    status: 413,
    message:
      'The body holds more than 50000 values, is nested deeper than 64 levels, or has an object of more than 2000 members.',
    suggestion: 'Split reports over several events.',
  },
  wrong_type: {
    code: 'INVALID_REQUEST',
    status: 415,
    message: 'The body is not declared as JSON.',
    field: 'content-type',
    suggestion: 'Send Content-Type: application/json.',
  },
  too_slow: {
    code: 'INVALID_REQUEST',
    status: 408,
    message: 'The body did not arrive in time.',
    suggestion: 'Send the whole body at once.',
    closes: true,
  },
  no_room: {
    code: 'RATE_LIMITED',
    message: 'Too many bodies are being read at the moment.',
    suggestion: 'Send fewer events at the same time.',
    retryAfter: 5,
  },
  keys_unavailable: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The keys of the sender cannot be fetched at the moment.',
    suggestion: 'Serve brand.json and the JWKS as they are published, and send the event again.',
    retryAfter: 30,
  },
  not_an_object: {
    code: 'INVALID_REQUEST',
    message: 'The body is not a JSON object, or an object in it repeats a name.',
    suggestion: 'Send the full envelope, not the result alone.',
  },
  bare_result: {
    code: 'INVALID_REQUEST',
    message: 'The body is no envelope of a webhook.',
    suggestion: 'Send the full envelope, with task_id, task_type, status and timestamp, not the result alone.',
  },
  incomplete_envelope: {
    code: 'INVALID_REQUEST',
    message: 'The envelope lacks a member, or the member is no text.',
    suggestion: 'Send every member that the envelope of this event requires.',
  },
  wrong_envelope: {
    code: 'INVALID_REQUEST',
    message: 'This address was registered for task events in another envelope.',
    field: 'status',
    suggestion:
      'Send the MCP envelope where push_notification_config registered the address, and the A2A one where A2A did.',
  },
  bad_key: {
    code: 'INVALID_REQUEST',
    message: 'The event has no idempotency_key of 16 to 255 characters from A-Z a-z 0-9 _ . : and -.',
    field: 'idempotency_key',
    suggestion: 'Give every event a UUID v4 of its own, and use the same one in every retry.',
  },
  bad_notification_id: {
    code: 'INVALID_REQUEST',
    message: 'notification_id is not a string of 1 to 255 characters from A-Z a-z 0-9 _ . : and -.',
    field: 'notification_id',
    suggestion: 'Send the stable id of the state, or leave it out.',
  },
  wrong_token: {
    code: 'PERMISSION_DENIED',
    message: 'The event does not echo the token of the registration.',
    field: 'token',
    suggestion: 'Send `token` exactly as it was registered.',
  },
  full: {
    code: 'RATE_LIMITED',
    message: 'This receiver has no room for more events at the moment.',
    suggestion: 'Send the event again later, with the same idempotency_key.',
    retryAfter: 60,
  },
  trouble: {
    code: 'SERVICE_UNAVAILABLE',
    message: 'The event could not be stored.',
    suggestion: 'Send the event again, with the same idempotency_key.',
    retryAfter: 30,
  },
} as const satisfies Record<string, RefusalRow>;

/** The name of a refusal. */
export type Refusal = keyof typeof REFUSALS;

type ReceiptEvent = {
  readonly sender: string;
  readonly mode: ChannelMode;
  readonly keyid: string | null;
  readonly idempotencyKey: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** The outcome of a request. `gone`: its sender hung up before the request was complete. */
export type Receipt =
  | ({ readonly kind: 'accepted' } & ReceiptEvent)
  | ({ readonly kind: 'duplicate' } & ReceiptEvent)
  /** The endpoint proved that it is wanted; nothing is stored. */
  | (Omit<ReceiptEvent, 'idempotencyKey'> & { readonly kind: 'challenge'; readonly challenge: string })
  /** `field` is where the refusal's own says none. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly field?: string | undefined }
  | { readonly kind: 'unproven'; readonly code: SignatureCode }
  | { readonly kind: 'gone' };

/** Returns the HTTP status that a receipt is answered with; undefined where the sender hung up. */
export function receiptStatus(receipt: Receipt): number | undefined {
  if (receipt.kind === 'gone') return undefined;
  if (receipt.kind === 'unproven') return 401;
  return receipt.kind === 'refused' ? refusalStatus(REFUSALS[receipt.refusal]) : 200;
}

type Answer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string };

/** Answers a request of node:http. The answer to a refused signature is its code alone, without a word about the event. */
export function sendReceipt(receipt: Receipt, response: ServerResponse): void {
  const answer = answerOf(receipt);
  if (answer === undefined) response.destroy();
  else response.writeHead(answer.status, answer.headers).end(answer.text);
}

/** Returns the response of a receipt. A sender that hung up reads none: its response is a bare 408. */
export function receiptResponse(receipt: Receipt): Response {
  const { status, headers, text } = answerOf(receipt) ?? { status: 408, headers: {}, text: '' };
  return new Response(text === '' ? null : text, { status, headers });
}

function answerOf(receipt: Receipt): Answer | undefined {
  if (receipt.kind === 'gone') return undefined;
  if (receipt.kind === 'unproven') {
    return {
      status: 401,
      headers: { 'www-authenticate': signatureChallenge(receipt.code), 'content-length': '0' },
      text: '',
    };
  }
  if (receipt.kind === 'challenge') return jsonAnswer(200, { challenge: receipt.challenge });
  if (receipt.kind !== 'refused') return jsonAnswer(200, { status: receipt.kind });
  const row: RefusalRow = REFUSALS[receipt.refusal];
  const { code, message, suggestion, retryAfter } = row;
  const error = { code, message, field: row.field ?? receipt.field, suggestion, retry_after: retryAfter };
  return jsonAnswer(refusalStatus(row), { error }, refusalHeaders(receipt.refusal));
}

function refusalHeaders(refusal: Refusal): Record<string, string> {
  const { retryAfter, closes }: RefusalRow = REFUSALS[refusal];
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (closes !== undefined) headers.connection = 'close';
  if (refusal === 'wrong_method') headers.allow = 'POST';
  return headers;
}

function refusalStatus({ code, status }: RefusalRow): number {
  return status ?? ERROR_CODES[code].status;
}

function jsonAnswer(status: number, body: object, headers: Record<string, string> = {}): Answer {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  return { status, headers: { 'content-type': 'application/json', 'content-length': length, ...headers }, text };
}
