import { isObject } from '../../platform/kernel/json/json.js';

/** Members that hold secrets, or say who a person is. */
const SECRET =
  /(^|_)(auth(entication|orization)?|credentials?|tokens?|secrets?|passwords?|passphrase|signature|private_key|api_key|(hashed_)?(emails?|phones?)|phone_number|uids?|user_id|client_ip|ip_address|user_agent|click_id|bank|iban|account_number|tax_id|vat_id)$/i;

const REDACTED = '[redacted]';
const MAX_TEXT_CHARS = 1000;
const MAX_DEPTH = 12;
const MAX_ITEMS = 50;

/**
 * Returns a copy of a JSON value that a person of the seller may read: secrets and what names persons are gone, addresses lose their user
 * and the values of their queries, and what is long or deep is cut.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (depth > MAX_DEPTH) return '[cut]';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `[${value.length - MAX_ITEMS} more]`] : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([name, member]) => [name.slice(0, 200), SECRET.test(name) ? REDACTED : redact(member, depth + 1)]),
  );
}

function redactText(text: string): string {
  const cut = text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text;
  return cut
    .replaceAll(/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/@]{1,200}@/gi, `$1${REDACTED}@`)
    .replaceAll(/\b(https?:\/\/[^\s?#]{1,500})\?[^\s#]+/gi, `$1?${REDACTED}`);
}
