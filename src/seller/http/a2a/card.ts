import type { AgentCard } from 'a2a-sdk';
import type { App } from '../../context.js';
import type { GrantScope } from '../../domain/tenant/grant.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { TENANT_KINDS } from '../../domain/tenant/tenant.js';
import { listedTools } from '../../tasks/index.js';
import { toolName } from '../../tasks/pipeline/tool.js';
import type { Limits } from '../limits.js';
import { addressesOf } from '../oauth/metadata.js';
import type { TaskStreams } from '../task-streams.js';

/** The services of an endpoint. */
export type AgentParts = {
  readonly app: App;
  readonly limits: Limits;
  readonly streams: TaskStreams;
  readonly seller: Seller;
  readonly version: string;
};

/** The parts of an agent card. */
type CardParts = Pick<AgentParts, 'app' | 'seller' | 'version'>;

/** Where cards are looked for: the present path, and the one of older clients. */
export const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/** The revisions of A2A that are spoken at one URL, the one that a client without a version means last. */
const REVISIONS = ['1.0', '0.3.0'] as const;

/** Whether a client's A2A-Version names a revision that is spoken; a client of 0.3 names none. */
export function isRevisionSpoken(version: string | undefined): boolean {
  if (version === undefined || version === '') return true;
  return REVISIONS.some((revision) => revision === version || revision === `${version}.0`);
}

const JSON_MODE = 'application/json';

/** Returns the path below which a tenant is asked over A2A. */
function a2aPath({ tenant }: Seller): string {
  return `/${tenant.path}/a2a`;
}

/**
 * Returns the card of a tenant, with the members that clients of both revisions read. Like tools/list it names the skills of the sandbox
 * to its principals alone.
 */
export function describeAgent({ app, seller, version }: CardParts, isSandbox = false): object {
  const { tenant, names } = seller;
  const url = `${app.renderer().baseUrl}${a2aPath(seller)}`;
  const skills = listedTools(seller, isSandbox).map((tool) => ({
    id: toolName(tool, names),
    name: tool.title,
    description: tool.description,
    tags: [names.own, ...tool.kinds.filter((kind) => tenant.kinds.includes(kind))],
    examples: [],
    inputModes: [JSON_MODE],
    outputModes: [JSON_MODE],
  }));
  const shared = {
    name: tenant.name,
    description: `${tenant.description} Send one data part: {"skill": a skill's id, "input": its arguments}.`,
    supportedInterfaces: REVISIONS.map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      tenant: '',
      protocolVersion,
    })),
    version,
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false },
    defaultInputModes: [JSON_MODE],
    defaultOutputModes: [JSON_MODE],
    skills,
  } satisfies Partial<Record<keyof AgentCard, unknown>>;
  return {
    ...shared,
    protocolVersion: REVISIONS.at(-1),
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    ...describeSecurity(seller),
    supportsAuthenticatedExtendedCard: false,
  };
}

/** Returns how one proves who one is, as both revisions say it: by a key, and where the tenant lets people sign in, by an access token. */
function describeSecurity(seller: Seller): object {
  const signIn = describeSignIn(seller);
  const bearer = { type: 'http', scheme: 'bearer', httpAuthSecurityScheme: { scheme: 'Bearer' } };
  // The SDK reads each member of the card that it is given, also one that is undefined.
  const securitySchemes = signIn === undefined ? { bearer } : { bearer, [SIGN_IN]: signIn };
  const schemes = Object.keys(securitySchemes);
  return {
    securitySchemes,
    security: schemes.map((name) => ({ [name]: scopesOf(name) })),
    securityRequirements: schemes.map((name) => ({ schemes: { [name]: { list: scopesOf(name) } } })),
  };
}

/** The name of the scheme in a card. */
const SIGN_IN = 'oauth';

function scopesOf(name: string): readonly string[] {
  return name === SIGN_IN ? ['read'] : [];
}

/** Returns the scheme of access tokens (RFC 9728, OpenID Connect); undefined where a tenant takes none. */
function describeSignIn(seller: Seller): object | undefined {
  const { oauth } = seller.tenant;
  if (oauth === undefined) return undefined;
  const description = `Ask for the resource ${seller.url}; the access is that of the MCP endpoint, with its scopes and its limit per day.`;
  if (oauth.issuer !== undefined) {
    const scheme = {
      description,
      openIdConnectUrl: `${oauth.issuer.url.replace(/\/$/, '')}/.well-known/openid-configuration`,
    };
    return { type: 'openIdConnect', ...scheme, openIdConnectSecurityScheme: scheme };
  }
  const { authorization_endpoint, metadata, token_endpoint } = addressesOf(seller.baseUrl);
  const authorizationCode = {
    authorizationUrl: `${authorization_endpoint}?resource=${encodeURIComponent(seller.url)}`,
    tokenUrl: token_endpoint,
    refreshUrl: token_endpoint,
    scopes: SCOPES,
  };
  const scheme = { description, oauth2MetadataUrl: metadata };
  return {
    type: 'oauth2',
    ...scheme,
    flows: { authorizationCode },
    oauth2SecurityScheme: { ...scheme, flows: { authorizationCode: { ...authorizationCode, pkceRequired: true } } },
  };
}

/** The scopes as a card explains them. */
const SCOPES: Readonly<Record<GrantScope, string>> = {
  read: 'Look',
  buy: 'Buy and change',
  operate: 'Set up accounts and lists',
};

/** Returns the seller whose card stands for the host: the first of those that sell, else that make, else that know audiences. */
export function hostSeller(sellers: Iterable<Seller>): Seller | undefined {
  const all = [...sellers];
  return TENANT_KINDS.flatMap((kind) => all.filter(({ tenant }) => tenant.kinds.includes(kind)))[0];
}
