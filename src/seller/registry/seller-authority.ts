import { readAdagents } from '../../registry/adagents/adagents.js';
import { adagentsUrl, type EffectiveAdagents } from '../../registry/adagents/discovery.js';
import { isAuthorized } from '../../registry/authorization/authorize.js';
import { canonicalAgentUrl } from '../../registry/model/agent-url.js';
import { domainName, publisherDomain } from '../../registry/model/domains.js';
import { publisherAdagents } from '../../registry/publish/adagents.js';
import type { ConfiguredPublisher, HostedAgent } from '../../registry/publish/types.js';
import type { AuthorizationStatus } from '../domain/governance/lists/delivery.js';
import type { PropertyId } from '../domain/governance/lists/inventory-list.js';
import type { RegistryUse } from './registry-use.js';

/** Whether an agent may sell a property by its publisher's adagents.json, in the members of the wire. */
type SellerAuthorization = {
  readonly status: AuthorizationStatus;
  readonly publisher_domain?: string | undefined;
  readonly sales_agent_url: string;
  readonly violation?: { readonly code: string; readonly message: string };
};

/** The sources of publishers' files: a copy of a registry, and those that are written here for the agents of this host. */
type AuthorityPorts = {
  readonly registry: Pick<RegistryUse, 'effectiveOf'>;
  readonly publishers: readonly ConfiguredPublisher[];
  readonly agents: readonly Pick<HostedAgent, 'url' | 'name' | 'publisherDomains'>[];
  readonly now: { readonly ms: number; readonly iso: string };
  /** Development mode: http and loopback agents are read in the files that are written here. */
  readonly local: boolean;
};

/** Judges by publishers' files who may sell what; a file is looked up once. It is for one call. */
export class SellerAuthority {
  readonly #ports: AuthorityPorts;
  readonly #files = new Map<string, EffectiveAdagents | undefined>();

  constructor(ports: AuthorityPorts) {
    this.#ports = ports;
  }

  /** Returns whether an agent may sell what an identifier names; `publisher` is whose property it is, where that is known. */
  judge(agent: string, id: PropertyId, publisher: string | undefined): SellerAuthorization {
    const isHost = id.type === 'domain' || id.type === 'subdomain';
    const host = isHost ? domainName(id.value) : undefined;
    const domain = publisher ?? (host && publisherDomain(host));
    const file = domain === undefined ? undefined : this.#fileOf(domain);
    const asked = { sales_agent_url: agent, publisher_domain: domain };
    const isQuestion = canonicalAgentUrl(agent) !== undefined && (!isHost || host !== undefined);
    if (file === undefined || !isQuestion) return { status: 'unknown', ...asked };
    // Where and when each impression ran is not told: what an entry limits beside that is no violation.
    const question = { agent, property: id, at: this.#ports.now.ms, openLimits: 'report' } as const;
    const { authorized, explanation, reason } = isAuthorized(question, file);
    if (authorized) return { status: 'authorized', ...asked };
    return { status: 'unauthorized', ...asked, violation: { code: reason, message: explanation } };
  }

  #fileOf(domain: string): EffectiveAdagents | undefined {
    if (this.#files.has(domain)) return this.#files.get(domain);
    const file = this.#ports.registry.effectiveOf(domain) ?? this.#written(domain);
    this.#files.set(domain, file);
    return file;
  }

  /** Returns the file that is written here for a publisher, as whoever reads it at its domain would. */
  #written(domain: string): EffectiveAdagents | undefined {
    const { agents, local, now, publishers } = this.#ports;
    const publisher = publishers.find((one) => one.domain === domain);
    if (publisher === undefined) return undefined;
    const url = adagentsUrl(domain);
    const text = JSON.stringify(publisherAdagents(publisher, { agents, signingKeys: [], nowIso: now.iso }));
    const { content } = readAdagents(text, { file: url, domain, nowMs: now.ms, local });
    return content?.kind === 'file'
      ? { publisherDomain: domain, method: 'direct', url, file: content.file }
      : undefined;
  }
}
