import type { OriginPage } from '../origins.js';

/** A property as a publisher's file has it. */
export type FarmProperty = {
  readonly id?: string;
  readonly type: string;
  readonly name: string;
  readonly identifiers: readonly { readonly type: string; readonly value: string }[];
  readonly tags: readonly string[];
};

/** What an entry lets its agent sell. */
export type Selling =
  | { readonly by: 'ids'; readonly ids: readonly string[] }
  | { readonly by: 'tags'; readonly tags: readonly string[] }
  | { readonly by: 'all' }
  | { readonly by: 'inline'; readonly properties: readonly FarmProperty[] };

/** An agent that a publisher's file authorizes. */
export type FarmEntry = {
  readonly agent: string;
  readonly purpose: string;
  readonly sells: Selling;
  readonly delegation?: 'direct' | 'delegated';
  readonly until?: string;
};

/** What the file that counts for a publisher says of it. */
export type FarmFile = {
  readonly properties: readonly FarmProperty[];
  readonly entries: readonly FarmEntry[];
  /** Whether it says that it no longer speaks for the publisher. */
  readonly isRevoked?: boolean;
};

/** Where the file of a publisher is found, or why there is none that counts. */
export type FarmOutcome =
  | { readonly method: 'direct' | 'authoritative_location'; readonly url: string; readonly file: FarmFile }
  | {
      readonly method: 'ads_txt_managerdomain';
      readonly url: string;
      readonly manager: string;
      readonly file: FarmFile;
    }
  | { readonly reason: string };

/** A publisher of the farm: what it serves, and what that has to come to. */
export type FarmPublisher = {
  readonly kind: string;
  readonly domain: string;
  /** As the operator's list has it. */
  readonly typed: string;
  readonly pages: Readonly<Record<string, OriginPage | object>>;
  readonly outcome: FarmOutcome;
};

/** Returns where a domain serves its file. */
export function fileUrl(domain: string): string {
  return `https://${domain}/.well-known/adagents.json`;
}

/** Returns a file as its publisher writes it. */
export function writeFarmFile({ entries, isRevoked, properties }: FarmFile, domain: string): object {
  return {
    $schema: 'https://adcontextprotocol.org/schemas/v3/adagents.json',
    last_updated: '2020-01-01T00:00:00Z',
    properties: properties.length === 0 ? undefined : properties.map((one) => writeProperty(one, domain)),
    authorized_agents: entries.map(({ agent, delegation, purpose, sells, until }) => ({
      url: agent,
      authorized_for: purpose,
      delegation_type: delegation,
      effective_until: until,
      ...writeSelling(sells, domain),
    })),
    revoked_publisher_domains: isRevoked
      ? [{ publisher_domain: domain, revoked_at: '2020-01-01T00:00:00Z', reason: 'relationship_ended' }]
      : undefined,
  };
}

/** Returns a property as the file of its publisher, or of its network, has it. */
export function writeProperty({ id, identifiers, name, tags, type }: FarmProperty, domain: string): object {
  return { property_id: id, property_type: type, name, identifiers, tags, publisher_domain: domain };
}

function writeSelling(sells: Selling, domain: string): object {
  switch (sells.by) {
    case 'ids':
      return { authorization_type: 'property_ids', property_ids: sells.ids };
    case 'tags':
      return { authorization_type: 'property_tags', property_tags: sells.tags };
    case 'inline': {
      const properties = sells.properties.map((one) => writeProperty(one, domain));
      return { authorization_type: 'inline_properties', properties };
    }
    case 'all': {
      const selector = { publisher_domain: domain, selection_type: 'all' };
      return { authorization_type: 'publisher_properties', publisher_properties: [selector] };
    }
  }
}
