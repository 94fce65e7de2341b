import { readDomain } from '../adagents/properties.js';
import type { Pattern, Reading } from '../documents/reading.js';

/** An address of mail. */
export const EMAIL: Pattern = { shape: /^[^@\s]+@[^@\s]+$/, says: 'an address such as ads@news.example' };

/** Reads who manages a file, as written; undefined, and reported, when something is wrong with it. */
export function readContact(contact: Reading): Readonly<Record<string, unknown>> | undefined {
  contact.text('name', { required: true, max: 255 });
  contact.text('email', { max: 255, pattern: EMAIL });
  readDomain(contact, 'domain');
  contact.text('seller_id', { max: 255 });
  contact.text('tag_id', { max: 100 });
  contact.text('privacy_policy_url', { pattern: { shape: /^https?:\/\//, says: 'a URL' } });
  return contact.isUsable() ? contact.object : undefined;
}
