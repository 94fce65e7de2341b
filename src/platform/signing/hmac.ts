import { createHmac, timingSafeEqual } from 'node:crypto';
import { InputError } from '../kernel/errors.js';
import { readStrictJson } from '../kernel/json/strict-json.js';
import { sha256 } from './digest.js';
import { headerReader, type ReceivedRequest } from './verify/received.js';

/** The inputs of a signature of the deprecated HMAC-SHA256 scheme. */
export type HmacOptions = {
  readonly secret: string;
  /** Unix seconds; anew for every attempt. */
  readonly timestampSeconds: number;
  /** Beginnings of the header names, as `ProtocolNames.hmacHeaders` lists them. */
  readonly headers: readonly string[];
};

/** The fewest bytes of a shared secret. */
const MIN_SECRET_BYTES = 32;

/** The most seconds that a timestamp may differ from now. */
const MAX_HMAC_SKEW_SECONDS = 300;

/**
 * Refuses a secret that protects nothing: shorter than 32 bytes, or one character over and over.
 * Throws INVALID_REQUEST with `field`; the text never holds the secret.
 */
export function checkSecret(secret: string, field: string): void {
  const bytes = Buffer.from(secret);
  const isShort = bytes.length < MIN_SECRET_BYTES;
  if (!isShort && bytes.some((byte) => byte !== bytes[0])) return;
  const fault = isShort ? `is shorter than ${MIN_SECRET_BYTES} bytes` : 'is one character over and over';
  throw new InputError('INVALID_REQUEST', `The shared secret ${fault}.`, {
    field,
    suggestion: `Send ${MIN_SECRET_BYTES} or more random characters, or leave authentication out: deliveries are then signed with a key.`,
  });
}

/** Returns the headers that go with a body: signature and timestamp under every name. Throws RangeError for a secret that is too short. */
export function signHmac(body: Uint8Array, options: HmacOptions): Readonly<Record<string, string>> {
  const { secret, timestampSeconds, headers } = options;
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES) throw new RangeError('the secret is too short to sign with');
  if (!Number.isInteger(timestampSeconds)) throw new TypeError('a signature is dated in whole seconds');
  const timestamp = String(timestampSeconds);
  const signature = `sha256=${computeHmac(secret, timestamp, body).toString('hex')}`;
  return Object.fromEntries(
    headers.flatMap((name) => [
      [`${name}-Signature`, signature],
      [`${name}-Timestamp`, timestamp],
    ]),
  );
}

/** The reasons to refuse a webhook of the HMAC scheme. */
export type HmacRefusal =
  | 'headers_missing'
  | 'headers_malformed'
  | 'timestamp_invalid'
  | 'signature_invalid'
  | 'body_malformed';

/** The result of verifying a webhook of the HMAC scheme. */
export type HmacVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: HmacRefusal };

/** The secrets and header names that a receiver verifies with. */
type HmacVerifierOptions = {
  /** One, or two while a secret is being replaced (five minutes at most). */
  readonly secrets: readonly string[];
  readonly headers: readonly string[];
  readonly nowSeconds: number;
};

/**
 * Verifies a webhook of the HMAC scheme: both headers, a timestamp in time, the signature in constant time, then a body no object of
 * which repeats a name; whether it is JSON at all is for its reader to find. Under several header names all values have to agree.
 */
export function verifyHmac(
  request: Pick<ReceivedRequest, 'headers' | 'body'>,
  { secrets, headers, nowSeconds }: HmacVerifierOptions,
): HmacVerdict {
  const refuse = (reason: HmacRefusal): HmacVerdict => ({ ok: false, reason });
  const header = headerReader(request.headers);
  const values = (end: string): readonly string[] => [
    ...new Set(headers.flatMap((name) => header(`${name}-${end}`.toLowerCase()) ?? [])),
  ];
  const [signature, otherSignature] = values('Signature');
  const [timestamp, otherTimestamp] = values('Timestamp');
  if (signature === undefined || timestamp === undefined) return refuse('headers_missing');
  if (otherSignature !== undefined || otherTimestamp !== undefined) return refuse('headers_malformed');
  if (!/^\d{1,15}$/.test(timestamp)) return refuse('timestamp_invalid');
  if (Math.abs(nowSeconds - Number(timestamp)) > MAX_HMAC_SKEW_SECONDS) return refuse('timestamp_invalid');
  const given = /^sha256=([0-9a-f]{64})$/.exec(signature)?.[1];
  if (given === undefined) return refuse('headers_malformed');
  const bytes = Buffer.from(given, 'hex');
  const fits = secrets.map((secret) => timingSafeEqual(computeHmac(secret, timestamp, request.body), bytes));
  if (!fits.includes(true)) return refuse('signature_invalid');
  const read = readStrictJson(request.body);
  return read.ok || read.reason === 'not_json' ? { ok: true } : refuse('body_malformed');
}

/** Whether an Authorization header carries the token, compared in constant time. */
export function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return token !== '' && timingSafeEqual(sha256(Buffer.from(given ?? '')), sha256(Buffer.from(token)));
}

function computeHmac(secret: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}
