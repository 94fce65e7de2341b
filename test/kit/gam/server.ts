import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { jwtVerify } from 'jose';
import { listenLocally } from '../listen.js';
import { answerRest } from './rest.js';
import { answerSoap, readCall } from './soap.js';
import { FakeRefusal, FakeState } from './state.js';

/** What goes wrong with a request: before it has its effect, or after it. */
export type FakeFault =
  | 'reset before'
  | 'reset after'
  | 'hang'
  | 'html'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly isAfter?: boolean };

/** Google Ad Manager as far as the fact sheet tells it: tokens, REST and SOAP on one real server, with faults to order. */
export type FakeGam = {
  readonly state: FakeState;
  /** By host, for the guarded fetch of a test. */
  readonly resolve: ReadonlyMap<string, string>;
  /** The key of a service account that it knows. */
  readonly account: { readonly client_email: string; readonly private_key: string; readonly private_key_id: string };
  /** Requests as they came, such as `POST /v1/networks/777/lineItems` and `soap createCreatives`. */
  readonly calls: readonly string[];
  /** Has the next requests that `on` fits go wrong, one for each fault. */
  readonly fail: (on: RegExp, ...faults: readonly FakeFault[]) => void;
  /** Ends every token that it has given out. */
  readonly expireTokens: () => void;
};

/** The hosts of both APIs and of their tokens. */
export const GOOGLE_HOSTS = ['admanager.googleapis.com', 'ads.google.com', 'oauth2.googleapis.com'];

const TOKEN_MS = 3_600_000;

/** Starts the fake on loopback. It is closed after its use. */
export async function startFakeGam(now: () => number): Promise<FakeGam> {
  const state = new FakeState(now);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const email = 'seller@kit.iam.gserviceaccount.com';
  const tokens = new Map<string, number>();
  const calls: string[] = [];
  const planned: { on: RegExp; fault: FakeFault }[] = [];

  async function grant(text: string): Promise<readonly [status: number, body: object]> {
    const form = new URLSearchParams(text);
    try {
      const { payload } = await jwtVerify(form.get('assertion') ?? '', publicKey, {
        issuer: email,
        audience: 'https://oauth2.googleapis.com/token',
        currentDate: new Date(now()),
        algorithms: ['RS256'],
      });
      const { exp = 0, iat = 0, scope } = payload;
      if (exp - iat > 3600 || Math.abs(iat * 1000 - now()) > 300_000 || !String(scope).includes('auth/admanager'))
        throw new Error('claims');
    } catch {
      return [400, { error: 'invalid_grant', error_description: 'Invalid JWT: Token must be a short-lived token' }];
    }
    const token = `ya29.${tokens.size}`;
    tokens.set(token, now() + TOKEN_MS);
    return [200, { access_token: token, expires_in: 3600, token_type: 'Bearer' }];
  }

  const server = createServer((request, response) => {
    void readText(request).then(async (text) => {
      response.setHeader('date', new Date(now()).toUTCString());
      const url = new URL(request.url ?? '/', `https://${request.headers.host}`);
      if (url.pathname === '/token') {
        calls.push('token');
        const [status, body] = await grant(text);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return;
      }
      const isSoap = url.pathname.startsWith('/apis/ads/publisher/');
      const call = isSoap ? `soap ${readCall(text).operation}` : `${request.method} ${url.pathname}`;
      calls.push(call);
      const at = planned.findIndex(({ on }) => on.test(call));
      const fault = at < 0 ? undefined : planned.splice(at, 1)[0]?.fault;
      const run = () => (isSoap ? soap(state, url, text) : rest(state, request.method ?? 'GET', url, text));
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      const isIn = (tokens.get(token) ?? 0) > now();
      if (!isIn) send(response, 401, restError(new FakeRefusal(401, 'UNAUTHENTICATED', 'AuthenticationError.EXPIRED')));
      else if (fault === undefined) send(response, ...run());
      else misbehave(response, fault, run);
    });
  });
  const origin = await listenLocally(server);
  return {
    state,
    resolve: new Map(GOOGLE_HOSTS.map((host) => [host, origin])),
    account: {
      client_email: email,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      private_key_id: 'kit',
    },
    calls,
    fail: (on, ...faults) => void planned.push(...faults.map((fault) => ({ on, fault }))),
    expireTokens: () => tokens.clear(),
  };
}

function misbehave(response: ServerResponse, fault: FakeFault, run: () => Sent): void {
  if (fault === 'hang') return;
  if (fault === 'reset before') return void response.destroy();
  if (fault === 'reset after') {
    run();
    return void response.destroy();
  }
  if (fault === 'html') return void send(response, 200, '<html><title>Sign in</title></html>', 'text/html');
  if (fault.isAfter === true) run();
  response.writeHead(fault.status, { 'content-type': 'text/html', ...fault.headers });
  response.end('<html><title>Server Error</title></html>');
}

type Sent = readonly [status: number, body: string, type?: string];

function send(response: ServerResponse, ...[status, body, type = 'application/json']: Sent): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

function rest(state: FakeState, method: string, url: URL, text: string): Sent {
  try {
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const answer = answerRest(state, { method, url, body });
    // A method that is not there is a page of Google's, and no error of the API.
    return answer === undefined
      ? [404, '<html><title>Error 404 (Not Found)!!1</title></html>', 'text/html']
      : [200, JSON.stringify(answer)];
  } catch (error) {
    if (!(error instanceof FakeRefusal)) throw error;
    return [error.code, restError(error)];
  }
}

function restError({ code, reason, status }: FakeRefusal): string {
  return JSON.stringify({
    error: { code, status, message: 'Request failed.', details: [{ errors: [{ errorCode: reason }] }] },
  });
}

function soap(state: FakeState, url: URL, text: string): Sent {
  const version = url.pathname.split('/')[4] ?? '';
  const { body, operation } = readCall(text);
  const type = 'text/xml; charset=utf-8';
  try {
    if (!state.network.versions.includes(version))
      throw new FakeRefusal(500, 'FAILED', 'ApiVersionError.UPDATE_TO_NEWER_VERSION');
    const answer = `<${operation}Response xmlns="https://www.google.com/apis/ads/publisher/${version}">${answerSoap(state, operation, body)}</${operation}Response>`;
    return [200, envelope(answer), type];
  } catch (error) {
    if (!(error instanceof FakeRefusal)) throw error;
    const detail = `<ApiExceptionFault><errors xsi:type="ApiError"><fieldPath/><trigger/><errorString>${error.reason}</errorString></errors></ApiExceptionFault>`;
    const fault = `<soap:Fault><faultcode>soap:Server</faultcode><faultstring>[${error.reason} @ ]</faultstring><detail>${detail}</detail></soap:Fault>`;
    return [500, envelope(fault), type];
  }
}

function envelope(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Header><ResponseHeader/></soap:Header><soap:Body>${body}</soap:Body></soap:Envelope>`;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
