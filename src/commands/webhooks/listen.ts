import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import { MINUTE_MS, SECOND_MS, systemClock } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { hostKind } from '../../platform/net/address.js';
import { createOutbound, type Outbound } from '../../platform/net/fetch.js';
import { isUrl } from '../../platform/net/url.js';
import type { KeyDirectory, SigningAgent } from '../../platform/signing/directory/key-directory.js';
import { checkSecret } from '../../platform/signing/hmac.js';
import { refuseField } from '../../protocol/errors.js';
import { sendReceipt } from '../../receiver/answers.js';
import type { ReceiverEndpoint } from '../../receiver/endpoints.js';
import { openReceiverFolder } from '../../receiver/folder.js';
import type { ReceivedEvent } from '../../receiver/handling.js';
import { openSenderKeys, type SenderKeys } from '../../receiver/keys.js';
import { createReceiver, type Receiver } from '../../receiver/receiver.js';
import { createOriginKeys, createOriginReader, pinnedBy } from '../../registry/mirror/origin-keys.js';
import { domainName } from '../../registry/model/domains.js';
import { describeOther, failedOnPurpose, type ListenLine, writeGreeting, writeLine, writeReceived } from './lines.js';

/** Flags of `webhooks listen`, as they were typed. */
export type ListenFlags = Readonly<
  Partial<
    Record<
      'port' | 'host' | 'url' | 'agent' | 'jwks' | 'brandJson' | 'publisher' | 'secret' | 'bearer' | 'data' | 'fail',
      string
    >
  >
> & { readonly json?: boolean; readonly protocolName?: string };

/** Where it runs. */
type ListenAddress = {
  readonly cwd: string;
  readonly write: (text: string) => void;
  readonly log: Log;
  /** Resolves when it is to end. */
  readonly stopped: Promise<void>;
};

const PATH = '/webhooks';
const DEFAULT_PORT = 4000;
const DEFAULT_DATA = 'webhooks-data';
/** Where a seller-agent on this machine publishes its keys unless it has another port. */
const DEFAULT_JWKS = 'http://127.0.0.1:3000/.well-known/jwks.json';
const MAX_FAILURES = 1000;

/**
 * Receives webhooks as a buyer does and shows every event, until it is stopped. What it has answered for is on disk: an event is shown
 * even when the process dies before. Throws TaskError for flags that mean nothing, ConfigError when another one has the folder.
 */
export async function listenForWebhooks(
  flags: ListenFlags,
  { cwd, write, log, stopped }: ListenAddress,
): Promise<void> {
  const options = readFlags(flags);
  const { protocolName } = flags;
  const named = protocolName === undefined ? {} : { protocolName };
  const dataDir = path.resolve(cwd, flags.data ?? DEFAULT_DATA);
  const show = (line: ListenLine): void => write(writeLine(line, systemClock.now(), flags.json === true));
  const senders = openSenderKeys({ ...named, local: options.local });
  const outbound = createOutbound({ development: options.local });
  const keys = pinnedKeys(senders, outbound, options);
  const store = await openReceiverFolder(dataDir);
  try {
    const agents = await agentsOf(flags, senders);
    const server = await bindServer(options.host, options.port);
    try {
      const bound = `http://${hostText(options.host)}:${(server.address() as AddressInfo).port}`;
      const endpoint = endpointOf(flags.url ?? bound + PATH, flags, agents);
      const handler = (event: ReceivedEvent): void => show(writeReceived(event));
      const receiver = createReceiver({ ...named, store, keys, log, endpoints: [endpoint], handler });
      show(writeGreeting(endpoint, bound, dataDir));
      await answerUntil(stopped, server, unreliable(receiver, options.failures, show));
      await receiver.close();
    } finally {
      server.close();
      server.closeAllConnections();
    }
  } finally {
    await senders.close();
    await outbound.close();
    await store.close();
  }
}

/** Returns the keys of senders, only those that a publisher pins where one is named. */
function pinnedKeys(
  senders: SenderKeys,
  outbound: Outbound,
  { local, publisher }: ReturnType<typeof readFlags>,
): KeyDirectory {
  if (publisher === undefined) return senders;
  const reader = createOriginReader(outbound, systemClock, local);
  return pinnedBy(senders, createOriginKeys(reader, systemClock), publisher);
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Returns a receiver that answers 503 to its first events, as one in trouble does, and tells of all that brings nothing new. */
function unreliable(receiver: Receiver, failures: number, show: (line: ListenLine) => void): Answer {
  let left = failures;
  return async (request, response) => {
    if (left > 0 && request.method === 'POST') {
      left -= 1;
      sendReceipt({ kind: 'refused', refusal: 'trouble' }, response);
      show(failedOnPurpose(left));
      return;
    }
    const line = describeOther(await receiver.handle(request, response));
    if (line !== undefined) show(line);
  };
}

/** Answers requests until `stopped`, and finishes those in hand. */
async function answerUntil(stopped: Promise<void>, server: Server, answer: Answer): Promise<void> {
  const inHand = new Set<Promise<void>>();
  server.on('request', (request, response) => {
    const answering = answer(request, response).finally(() => inHand.delete(answering));
    inHand.add(answering);
  });
  await stopped;
  await Promise.all(inHand);
}

function readFlags(flags: ListenFlags) {
  const { secret, bearer, jwks, brandJson, agent, url, host = '127.0.0.1', port, fail, publisher: named } = flags;
  for (const [flag, credential, others] of [
    ['--secret', secret, [bearer, jwks, brandJson]],
    ['--bearer', bearer, [jwks, brandJson]],
  ] as const) {
    if (credential === undefined) continue;
    checkSecret(credential, flag);
    if (others.every((other) => other === undefined)) continue;
    throw refuseField(flag, 'An address has one mode: a secret, a token, or published keys.', 'Leave the others out.');
  }
  const sources = Object.entries({ '--jwks': jwks, '--brand-json': brandJson, '--agent': agent });
  for (const [flag, text] of sources) {
    if (text === undefined || isHttps(text) || isLocal(text)) continue;
    throw refuseField(flag, `${flag} is no https URL.`, 'Name an https URL; plain http is for this machine alone.');
  }
  if (url !== undefined && !isUrl(url)) {
    throw refuseField(
      '--url',
      '--url is no absolute URL.',
      'Name what senders call, such as https://buyer.example/hooks.',
    );
  }
  const publisher = named === undefined ? undefined : domainName(named);
  if (named !== undefined && (publisher === undefined || agent === undefined)) {
    const fix = 'Name a domain such as news.example, and the agent as the publisher lists it with --agent.';
    throw refuseField('--publisher', 'A publisher pins keys of an agent, by its domain.', fix);
  }
  const sourceTexts = sources.flatMap(([, text]) => text ?? []);
  return {
    host,
    port: readNumber('--port', port, DEFAULT_PORT, 65_535),
    failures: readNumber('--fail', fail, 0, MAX_FAILURES),
    local: (sourceTexts.length === 0 ? [DEFAULT_JWKS] : sourceTexts).some(isLocal),
    publisher,
  };
}

async function agentsOf(
  { agent, jwks, brandJson, secret, bearer }: ListenFlags,
  keys: SenderKeys,
): Promise<readonly SigningAgent[]> {
  if (secret !== undefined || bearer !== undefined) return [];
  if (jwks !== undefined) return [{ url: agent ?? jwks, jwksUri: jwks }];
  if (agent !== undefined) return [brandJson === undefined ? { url: agent } : { url: agent, brandJsonUrl: brandJson }];
  if (brandJson !== undefined) return keys.listAgents(brandJson);
  return [{ url: DEFAULT_JWKS, jwksUri: DEFAULT_JWKS }];
}

function endpointOf(
  url: string,
  { agent, secret, bearer }: ListenFlags,
  agents: readonly SigningAgent[],
): ReceiverEndpoint {
  const credential = secret ?? bearer;
  if (credential === undefined) return { url, mode: 'rfc9421', agents };
  // Who has the secret is the sender; another secret is another one.
  const sender = agent ?? `secret ${sha256Hex(credential).slice(0, 8)}`;
  return { url, mode: secret === undefined ? 'bearer' : 'hmac-sha256', credentials: [credential], sender };
}

async function bindServer(host: string, port: number): Promise<Server> {
  const server = createServer({ requestTimeout: MINUTE_MS, headersTimeout: 15 * SECOND_MS });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

function readNumber(flag: string, text: string | undefined, usual: number, most: number): number {
  if (text === undefined) return usual;
  if (/^\d{1,6}$/.test(text) && Number(text) <= most) return Number(text);
  throw refuseField(flag, `${flag} is no number from 0 to ${most}.`, `Send a whole number, or leave ${flag} out.`);
}

function isHttps(text: string): boolean {
  return isUrl(text) && new URL(text).protocol === 'https:';
}

function isLocal(text: string): boolean {
  if (!isUrl(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && hostKind(hostname) === 'loopback';
}

function hostText(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
