import { type Request, type Response, Router } from 'express';
import { MINUTE_MS } from '../../../platform/kernel/clock.js';
import { checkPassword } from '../../../platform/sealing/password.js';
import { html } from '../../../platform/web/html.js';
import type { RateCounters } from '../../../platform/web/rate-counters.js';
import { carryOutAct } from '../../tasks/people/acts.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { barePage } from '../page/shell.js';
import { type ConsoleParts, Fields } from '../visit.js';
import { readSecret, writeSecret } from './cookies.js';
import { beginSession, endSession, findVisitor, isOwnForm, type SignedIn } from './sessions.js';

/** Where people sign in with a password, and where they are sent to the identity provider. */
export const SIGN_IN = `${CONSOLE_PATH}/sign-in`;
export const OIDC_START = `${CONSOLE_PATH}/oidc/start`;

/** Who signs in by the link that the machine's own user was shown. */
const LOCAL: SignedIn = { actor: 'local operator', origin: 'link', role: 'admin' };

/** Passwords that may be tried: for one name, and in all, since each check costs 32 MiB and a thread. */
const TRIES_BY_NAME = { points: 10, windowMs: 15 * MINUTE_MS };
const TRIES_OF_ALL = { points: 60, windowMs: MINUTE_MS };

/** Returns the routes by which people sign in and out. */
export function signInRoutes(parts: ConsoleParts, counters: RateCounters): Router {
  const router = Router();
  router.get(SIGN_IN, async (request, response) => {
    const visitor = await findVisitor(parts.app, readSecret(request));
    if (visitor === undefined)
      response.send(signInPage(parts, nextOf(request.originalUrl), isUndone(request) ? UNDONE : undefined));
    else response.redirect(303, nextOf(request.originalUrl));
  });
  router.post(SIGN_IN, (request, response) => signIn(parts, counters, request, response));
  router.get(`${CONSOLE_PATH}/enter/:secret`, async (request, response) => {
    if (parts.links.take(String(request.params.secret)))
      return enterConsole(parts, LOCAL, { request, response, to: CONSOLE_PATH });
    response.status(410).send(barePage('This link was used, or is too old', USED));
  });
  router.post(`${CONSOLE_PATH}/sign-out`, (request, response) => signOut(parts, request, response));
  return router;
}

/** Returns the address of the sign-in, and of the page after it; whether something was sent that was not done is said there. */
export function signInPath(next: string, isUndone: boolean): string {
  const query = new URLSearchParams({ next });
  if (isUndone) query.set('undone', 'yes');
  return `${SIGN_IN}?${query}`;
}

const UNDONE =
  'Your session has ended, and what you sent was not done. Sign in, and send it again: the browser’s Back may still have what you wrote.';

function isUndone({ originalUrl }: Request): boolean {
  return new URLSearchParams(originalUrl.slice(originalUrl.indexOf('?'))).has('undone');
}

const USED = html`<p>A link holds once. Ask for a fresh one on the machine that runs the server:</p><pre><code>seller-agent console link</code></pre><p>or <a href="${SIGN_IN}">sign in with a name and password</a>.</p>`;

async function signIn(
  parts: ConsoleParts,
  counters: RateCounters,
  request: Request,
  response: Response,
): Promise<void> {
  const form = formOf(request);
  const name = form.text('name')?.slice(0, 100) ?? '';
  const password = form.all('password')[0]?.slice(0, 1000) ?? '';
  const next = nextOf(`?next=${encodeURIComponent(form.text('next') ?? '')}`);
  const excess =
    (await counters.take('sign-in of all', 'all', TRIES_OF_ALL)) ??
    (await counters.take('sign-in', name, TRIES_BY_NAME));
  if (excess !== undefined) {
    response.status(429).set('retry-after', `${excess.retryAfter}`);
    response.send(signInPage(parts, next, `Too many tries. Wait ${Math.ceil(excess.retryAfter / 60)} minutes.`));
    return;
  }
  const user = await parts.app.store.read.consoleUsers.find(name);
  if ((await checkPassword(password, user?.verifier)) && user !== undefined)
    return enterConsole(
      parts,
      { actor: user.name, origin: 'password', role: user.role },
      { request, response, to: next },
    );
  parts.app.log.warn({ name }, 'a sign-in to the console failed');
  response.status(401).send(signInPage(parts, next, 'The name or the password is wrong.'));
}

/** A request of somebody who signs in, and the page that they are taken to. */
type Entrance = { readonly request: Request; readonly response: Response; readonly to: string };

/** Begins a session under a secret that nobody had before, and takes the browser to a page. */
export async function enterConsole(
  { app }: ConsoleParts,
  who: SignedIn,
  { request, response, to }: Entrance,
): Promise<void> {
  const before = readSecret(request);
  const act = { actor: who.actor, action: 'console.sign-in', subject: who.actor, detail: `by ${who.origin}` };
  writeSecret(response, await carryOutAct(app, act, () => beginSession(app, who, before)));
  response.redirect(303, to);
}

async function signOut({ app }: ConsoleParts, request: Request, response: Response): Promise<void> {
  const secret = readSecret(request);
  const visitor = await findVisitor(app, secret);
  if (secret !== undefined && visitor !== undefined && isOwnForm(visitor, formOf(request).text('csrf'))) {
    await endSession(app, secret);
    writeSecret(response, undefined);
  }
  response.redirect(303, SIGN_IN);
}

function formOf(request: Request): Fields {
  return new Fields(new URLSearchParams(typeof request.body === 'string' ? request.body : ''));
}

/** Returns where to go after the sign-in: a page of the console, wherever the address was made. */
export function nextOf(url: string): string {
  const next = new URLSearchParams(url.slice(url.indexOf('?'))).get('next') ?? '';
  return /^\/console(\/[\w.%~-]+)*(\?[\w.%&=~+-]*)?$/.test(next) && !/\/\.|%2e|%2f/i.test(next.split('?')[0] ?? '')
    ? next
    : CONSOLE_PATH;
}

function signInPage({ settings }: ConsoleParts, next: string, problem?: string): string {
  const provider = settings.signInProvider;
  const elsewhere =
    provider !== undefined &&
    html`<p><a class="button primary" href="${OIDC_START}?next=${encodeURIComponent(next)}">Sign in with ${new URL(provider.issuer).hostname}</a></p>`;
  return barePage(
    'Sign in',
    html`${problem !== undefined && html`<p class="notice problem" role="alert">${problem}</p>`}${elsewhere}
<form method="post" action="${SIGN_IN}" class="card sign-in"><input type="hidden" name="next" value="${next}">
<label class="field"><span>Name</span><input type="text" name="name" autocomplete="username" maxlength="100" required autofocus></label>
<label class="field"><span>Password</span><input type="password" name="password" autocomplete="current-password" maxlength="1000" required></label>
<button class="primary">Sign in</button></form>
<p class="hint">On the machine that runs the server, <code>seller-agent console link</code> prints a link that signs you in once.</p>`,
  );
}
