import { SECOND_MS } from '../platform/kernel/clock.js';
import { isUrl } from '../platform/net/url.js';
import type { KeyDirectory, SigningAgent } from '../platform/signing/directory/key-directory.js';
import { checkSecret, type HmacRefusal, isBearer, verifyHmac } from '../platform/signing/hmac.js';
import { type Failure, type SignatureCode, signatureCode } from '../platform/signing/verify/codes.js';
import type { NonceStore } from '../platform/signing/verify/nonces.js';
import { type HeaderReader, headerReader, type ReceivedRequest } from '../platform/signing/verify/received.js';
import type { Revocation } from '../platform/signing/verify/revocation.js';
import { createVerifier, type Refused } from '../platform/signing/verify/verify.js';
import type { ChannelMode } from '../protocol/channels.js';
import type { ProtocolNames } from '../protocol/names.js';

type Registered = {
  /** As senders call it, behind a proxy the public one. What is posted to a path below it belongs to it too. */
  readonly url: string;
  /** `token` of the registration: an event that does not echo it is refused. */
  readonly token?: string | undefined;
  /** The envelope of task events: `mcp` where a task argument registered the address, `a2a` where A2A did; either unless given. */
  readonly format?: 'mcp' | 'a2a' | undefined;
};

/** An address that was registered without `authentication`: every event is signed by one of the agents. */
export type SignedEndpoint = Registered & { readonly mode: 'rfc9421'; readonly agents: readonly SigningAgent[] };

/** An address that was registered with a legacy scheme. */
export type LegacyEndpoint = Registered & {
  readonly mode: Exclude<ChannelMode, 'rfc9421'>;
  /** One, or two while it is being replaced. */
  readonly credentials: readonly string[];
  /** Whom the credential was given to, such as the agent's URL: the identity of who has it. */
  readonly sender: string;
};

/** An address that was registered with senders, and the one way in which they prove what they post there. */
export type ReceiverEndpoint = SignedEndpoint | LegacyEndpoint;

/** The result of proving a request: its sender, or the code of the refusal. A refusal without a code asks the sender to come again. */
export type Proof =
  | { readonly ok: true; readonly sender: string; readonly keyid: string | null }
  | { readonly ok: false; readonly code: SignatureCode | undefined; readonly log?: Refused['log'] | undefined };

/** An endpoint with its verifier. */
export type VerifiedEndpoint = {
  readonly registered: ReceiverEndpoint;
  /** Returns the URL that a request with this target was sent to. */
  readonly urlOf: (target: string) => string;
  readonly prove: (request: ReceivedRequest) => Promise<Proof>;
};

/** The ports that all endpoints verify with. */
type ProofPorts = {
  readonly names: ProtocolNames;
  readonly keys: Pick<KeyDirectory, 'findAmong'>;
  readonly nonces: NonceStore;
  readonly revocation: Revocation;
  /** Milliseconds. */
  readonly now: () => number;
};

/** Finds the endpoint that a request's target belongs to; the longest path counts. */
export type FindEndpoint = (target: string) => VerifiedEndpoint | undefined;

/**
 * Opens endpoints. Throws TypeError for an address that is no URL or is listed twice and for a list without senders, INVALID_REQUEST
 * for a secret that protects nothing.
 */
export function openEndpoints(endpoints: readonly ReceiverEndpoint[], ports: ProofPorts): FindEndpoint {
  const opened = endpoints.map((endpoint, index) => {
    const { origin, pathname } = readUrl(endpoint, `endpoints[${index}]`);
    return {
      path: pathname,
      below: pathname.endsWith('/') ? pathname : `${pathname}/`,
      endpoint: {
        registered: endpoint,
        urlOf: (target: string) => origin + target,
        prove: createProver(endpoint, ports),
      },
    };
  });
  const paths = opened.map(({ path }) => path);
  if (new Set(paths).size < paths.length) throw new TypeError('two endpoints have the same path');
  const longestFirst = opened.toSorted((one, other) => other.path.length - one.path.length);
  return (target) => {
    const [called = ''] = target.split('?', 1);
    return longestFirst.find(({ path, below }) => called === path || called.startsWith(below))?.endpoint;
  };
}

function readUrl(endpoint: ReceiverEndpoint, field: string): URL {
  if (!isUrl(endpoint.url)) throw new TypeError(`${field}.url is not an absolute URL`);
  if (endpoint.mode === 'rfc9421') {
    if (endpoint.agents.length === 0) throw new TypeError(`${field}.agents names nobody who may post there`);
  } else {
    if (endpoint.credentials.length === 0) throw new TypeError(`${field}.credentials is empty`);
    endpoint.credentials.forEach((secret, index) => {
      checkSecret(secret, `${field}.credentials[${index}]`);
    });
  }
  return new URL(endpoint.url);
}

/** The failure of each refusal of the HMAC scheme. */
const HMAC_FAILURES: Readonly<Record<HmacRefusal, Failure>> = {
  headers_missing: 'signature_header_malformed',
  headers_malformed: 'signature_header_malformed',
  timestamp_invalid: 'signature_window_invalid',
  signature_invalid: 'signature_invalid',
  body_malformed: 'body_malformed',
};

const refused = (failure: Failure): Proof => ({ ok: false, code: signatureCode('webhook', failure) });

/** Makes the prover of one registration, which has one mode: a request in another is refused before anything of it is verified. */
function createProver(endpoint: ReceiverEndpoint, ports: ProofPorts): VerifiedEndpoint['prove'] {
  const prove = createModeProver(endpoint, ports);
  return async (request) => {
    const header = headerReader(request.headers);
    const mode = readMode(header, ports.names);
    return mode === undefined || mode === endpoint.mode ? prove(request, header) : refused('mode_mismatch');
  };
}

function createModeProver(endpoint: ReceiverEndpoint, ports: ProofPorts): Prove {
  if (endpoint.mode === 'rfc9421') return proveBySignature(endpoint, ports);
  return endpoint.mode === 'bearer' ? proveByToken(endpoint) : proveByHmac(endpoint, ports);
}

/** Returns the mode that a request was sent in, by the headers that only this mode has; undefined where there is none. */
function readMode(header: HeaderReader, { hmacHeaders }: ProtocolNames): ChannelMode | undefined {
  if (header('signature') !== undefined || header('signature-input') !== undefined) return 'rfc9421';
  if (hmacHeaders.some((name) => header(`${name}-Signature`.toLowerCase()) !== undefined)) return 'hmac-sha256';
  return header('authorization')?.toLowerCase().startsWith('bearer ') === true ? 'bearer' : undefined;
}

type Prove = (request: ReceivedRequest, header: HeaderReader) => Promise<Proof> | Proof;

function proveBySignature({ agents }: SignedEndpoint, { names, keys, nonces, revocation, now }: ProofPorts): Prove {
  const verify = createVerifier({
    profile: 'webhook',
    names,
    keys: (keyid) => keys.findAmong(agents, keyid),
    nonces,
    revocation,
    now: () => Math.floor(now() / SECOND_MS),
  });
  return async (request) => {
    const verdict = await verify(request);
    if (verdict.ok) return { ok: true, sender: verdict.signer, keyid: verdict.keyid };
    return { ok: false, code: verdict.code, log: verdict.log };
  };
}

function proveByHmac({ credentials: secrets, sender }: LegacyEndpoint, { names, now }: ProofPorts): Prove {
  return (request) => {
    const nowSeconds = Math.floor(now() / SECOND_MS);
    const verdict = verifyHmac(request, { secrets, headers: names.hmacHeaders, nowSeconds });
    return verdict.ok ? { ok: true, sender, keyid: null } : refused(HMAC_FAILURES[verdict.reason]);
  };
}

function proveByToken({ credentials, sender }: LegacyEndpoint): Prove {
  return (_request, header) => {
    const authorization = header('authorization');
    if (authorization === undefined) return refused('signature_header_malformed');
    const fits = credentials.map((token) => isBearer(authorization, token));
    return fits.includes(true) ? { ok: true, sender, keyid: null } : refused('signature_invalid');
  };
}
