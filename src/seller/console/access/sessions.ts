import { timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import type { App } from '../../context.js';
import type { ConsoleSession, Role, SessionOrigin } from '../../domain/console/access.js';

/** A session ends when it was not used for so long, and in any case after so long. */
const IDLE_MS = 12 * HOUR_MS;
const LIFE_MS = 7 * DAY_MS;
/** How often it is noted that a session is used. */
const TOUCH_MS = 5 * MINUTE_MS;
/** Sessions of one person at a time. */
const MAX_SESSIONS = 20;

/** The person who looks at a page or acts, by a session. */
export type Visitor = {
  readonly actor: string;
  readonly role: Role;
  /** What forms have to bring: nobody else's page knows it. */
  readonly csrf: string;
  readonly digest: string;
};

/** The person who signed in, and how. */
export type SignedIn = { readonly actor: string; readonly origin: SessionOrigin; readonly role: Role };

/** Begins a session under a fresh secret, which is returned for the cookie; the one that the browser had before is over. */
export async function beginSession(app: App, who: SignedIn, before: string | undefined): Promise<string> {
  const secret = app.ids.secret();
  const now = app.clock.now();
  const session = { ...who, digest: sha256Hex(secret), created_at: now, seen_at: now, expires_at: now + IDLE_MS };
  await app.store.transact(async (tx) => {
    if (before !== undefined) await tx.consoleSessions.end(sha256Hex(before));
    await tx.consoleSessions.add(session, MAX_SESSIONS);
  });
  return secret;
}

/** Ends the session of a secret. */
export async function endSession(app: App, secret: string): Promise<void> {
  await app.store.transact((tx) => tx.consoleSessions.end(sha256Hex(secret)));
}

/** Returns who has the secret of a cookie; undefined where the session is over, or its person was removed. */
export async function findVisitor(app: App, secret: string | undefined): Promise<Visitor | undefined> {
  if (secret === undefined) return undefined;
  const session = await app.store.read.consoleSessions.find(sha256Hex(secret));
  const now = app.clock.now();
  if (session === undefined || now >= session.expires_at) return undefined;
  const role = await roleBy(app, session);
  if (role === undefined) return undefined;
  if (now - session.seen_at >= TOUCH_MS) {
    const endMs = Math.min(now + IDLE_MS, session.created_at + LIFE_MS);
    await app.store.transact((tx) => tx.consoleSessions.touch(session.digest, now, endMs));
  }
  return { actor: session.actor, role, csrf: csrfOf(secret), digest: session.digest };
}

/** Whether a form brought what the page of its visitor had. */
export function isOwnForm({ csrf }: Visitor, given: unknown): boolean {
  const actual = Buffer.from(typeof given === 'string' ? given : '');
  const expected = Buffer.from(csrf);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Returns the role of a session; with a password, the one that the person has by now. */
async function roleBy(app: App, { actor, origin, role }: ConsoleSession): Promise<Role | undefined> {
  return origin === 'password' ? (await app.store.read.consoleUsers.find(actor))?.role : role;
}

function csrfOf(secret: string): string {
  return sha256Hex(`form of ${secret}`);
}
