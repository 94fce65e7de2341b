import { importPKCS8, SignJWT } from 'jose';
import { MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import { isObject, readJson } from '../../../platform/kernel/json/json.js';
import type { Fetched, Outbound } from '../../../platform/net/fetch.js';
import { fetchReason } from '../../../platform/net/fetch-error.js';
import { RetryLaterError } from '../errors.js';
import type { ServiceAccount } from './settings.js';

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** One for each of the two APIs. */
const SCOPE = 'https://www.googleapis.com/auth/admanager https://www.googleapis.com/auth/dfp';
const ASSERTION_SECONDS = 3600;
/** A token that ends sooner is not used for another request. */
const MARGIN_MS = MINUTE_MS;
const TIMEOUT_MS = 15 * SECOND_MS;
const MAX_BYTES = 64_000;
const HELP =
  'Check ad_server.service_account, that the account is a user of the network, and that the Ad Manager API is on in its project.';

type AuthPorts = { readonly fetch: Outbound['fetch']; readonly clock: { readonly now: () => number } };
type Token = { readonly text: string; readonly endsMs: number };

/** Access tokens of a service account (RFC 7523), each until shortly before its end. */
export class ServiceAccountTokens {
  readonly #account: ServiceAccount;
  readonly #ports: AuthPorts;
  #token: Promise<Token> | undefined;
  #skewMs = 0;
  #secret = '';

  constructor(account: ServiceAccount, ports: AuthPorts) {
    this.#account = account;
    this.#ports = ports;
  }

  /** Returns the headers of a request; `isRefused` says that the last token was not taken. Throws RetryLaterError. */
  async authorize(isRefused: boolean): Promise<Readonly<Record<string, string>>> {
    const token = isRefused ? undefined : await this.#token?.catch(() => undefined);
    if (token === undefined || token.endsMs - MARGIN_MS < this.#ports.clock.now()) this.#token = this.#fetchToken();
    const { text } = (await this.#token) ?? { text: '' };
    return { authorization: `Bearer ${text}` };
  }

  /** Returns how far Google's clock is ahead of ours, as far as that is known; ms. */
  get skewMs(): number {
    return this.#skewMs;
  }

  /** Returns what no message may hold. */
  secrets(): readonly string[] {
    return [this.#account.private_key, this.#secret];
  }

  async #fetchToken(): Promise<Token> {
    let answer = await this.#ask();
    // Google takes an assertion by its own clock only.
    if (answer.status === 400 && this.#readSkew(answer)) answer = await this.#ask();
    const body = readJson(answer.bytes.toString('utf8'));
    const { access_token: text, expires_in: seconds } = isObject(body) ? body : {};
    if (answer.status !== 200 || typeof text !== 'string') throw tokenRefused(answer.status, body);
    this.#secret = text;
    return { text, endsMs: this.#ports.clock.now() + (typeof seconds === 'number' ? seconds : 0) * SECOND_MS };
  }

  async #ask(): Promise<Fetched> {
    try {
      return await this.#ports.fetch(TOKEN_URL, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: GRANT, assertion: await this.#sign() }).toString(),
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
      });
    } catch (error) {
      if (fetchReason(error) === undefined) throw error;
      throw new RetryLaterError(`Google's tokens: ${error instanceof Error ? error.message : ''}`);
    }
  }

  async #sign(): Promise<string> {
    const { client_email, private_key_id } = this.#account;
    const nowSeconds = Math.floor((this.#ports.clock.now() + this.#skewMs) / SECOND_MS);
    return new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: private_key_id })
      .setIssuer(client_email)
      .setAudience(TOKEN_URL)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + ASSERTION_SECONDS)
      .sign(await this.#readKey());
  }

  async #readKey() {
    try {
      return await importPKCS8(this.#account.private_key, 'RS256');
    } catch {
      throw new RetryLaterError(`The private key of the service account is no PEM text. ${HELP}`);
    }
  }

  /** Takes on Google's clock; returns whether that was another one. */
  #readSkew({ headers }: Fetched): boolean {
    const theirsMs = Date.parse(headers.date ?? '');
    const before = this.#skewMs;
    if (!Number.isNaN(theirsMs)) this.#skewMs = theirsMs - this.#ports.clock.now();
    return Math.abs(this.#skewMs - before) > SECOND_MS;
  }
}

function tokenRefused(status: number, body: unknown): RetryLaterError {
  const { error, error_description: description } = isObject(body) ? body : {};
  const reason = [error, description].filter((one) => typeof one === 'string').join(': ');
  const pauseMs = status === 429 || status >= 500 ? undefined : 10 * MINUTE_MS;
  return new RetryLaterError(`Google gives no token (${status}${reason === '' ? '' : ` ${reason}`}). ${HELP}`, {
    retryAfterMs: pauseMs,
  });
}
