/** A publisher as lookups know it. */
export type PublisherRow = {
  readonly publisher: number;
  readonly domain: string;
  /** null of a publisher that only other rows name. */
  readonly standing: string | null;
  /** Whether it grants anything exclusively. */
  readonly exclusive: number;
};

/** A property as lookups know it, with the number of its publisher; `tags` and `identifiers` are JSON. */
export type PropertyRow = {
  readonly rid: string;
  readonly property_id: string | null;
  readonly inline: number;
  readonly type: string;
  readonly tags: string;
  readonly identifiers: string;
  readonly publisher: number;
};

/** A property that an identifier names; `own_host` says of a host whether the publisher has it. */
export type ClaimRow = PropertyRow & { readonly own_host: number };

/** A row that authorizes. `rid` is empty where it names no property. */
export type GrantRow = {
  readonly row_id: string;
  readonly rid: string;
  readonly term: number;
};

/** A row that authorizes an agent, which it names. */
export type AgentGrantRow = GrantRow & { readonly url: string };

/** The one property with an identifier, and the rows of one agent that are for it or for no property alone. */
export type GrantedClaim = { readonly claim: PropertyRow; readonly grants: readonly GrantRow[] };
