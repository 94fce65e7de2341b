import { type Request, type Response, Router } from 'express';
import { MINUTE_MS } from '../../../platform/kernel/clock.js';
import { html } from '../../../platform/web/html.js';
import type { RateCounters } from '../../../platform/web/rate-counters.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { barePage } from '../page/shell.js';
import type { ConsoleParts } from '../visit.js';
import { isSecure, readState, writeState } from './cookies.js';
import { type OidcSignIn, SignInRefused } from './oidc.js';
import { enterConsole, nextOf, OIDC_START, SIGN_IN } from './sign-in.js';

const CALLBACK = `${CONSOLE_PATH}/oidc/callback`;

/** How often sign-ins at the provider may be begun, by everybody. */
const STARTS_OF_ALL = { points: 60, windowMs: MINUTE_MS };

/** Returns the routes by which people sign in at the identity provider. */
export function oidcRoutes(parts: ConsoleParts, oidc: OidcSignIn, counters: RateCounters): Router {
  const router = Router();
  router.get(OIDC_START, async (request, response) => {
    const excess = await counters.take('sign-in at a provider', 'all', STARTS_OF_ALL);
    if (excess !== undefined)
      return sendRefusal(
        response.set('retry-after', `${excess.retryAfter}`),
        429,
        'Too many sign-ins in a short time.',
      );
    await answerSafely(parts, response, async () => {
      const { state, url } = await oidc.start(callbackOf(request), nextOf(request.originalUrl));
      writeState(response, state);
      response.redirect(303, url);
    });
  });
  router.get(CALLBACK, async (request, response) => {
    const state = readState(request);
    writeState(response, undefined);
    const at = request.originalUrl.indexOf('?');
    await answerSafely(parts, response, async () => {
      const query = new URLSearchParams(at < 0 ? '' : request.originalUrl.slice(at));
      const { next, who } = await oidc.finish(query, state);
      await enterConsole(parts, who, { request, response, to: next });
    });
  });
  return router;
}

/** Returns the address that the provider sends people back to; whoever asks names a host of the loopback, or is not let in. */
function callbackOf(request: Request): string {
  return `${isSecure(request) ? 'https' : 'http'}://${request.headers.host}${CALLBACK}`;
}

async function answerSafely({ app }: ConsoleParts, response: Response, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    app.log.warn({ reason: error.message }, 'a sign-in to the console failed');
    sendRefusal(response, 403, error.message);
  }
}

function sendRefusal(response: Response, status: number, says: string): void {
  const body = html`<p class="notice problem" role="alert">${says}</p><p><a class="button" href="${SIGN_IN}">Sign in again</a></p>`;
  response.status(status).send(barePage('You are not signed in', body));
}
