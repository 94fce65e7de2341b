import { canonicalAgentUrl } from '../../../model/agent-url.js';
import { publisherDomain, typedDomain } from '../../../model/domains.js';
import { findOrganization } from '../../auth/members.js';
import { RegistryProblem } from '../problem.js';
import type { BlockedKind } from '../records.js';
import type { Registry } from '../registry.js';
import { blockKey } from './find.js';

/**
 * A thing that an operator names: a domain, the URL of an agent, the id or slug of an organization, the subject of a
 * member.
 */
export type NamedThing = { readonly kind: BlockedKind; readonly name: string };

/** Returns a thing by the one name that it has here. Throws not_found for an organization that is none and for no URL of an agent, and invalid_domain. */
export async function resolveName(registry: Registry, { kind, name }: NamedThing): Promise<NamedThing> {
  if (kind === 'domain') {
    const domain = typedDomain(name);
    if (domain !== undefined) return { kind, name: publisherDomain(domain) };
    throw new RegistryProblem('invalid_domain', `${name} is not a valid domain.`, {
      field: '/name',
      suggestion: 'Send a host name of at least two labels, such as news.example.',
    });
  }
  if (kind === 'organization') return { kind, name: (await findOrganization(registry, name, '/name')).org_id };
  if (kind === 'member') return { kind, name };
  const url = canonicalAgentUrl(name);
  if (url !== undefined) return { kind, name: url };
  throw new RegistryProblem('not_found', `${name} is not the URL of an agent.`, {
    field: '/name',
    suggestion: 'Send the absolute https URL that buyers call, such as https://ads.example/mcp.',
  });
}

/** Returns a thing by the name that it is listed under, which need not be one that is taken today. Throws like `resolveName` for others. */
export async function resolveListed(
  registry: Registry,
  target: NamedThing,
  listed: { readonly find: (key: string) => Promise<object | undefined> },
): Promise<NamedThing> {
  return (await listed.find(blockKey(target.kind, target.name))) === undefined ? resolveName(registry, target) : target;
}
