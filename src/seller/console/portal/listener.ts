import type { RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type Response } from 'express';
import { isDatabaseBusyOrAway, RETRY_AFTER_SECONDS } from '../../../platform/database/unavailable.js';
import { refuseEncoded } from '../../../platform/web/body.js';
import { clientFault } from '../../../platform/web/client-fault.js';
import { html } from '../../../platform/web/html.js';
import { RateCounters } from '../../../platform/web/rate-counters.js';
import { catchTaskError, TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { PORTAL_PATH } from '../../tasks/people/portal-links.js';
import { contentPolicy, isFromOurPage, PAGE_HEADERS, sendAsset } from '../page/protection.js';
import { listOwnBuys, showOwnBuy } from './buys.js';
import { listOwnCreatives, showOwnCreative } from './creatives.js';
import { closedPage, type PortalPage, portalPage } from './shell.js';
import { enterPortal, type PortalVisit } from './visit.js';
import { listOwnEvents, REPLAYS, replayOwnEvent, showOwnEvent } from './webhooks.js';

/** Every page of the portal, below the address of a link. */
const VIEWS: readonly (readonly [path: string, run: (visit: PortalVisit) => Promise<PortalPage | undefined>])[] = [
  ['', listOwnBuys],
  ['/buys/:id', showOwnBuy],
  ['/creatives', listOwnCreatives],
  ['/creatives/:seq', showOwnCreative],
  ['/webhooks', listOwnEvents],
  ['/webhooks/:key', showOwnEvent],
];

/** The largest form: the secret of a button. */
const FORM_LIMIT = '4kb';

/** Returns the listener of everything below `/portal`: what a buyer with a link sees of its own things. */
export function createPortal(app: App): RequestListener {
  const portal = express();
  portal.disable('x-powered-by');
  portal.disable('etag');
  portal.set('query parser', false);
  portal.use((_request, response, next) => {
    response.set(PAGE_HEADERS).set('content-security-policy', contentPolicy(app));
    next();
  });
  portal.get(`${PORTAL_PATH}/assets/:name`, sendAsset);
  for (const [path, run] of VIEWS)
    portal.get(`${PORTAL_PATH}/:token${path}`, (request, response) => showPage(app, run, request, response));
  const counters = new RateCounters();
  portal.post(
    `${PORTAL_PATH}/:token/webhooks/:key/replay`,
    refuseEncoded,
    express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT }),
    (request, response) => replay({ app, counters }, request, response),
  );
  portal.use((_request, response) => sendClosed(response));
  portal.use((error: unknown, _request: Request, response: Response, next: NextFunction) =>
    sendFault(app, error, response, next),
  );
  return portal;
}

async function showPage(app: App, run: (typeof VIEWS)[number][1], request: Request, response: Response): Promise<void> {
  const visit = await enterPortal(app, request);
  if (visit === undefined) return sendClosed(response);
  const page = await run(visit);
  const says = visit.query.text('sent') === 'yes' ? 'It waits to be sent again.' : undefined;
  sendPage(response, visit, page === undefined ? NOTHING : { ...page, says });
}

async function replay(
  { app, counters }: { readonly app: App; readonly counters: RateCounters },
  request: Request,
  response: Response,
): Promise<void> {
  const visit = await enterPortal(app, request);
  if (visit === undefined) return sendClosed(response);
  if (!isFromOurPage(request) || visit.form.text('csrf') !== visit.csrf) return sendPage(response, visit, FOREIGN);
  const excess = await counters.take('replays', visit.link.link_id, REPLAYS);
  if (excess !== undefined) {
    response.set('retry-after', `${excess.retryAfter}`);
    return sendPage(response, visit, TOO_MANY);
  }
  const key = await catchTaskError(() => replayOwnEvent(visit));
  if (key instanceof TaskError) return sendPage(response, visit, refusedPage(key));
  if (key === undefined) return sendPage(response, visit, NOTHING);
  response.redirect(303, `${visit.home}/webhooks/${key}?sent=yes`);
}

function sendPage(response: Response, visit: PortalVisit, page: PortalPage): void {
  response
    .status(page.status ?? 200)
    .type('html')
    .send(portalPage(page, visit));
}

function sendClosed(response: Response): void {
  const body = html`<p>It has expired or was revoked, or not all of it was copied. Ask the seller for a fresh one.</p>`;
  response.status(404).type('html').send(closedPage('This link opens nothing', body));
}

const NOTHING: PortalPage = {
  section: '',
  status: 404,
  title: 'There is nothing here',
  body: html`<p class="empty">What was here is gone, or never was yours.</p>`,
};
const FOREIGN: PortalPage = {
  section: '/webhooks',
  status: 403,
  title: 'This form comes from another page',
  body: html`<p class="empty">Nothing was done. Open the webhook here and send it again from there.</p>`,
};
const TOO_MANY: PortalPage = {
  section: '/webhooks',
  status: 429,
  title: 'Too many were sent again',
  body: html`<p class="empty">Nothing was done. Wait a while, or have the seller send all of them.</p>`,
};

function refusedPage({ extras, message }: TaskError): PortalPage {
  return {
    section: '/webhooks',
    status: 409,
    title: 'It was not sent again',
    body: html`<p class="empty">${message} ${extras.suggestion}</p>`,
  };
}

function sendFault(app: App, error: unknown, response: Response, next: NextFunction): void {
  const fault = clientFault(error);
  if (response.headersSent) next(error);
  else if (fault !== undefined)
    response.status(fault).send(closedPage('This request cannot be read', html`<p>Go back and try again.</p>`));
  else if (isDatabaseBusyOrAway(error))
    response
      .status(503)
      .set('retry-after', `${RETRY_AFTER_SECONDS}`)
      .send(closedPage('This cannot be done just now', html`<p>Try again in a few seconds.</p>`));
  else {
    app.log.error({ err: error }, 'a page of the portal failed unexpectedly');
    response.status(500).send(closedPage('This page could not be made', html`<p>The seller's log says why.</p>`));
  }
}
