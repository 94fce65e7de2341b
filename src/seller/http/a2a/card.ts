import type { AgentCard } from 'a2a-sdk';
import type { App } from '../../context.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { TENANT_KINDS } from '../../domain/tenant/tenant.js';
import { listedTools } from '../../tasks/index.js';
import { toolName } from '../../tasks/pipeline/tool.js';
import type { Limits } from '../limits.js';
import type { TaskStreams } from './task-streams.js';

/** What an endpoint is made of. */
export type AgentParts = {
  readonly app: App;
  readonly limits: Limits;
  readonly streams: TaskStreams;
  readonly seller: Seller;
  readonly version: string;
};

/** What a card is made of. */
type CardParts = Pick<AgentParts, 'app' | 'seller' | 'version'>;

/** Where cards are looked for: the present path, and the one of older clients. */
export const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/** The revisions of A2A that are spoken at one URL, the one that a client without a version means last. */
const REVISIONS = ['1.0', '0.3.0'] as const;

const JSON_MODE = 'application/json';

/** The path below which a tenant is asked over A2A. */
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
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', httpAuthSecurityScheme: { scheme: 'Bearer' } },
    },
    security: [{ bearer: [] }],
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    supportsAuthenticatedExtendedCard: false,
  };
}

/** Returns the seller whose card stands for the host: the first of those that sell, else that make, else that know audiences. */
export function hostSeller(sellers: Iterable<Seller>): Seller | undefined {
  const all = [...sellers];
  return TENANT_KINDS.flatMap((kind) => all.filter(({ tenant }) => tenant.kinds.includes(kind)))[0];
}
