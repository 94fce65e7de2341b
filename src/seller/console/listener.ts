import type { RequestListener } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { isDatabaseBusyOrAway, RETRY_AFTER_SECONDS } from '../../platform/database/unavailable.js';
import { AppError, joinSentences } from '../../platform/kernel/errors.js';
import { refuseEncoded } from '../../platform/web/body.js';
import { clientFault } from '../../platform/web/client-fault.js';
import { html } from '../../platform/web/html.js';
import { writePieces } from '../../platform/web/pieces.js';
import { RateCounters } from '../../platform/web/rate-counters.js';
import { isAtLeast } from '../domain/console/access.js';
import type { SignInProvider } from '../domain/console/provider.js';
import { carryOutAct } from '../tasks/people/acts.js';
import { readNotice, readSecret, writeNotice } from './access/cookies.js';
import { OidcSignIn } from './access/oidc.js';
import { oidcRoutes } from './access/oidc-routes.js';
import { findVisitor, isOwnForm } from './access/sessions.js';
import { signInPath, signInRoutes } from './access/sign-in.js';
import { CONSOLE_PATH } from './page/assets.js';
import { contentPolicy, isFromOurPage, PAGE_HEADERS, sendAsset } from './page/protection.js';
import { barePage, confirmPage, framedPage } from './page/shell.js';
import { countWaiting } from './screens/counts.js';
import { SCREENS } from './screens.js';
import {
  type Asked,
  type ConsoleAct,
  type ConsolePage,
  type ConsoleParts,
  type Download,
  Fields,
  type Screen,
  type View,
  type Visit,
} from './visit.js';

/** The largest form: a tenant file's product with room. */
const FORM_LIMIT = '256kb';

/** Returns the listener of everything below `/console`. */
export function createConsole(parts: ConsoleParts): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((_request, response, next) => {
    response.set(PAGE_HEADERS).set('content-security-policy', contentPolicy(parts.app));
    next();
  });
  app.get(`${CONSOLE_PATH}/assets/:name`, sendAsset);
  app.use(requireOurPage);
  app.use(refuseEncoded);
  app.use(express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT }));
  const counters = new RateCounters();
  const { signInProvider } = parts.settings;
  app.use(signInRoutes(parts, counters));
  if (signInProvider !== undefined) app.use(oidcRoutes(parts, openProvider(parts, signInProvider), counters));
  const guard = new Guard(parts);
  for (const screen of servedScreens(parts)) addScreen(app, guard, screen);
  app.use((request, response) => guard.sendUnknown(request, response));
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) =>
    sendFault(parts, error, response, next),
  );
  return app;
}

/** Refuses what another page had the browser send: forms there know no secret, and need none to sign somebody in. */
function requireOurPage(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'GET' || request.method === 'HEAD' || isFromOurPage(request)) next();
  else
    response
      .status(403)
      .send(
        barePage(
          'This form comes from another page',
          html`<p>Nothing was done. Open the console and try again there.</p>`,
        ),
      );
}

function openProvider({ app }: ConsoleParts, provider: SignInProvider): OidcSignIn {
  return new OidcSignIn(provider, { outbound: () => app.renderer().outbound, clock: app.clock, ids: app.ids });
}

function addScreen(app: Express, guard: Guard, screen: Screen): void {
  for (const view of screen.views)
    app.get(view.path, (request, response) => guard.show(screen, view, request, response));
  for (const act of screen.acts)
    app.post(act.path, (request, response) => guard.carryOut(screen, act, request, response));
}

/** Lets nobody look or act but who is signed in and may. */
class Guard {
  readonly #parts: ConsoleParts;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  async show(screen: Screen, view: View, request: Request, response: Response): Promise<void> {
    const visit = await this.#enter(screen, request, response);
    if (visit === undefined) return;
    const shown = await view.run(visit);
    if (shown === undefined) return this.#sendPage(UNKNOWN, visit, screen, response);
    if ('file' in shown) return sendDownload(response, shown);
    await this.#sendPage(shown, visit, screen, response);
  }

  async carryOut(screen: Screen, act: ConsoleAct, request: Request, response: Response): Promise<void> {
    const visit = await this.#enter(screen, request, response, act);
    if (visit === undefined) return;
    if (!isOwnForm(visit.visitor, visit.form.text('csrf'))) return this.#sendPage(STALE, visit, screen, response);
    if (!isAtLeast(visit.visitor.role, act.role)) return this.#sendPage(FORBIDDEN, visit, screen, response);
    try {
      const question = visit.form.text('confirmed') === 'yes' ? undefined : await act.confirm?.(visit);
      if (question !== undefined)
        return this.#sendPage(confirmPage(visit, question, act.back(visit)), visit, screen, response);
      const { actor } = visit.visitor;
      const action = typeof act.action === 'string' ? act.action : act.action(visit);
      const entry = { actor, action, subject: act.subject(visit), detail: act.detail?.(visit) };
      const done = await carryOutAct(visit.app, entry, () => act.run(visit));
      if ('body' in done) return this.#sendPage(done, visit, screen, response);
      writeNotice(response, { kind: 'good', text: done.says });
      response.redirect(303, done.to);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      const { extras, message } = thrown;
      writeNotice(response, { kind: 'problem', text: joinSentences(message, extras.suggestion) });
      response.redirect(303, act.back(visit));
    }
  }

  async sendUnknown(request: Request, response: Response): Promise<void> {
    const [today] = SCREENS;
    const visit = today && (await this.#enter(today, request, response));
    if (visit !== undefined && today !== undefined)
      await this.#sendPage(UNKNOWN, visit, { ...today, path: '' }, response);
  }

  /** Returns the visit of who may see a screen; undefined once the request is answered with why not. */
  async #enter(screen: Screen, request: Request, response: Response, act?: ConsoleAct): Promise<Visit | undefined> {
    const visitor = await findVisitor(this.#parts.app, readSecret(request));
    const asked = readAsked(request);
    if (visitor === undefined) {
      response.redirect(303, signInPath(act === undefined ? request.originalUrl : act.back(asked), act !== undefined));
      return undefined;
    }
    const visit = { ...this.#parts, ...asked, visitor, nowMs: this.#parts.app.clock.now() };
    if (screen.role === undefined || isAtLeast(visitor.role, screen.role)) return visit;
    await this.#sendPage(FORBIDDEN, visit, screen, response);
    return undefined;
  }

  async #sendPage(page: ConsolePage, visit: Visit, screen: Screen, response: Response): Promise<void> {
    const { role } = visit.visitor;
    const frame = {
      seller: nameOf(this.#parts),
      development: this.#parts.settings.development,
      visitor: visit.visitor,
      screens: servedScreens(this.#parts).filter((one) => one.role === undefined || isAtLeast(role, one.role)),
      current: screen.path,
      notice: readNotice(response),
      counts: await countWaiting(visit),
    };
    response
      .status(page.status ?? 200)
      .type('html')
      .send(framedPage(page, frame));
  }
}

function readAsked(request: Request): Asked {
  const at = request.originalUrl.indexOf('?');
  const params = Object.entries(request.params).map(([name, value]) => [name, [value].flat().join('/')] as const);
  return {
    path: request.path,
    params: Object.fromEntries(params),
    query: new Fields(new URLSearchParams(at < 0 ? '' : request.originalUrl.slice(at))),
    form: new Fields(new URLSearchParams(typeof request.body === 'string' ? request.body : '')),
  };
}

function servedScreens(parts: ConsoleParts): readonly Screen[] {
  return SCREENS.filter(({ isServed }) => isServed?.(parts) ?? true);
}

function nameOf({ app, settings }: ConsoleParts): string {
  const sellers = [...app.sellers().values()];
  const main = sellers.find(({ tenant }) => tenant.kinds.includes('sales')) ?? sellers[0];
  return settings.operator.name ?? main?.tenant.name ?? 'seller-agent';
}

const UNKNOWN: ConsolePage = {
  title: 'There is nothing here',
  status: 404,
  body: html`<p class="empty">What was here is gone, or never was. Choose a screen from the menu.</p>`,
};
const FORBIDDEN: ConsolePage = {
  title: 'Your role does not allow this',
  status: 403,
  body: html`<p class="empty">Nothing was done. Somebody with the role admin can give you another one: console user new.</p>`,
};
const STALE: ConsolePage = {
  title: 'This form is out of date',
  status: 403,
  body: html`<p class="empty">Nothing was done: the page was opened in another session. Open it again and send the form from there.</p>`,
};

async function sendDownload(response: Response, { file, text, type }: Download): Promise<void> {
  response.set({ 'content-type': type, 'content-disposition': `attachment; filename="${file}"` });
  if (typeof text === 'string') response.send(text);
  else await writePieces(response, text);
}

function sendFault({ app }: ConsoleParts, error: unknown, response: Response, next: NextFunction): void {
  const fault = clientFault(error);
  if (response.headersSent) next(error);
  else if (fault !== undefined) {
    response.status(fault).send(barePage('This request cannot be read', html`<p>Go back and try again.</p>`));
  } else if (isDatabaseBusyOrAway(error)) {
    response.status(503).set('retry-after', `${RETRY_AFTER_SECONDS}`);
    response.send(
      barePage('This cannot be done just now', html`<p>The store cannot be used. Try again in a few seconds.</p>`),
    );
  } else {
    app.log.error({ err: error }, 'a page of the console failed unexpectedly');
    response.status(500).send(barePage('This page could not be made', html`<p>The log of the server says why.</p>`));
  }
}
