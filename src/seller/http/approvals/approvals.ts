import { type NextFunction, type Request, type Response, Router, urlencoded } from 'express';
import { isDatabaseBusyOrAway, RETRY_AFTER_SECONDS } from '../../../platform/database/unavailable.js';
import { DAY_MS } from '../../../platform/kernel/clock.js';
import { refuseEncoded } from '../../../platform/web/body.js';
import { ERROR_CODES, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { carryOutDecision, findPendingDecision, readDecision } from '../../tasks/task/approvals.js';
import type { PendingDecision, Waiting } from '../../tasks/task/pending-decisions.js';
import { DECISION_HEADERS, noticePage, type Page } from '../decision-page.js';
import { approvalPage } from './page.js';

const PATH = '/approvals';

/** Life of a link to a decision that no clock takes. */
const LINK_LIFE_MS = 7 * DAY_MS;

const UNKNOWN = ['There is nothing here', 'Check that the whole link was copied, or ask for a fresh one.'] as const;
const NOT_NOW = ['This cannot be done just now', 'Nothing was decided. Try again in a few seconds.'] as const;
const EXPIRED = [
  'This link has expired',
  'What it was about was decided in the meantime, or waits under a fresh link: see the list of approvals.',
] as const;

/** Returns the address where whoever has it may decide about something that waits, until the clock does or a week is over. */
export function approvalLink(app: App, { id, acts_at }: Pick<Waiting, 'id' | 'acts_at'>): string {
  const expiresMs = acts_at === undefined ? app.clock.now() + LINK_LIFE_MS : Date.parse(acts_at);
  return `${app.renderer().baseUrl}${PATH}/${app.approvalLinks.write(id, expiresMs)}`;
}

/**
 * Returns the pages behind the addresses of `approvalLink`: one shows what is asked and takes one decision, afterwards it says what was
 * decided.
 */
export function approvalRoutes(app: App): Router {
  const router = Router();
  router.use(PATH, (_request, response, next) => {
    response.set(DECISION_HEADERS);
    next();
  });
  router.use(PATH, refuseEncoded);
  router.get(`${PATH}/:token`, async (request, response) => {
    const pending = await openDecision(app, request, response);
    if (pending !== undefined) sendPage(response, showDecision(app, pending));
  });
  router.post(`${PATH}/:token`, urlencoded({ extended: false, limit: '16kb' }), async (request, response) => {
    const pending = await openDecision(app, request, response);
    if (pending === undefined) return;
    try {
      await carryOutDecision(app, pending.waiting.id, readDecision(request.body), 'link');
      // The page that follows may be loaded again without deciding again.
      response.redirect(303, request.path);
    } catch (thrown) {
      const error = taskErrorOrThrow(thrown);
      const latest = (await findPendingDecision(app, pending.waiting.id)) ?? pending;
      sendPage(response.status(ERROR_CODES[error.code].status), showDecision(app, latest, error.message));
    }
  });
  router.use(PATH, (_request: Request, response: Response) => sendPage(response.status(404), noticePage(...UNKNOWN)));
  router.use(PATH, (error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (isDatabaseBusyOrAway(error)) {
      response.status(503).set('retry-after', `${RETRY_AFTER_SECONDS}`);
      return sendPage(response, noticePage(...NOT_NOW));
    }
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
    if (status >= 500) return next(error);
    sendPage(response.status(status), noticePage('The form could not be read', 'Go back and send it again.'));
  });
  return router;
}

/** Returns the decision that a link is about; undefined once the request is answered with why there is none. */
async function openDecision(app: App, request: Request, response: Response): Promise<PendingDecision | undefined> {
  const reading = app.approvalLinks.read(String(request.params.token), app.clock.now());
  if (reading?.isExpired === true) {
    sendPage(response.status(410), noticePage(...EXPIRED));
    return undefined;
  }
  const pending = reading === undefined ? undefined : await findPendingDecision(app, reading.subject);
  if (pending === undefined) sendPage(response.status(404), noticePage(...UNKNOWN));
  return pending;
}

function showDecision(app: App, pending: PendingDecision, problem?: string): Page {
  const { tenant: path, principal } = pending.waiting;
  const seller = app.sellers().get(path);
  return approvalPage(pending, {
    seller: seller?.tenant.name ?? path,
    buyer: seller?.tenant.principals.find(({ id }) => id === principal)?.name ?? principal,
    nowMs: app.clock.now(),
    problem,
  });
}

function sendPage(response: Response, { text, policy }: Page): void {
  response.set({ 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' }).send(text);
}
