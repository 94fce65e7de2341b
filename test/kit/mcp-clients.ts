import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterUse } from './after-use.js';

const IDENTITY = { name: 'test', version: '1' };

/** An endpoint, and the key that is brought. */
type Target = { readonly url: string; readonly token?: string };

const headersOf = ({ token = 'sandbox-token' }: Target) => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
});

/** Connects the SDK's newer client in the newest revision (`auto`) or an older one. */
export async function connectNew(
  target: Target,
  mode: 'auto' | 'legacy' = 'auto',
  capabilities: object = {},
): Promise<NewClient> {
  const client = new NewClient(IDENTITY, { versionNegotiation: { mode }, capabilities });
  await client.connect(new NewTransport(new URL(target.url), headersOf(target)));
  afterUse(() => client.close());
  return client;
}

/** Connects the SDK's client of the older revisions. */
export async function connectOld(target: Target, capabilities: object = {}): Promise<OldClient> {
  const client = new OldClient(IDENTITY, { capabilities });
  await client.connect(new OldTransport(new URL(target.url), headersOf(target)));
  afterUse(() => client.close());
  return client;
}

/** The clients that a surface of MCP has to serve, by what they are. */
export const MCP_CLIENTS = [
  ['the client of the older revisions', (target: Target) => connectOld(target)],
  ['the newer client in an older revision', (target: Target) => connectNew(target, 'legacy')],
  ['the newer client in the newest revision', (target: Target) => connectNew(target)],
] as const;
