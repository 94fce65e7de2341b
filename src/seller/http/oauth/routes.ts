import type { RequestListener } from 'node:http';
import express, { type Request, type Response, Router } from 'express';
import type { Provider } from 'oidc-provider';
import { HOUR_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { ClientAddress } from '../../../platform/net/address.js';
import { refuseEncoded } from '../../../platform/web/body.js';
import { RateCounters } from '../../../platform/web/rate-counters.js';
import type { App } from '../../context.js';
import { GRANT_SCOPES, readScopes } from '../../domain/tenant/grant.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { DECISION_HEADERS, noticePage, type Page } from '../decision-page.js';
import { UNUSED_CLIENT_MS } from './adapter.js';
import { describeClient } from './client-metadata.js';
import { Consent } from './consent.js';
import { type ConsentQuestion, consentPage } from './consent-page.js';
import { describeResource, describeServer, servedHere } from './metadata.js';
import { OAUTH_PATHS, RESOURCE_METADATA_PATH, SERVER_METADATA_PATHS } from './paths.js';

/** Largest form or registration that is read. */
const MAX_BODY = '64kb';
const METADATA_CACHE = 'public, max-age=300';
/** What a client gets that says nothing of scopes. */
const USUAL_SCOPE = 'read buy';

/** What one address may begin, so that what others began is not evicted for it. */
const BEGUN_BY_ADDRESS = {
  registrations: { points: 300, windowMs: HOUR_MS },
  'sign-ins': { points: 300, windowMs: 15 * MINUTE_MS },
} as const;

type Serving = {
  readonly app: App;
  readonly addressOf: ClientAddress;
  readonly baseUrl: string;
  readonly consent: Consent;
  readonly counters: RateCounters;
  readonly open: () => Promise<Opened>;
};
type Opened = { readonly provider: Provider; readonly answer: RequestListener };

/** Returns the routes of OAuth: metadata, the consent page, and the authorization server, which is loaded when it is first asked. */
export function oauthRoutes(app: App, addressOf: ClientAddress): Router {
  const { baseUrl } = app.renderer();
  let opened: Promise<Opened> | undefined;
  const open = (): Promise<Opened> => {
    opened ??= openServer(app, baseUrl);
    return opened;
  };
  const counters = new RateCounters();
  const serving: Serving = { app, addressOf, baseUrl, consent: new Consent(app, counters), counters, open };
  const router = Router();
  serveMetadata(router, serving);
  router.use('/oauth', (_request, response, next) => {
    if (servedHere(app.sellers().values()).length === 0) return next('router');
    response.set(DECISION_HEADERS);
    next();
  });
  router.use('/oauth', refuseEncoded);
  router.get(`${OAUTH_PATHS.consent}/:uid`, (request, response) => showConsent(serving, request, response));
  router.post(
    `${OAUTH_PATHS.consent}/:uid`,
    express.text({ type: 'application/x-www-form-urlencoded', limit: MAX_BODY }),
    (request, response) => takeConsent(serving, request, response),
  );
  router.post(OAUTH_PATHS.registration, express.json({ limit: MAX_BODY }), (request, response) =>
    registerClient(serving, request, response),
  );
  router.get(OAUTH_PATHS.authorization, async (request, response) => {
    const seconds = await countBegun(serving, 'sign-ins', request);
    if (seconds !== undefined)
      return sendPage(response.status(429).set('retry-after', `${seconds}`), noticePage(...TOO_MANY));
    askAnew(request);
    return passOn(serving, request, response);
  });
  router.get(`${OAUTH_PATHS.authorization}/:uid`, (request, response) => passOn(serving, request, response));
  router.post([OAUTH_PATHS.token, OAUTH_PATHS.revocation], (request, response) => passOn(serving, request, response));
  return router;
}

async function openServer(app: App, baseUrl: string): Promise<Opened> {
  const { openProvider } = await import('./provider.js');
  const provider = openProvider(app, baseUrl, (text) => noticePage('This sign-in cannot go on', text).text);
  return { provider, answer: provider.callback() };
}

function serveMetadata(router: Router, { app, baseUrl }: Serving): void {
  router.get([RESOURCE_METADATA_PATH, `${RESOURCE_METADATA_PATH}/*path`], (request, response, next) => {
    const seller = findResource(app, request.path.slice(RESOURCE_METADATA_PATH.length));
    const metadata = seller && describeResource(seller);
    if (metadata === undefined) return next();
    response.set('access-control-allow-origin', '*').set('cache-control', METADATA_CACHE).json(metadata);
  });
  router.get([...SERVER_METADATA_PATHS], (_request, response, next) => {
    if (servedHere(app.sellers().values()).length === 0) return next();
    response.set('access-control-allow-origin', '*').set('cache-control', METADATA_CACHE).json(describeServer(baseUrl));
  });
}

/** Returns the tenant of a path, or, at the root, the only one that takes tokens. */
function findResource(app: App, path: string): Seller | undefined {
  const sellers = [...app.sellers().values()].filter(({ tenant }) => tenant.oauth !== undefined);
  if (path === '' || path === '/') return sellers.length === 1 ? sellers[0] : undefined;
  return sellers.find(({ tenant }) => `/${tenant.path}/mcp` === path.replace(/\/$/, ''));
}

/**
 * Asks whoever comes by an address anew: no earlier sign-in counts, and a client that asks for nothing gets the usual
 * scopes.
 */
function askAnew(request: Request): void {
  const at = request.url.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : request.url.slice(at));
  if ((query.get('scope') ?? '').trim() === '') query.set('scope', USUAL_SCOPE);
  request.url = `${request.path}?${query}`;
  request.originalUrl = request.url;
  request.headers.cookie = undefined;
}

/** Has the authorization server answer, under the address that the world knows, whatever proxy brought the request. */
async function passOn({ baseUrl, open }: Serving, request: Request, response: Response): Promise<void> {
  const { answer } = await open();
  restoreHost(baseUrl, request);
  answer(request, response);
}

function restoreHost(baseUrl: string, request: Request): void {
  const { host, pathname, protocol } = new URL(baseUrl);
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  request.headers['x-forwarded-host'] = host;
  request.baseUrl = pathname === '/' ? '' : pathname;
}

/** Counts what an address begins; returns the seconds to wait where it is too much. */
async function countBegun(
  { addressOf, counters }: Serving,
  what: keyof typeof BEGUN_BY_ADDRESS,
  request: Request,
): Promise<number | undefined> {
  return (await counters.take(what, addressOf(request), BEGUN_BY_ADDRESS[what]))?.retryAfter;
}

/** Registers a client, as it is described here. */
async function registerClient(serving: Serving, request: Request, response: Response): Promise<void> {
  const seconds = await countBegun(serving, 'registrations', request);
  if (seconds !== undefined) {
    const error_description = `Too many clients are registered from this address. Wait ${seconds} seconds, or use one again.`;
    response.status(429).set('retry-after', `${seconds}`);
    response.json({ error: 'temporarily_unavailable', error_description });
    return;
  }
  try {
    request.body = describeClient(isObject(request.body) ? request.body : {});
  } catch (error) {
    const says = error instanceof Error ? error.message : '';
    response.status(400).json({ error: 'invalid_redirect_uri', error_description: says });
    return;
  }
  await passOn(serving, request, response);
}

type Asked = { readonly question: ConsentQuestion; readonly clientId: string; readonly opened: Opened };

/** Returns the question of a sign-in under way; undefined once the request is answered with why there is none. */
async function findQuestion(serving: Serving, request: Request, response: Response): Promise<Asked | undefined> {
  const { app, baseUrl, consent, open } = serving;
  const opened = await open();
  restoreHost(baseUrl, request);
  const interaction = await opened.provider.interactionDetails(request, response).catch(() => undefined);
  const { client_id: clientId, redirect_uri: redirectUri, resource, scope } = interaction?.params ?? {};
  const seller = servedHere(app.sellers().values()).find(({ url }) => url === [resource].flat()[0]);
  if (interaction === undefined || interaction.uid !== request.params.uid || seller === undefined) {
    sendPage(response.status(410), noticePage(...OVER));
    return undefined;
  }
  const client = await opened.provider.Client.find(String(clientId));
  const asked = readScopes(scope);
  const question: ConsentQuestion = {
    uid: interaction.uid,
    seller,
    clientName: client?.clientName ?? new URL(String(redirectUri)).host,
    redirectUri: String(redirectUri),
    asked: asked.length === 0 ? GRANT_SCOPES.slice(0, 1) : asked,
    hasPeople: (await app.store.read.consoleUsers.list()).length > 0,
    mayTrySandbox: consent.mayTrySandbox(seller),
  };
  return { question, clientId: String(clientId), opened };
}

const OVER = [
  'This sign-in is over',
  'It took too long, was finished already, or was begun in another browser. Start it again where you came from.',
] as const;
const TOO_MANY = [
  'Too many sign-ins',
  'Too many were begun from this address. Wait some minutes, then start it again.',
] as const;

async function showConsent(serving: Serving, request: Request, response: Response): Promise<void> {
  const asked = await findQuestion(serving, request, response);
  if (asked !== undefined) sendPage(response, consentPage(asked.question));
}

async function takeConsent(serving: Serving, request: Request, response: Response): Promise<void> {
  const pending = await findQuestion(serving, request, response);
  if (pending === undefined) return;
  const { clientId, opened, question } = pending;
  const { addressOf, app, consent } = serving;
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  const decision = await consent.read(question.seller, question.asked, { form, address: addressOf(request) });
  if (decision.kind === 'problem')
    return sendPage(response.status(400), consentPage({ ...question, problem: decision.text }));
  if (decision.kind === 'deny') {
    const refusal = { error: 'access_denied', error_description: 'The access was denied.' };
    return opened.provider.interactionFinished(request, response, refusal);
  }
  const { grant } = decision;
  const accountId = `${grant.tenant}#${grant.principal}`;
  const given = new opened.provider.Grant({ accountId, clientId });
  given.addResourceScope(question.seller.url, grant.scopes.join(' '));
  const refused = question.asked.filter((scope) => !grant.scopes.includes(scope));
  // What is not given is refused for good, so that nobody is asked for it again in this sign-in.
  if (refused.length > 0) given.rejectResourceScope(question.seller.url, refused.join(' '));
  const grantId = await given.save();
  await app.store.transact(async (tx) => {
    await tx.oauthGrants.add({ ...grant, grant_id: grantId, client_id: clientId, client_name: question.clientName });
    // Longer than what a stranger registers meanwhile, for which it would else make room.
    await tx.oauthItems.prolong('Client', clientId, grant.expires_at + UNUSED_CLIENT_MS);
    const detail = `${question.clientName}: ${grant.scopes.join(' ')}`;
    const act = { act_id: app.ids.uuid7(), at: app.clock.now(), actor: grant.given_by, phase: 'done' as const };
    await tx.audit.add({ ...act, action: 'oauth.grant', subject: grantId, detail });
  });
  await opened.provider.interactionFinished(request, response, {
    login: { accountId, remember: false },
    consent: { grantId },
  });
}

function sendPage(response: Response, { policy, text }: Page): void {
  response.set({ 'content-security-policy': policy, 'content-type': 'text/html; charset=utf-8' }).send(text);
}
