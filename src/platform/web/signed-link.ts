import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../kernel/json/json.js';

/** The subject of a token, and whether its time is over. */
type LinkReading = { readonly subject: string; readonly isExpired: boolean };

/** Tokens for addresses that let whoever has one do one thing until it expires; nobody can make one without the secret. */
export type SignedLinks = {
  /** A token for the subject, safe in a path. `expiresMs`: ms since the epoch. */
  readonly write: (subject: string, expiresMs: number) => string;
  /** Undefined for what this secret never signed. */
  readonly read: (token: string, nowMs: number) => LinkReading | undefined;
};

const TOKEN = /^([\w-]{1,1000})\.([\w-]{43})$/;

/** Returns the links of one `purpose`: a token of another purpose does not hold. The secret is asked for when a link is first written or read. */
export function createSignedLinks(purpose: string, secret: () => string): SignedLinks {
  let key: string | undefined;
  const sign = (content: string): string => {
    key ??= secret();
    return createHmac('sha256', key).update(`${purpose}\n${content}`).digest('base64url');
  };
  return {
    write: (subject, expiresMs) => {
      const content = Buffer.from(JSON.stringify({ subject, expiresMs })).toString('base64url');
      return `${content}.${sign(content)}`;
    },
    read: (token, nowMs) => {
      const [, content = '', signature = ''] = TOKEN.exec(token) ?? [];
      const expected = Buffer.from(sign(content));
      const actual = Buffer.from(signature);
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
      const claim: unknown = JSON.parse(Buffer.from(content, 'base64url').toString('utf8'));
      if (!isObject(claim) || typeof claim.subject !== 'string') return undefined;
      return { subject: claim.subject, isExpired: nowMs >= Number(claim.expiresMs) };
    },
  };
}
