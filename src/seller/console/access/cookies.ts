import type { Request, Response } from 'express';
import { isObject } from '../../../platform/kernel/json/json.js';
import { CONSOLE_PATH } from '../page/assets.js';
import type { Notice } from '../page/shell.js';

const SESSION = 'seller_agent_console';
const NOTICE = 'seller_agent_notice';
const STATE = 'seller_agent_sign_in';
const MAX_NOTICE_CHARS = 1000;

/** Sent to the console alone, and shown to no script. */
const OPTIONS = { path: CONSOLE_PATH, httpOnly: true, sameSite: 'lax' } as const;

/** Returns the secret of the session that a browser has. */
export function readSecret(request: Request): string | undefined {
  return readCookie(request, SESSION);
}

/** Gives the browser the secret of its session; undefined takes it away. */
export function writeSecret(response: Response, secret: string | undefined): void {
  const secure = isSecure(response.req);
  if (secret === undefined) response.clearCookie(SESSION, { ...OPTIONS, secure });
  else response.cookie(SESSION, secret, { ...OPTIONS, secure });
}

/** Returns what the browser was given when it went to the identity provider. */
export function readState(request: Request): string | undefined {
  return readCookie(request, STATE);
}

/** Gives the browser what it has to show when it comes back from the identity provider; undefined takes it away. */
export function writeState(response: Response, state: string | undefined): void {
  const secure = isSecure(response.req);
  if (state === undefined) response.clearCookie(STATE, { ...OPTIONS, secure });
  else response.cookie(STATE, state, { ...OPTIONS, secure });
}

/** Has the next page say how an act ended. */
export function writeNotice(response: Response, notice: Notice): void {
  const value = JSON.stringify({ ...notice, text: notice.text.slice(0, MAX_NOTICE_CHARS) });
  response.cookie(NOTICE, Buffer.from(value).toString('base64url'), { ...OPTIONS, secure: isSecure(response.req) });
}

/** Returns what this page is to say of the last act, and forgets it. */
export function readNotice(response: Response): Notice | undefined {
  const given = readCookie(response.req, NOTICE);
  if (given === undefined) return undefined;
  response.clearCookie(NOTICE, { ...OPTIONS, secure: isSecure(response.req) });
  try {
    const value: unknown = JSON.parse(Buffer.from(given, 'base64url').toString('utf8'));
    if (!isObject(value) || typeof value.text !== 'string') return undefined;
    return { kind: value.kind === 'good' ? 'good' : 'problem', text: value.text.slice(0, MAX_NOTICE_CHARS) };
  } catch {
    return undefined;
  }
}

/** Whether a request came by TLS: a proxy on this machine that speaks it says so, as the console listens on the loopback alone. */
export function isSecure(request: Request): boolean {
  return request.headers['x-forwarded-proto'] === 'https';
}

function readCookie(request: Request, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined && /^[\w.~-]{1,4000}$/.test(value)) return value;
  }
  return undefined;
}
