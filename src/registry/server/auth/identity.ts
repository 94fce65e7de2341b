/** A user whose token is valid. */
export type TokenUser = {
  /** The issuer's name for the user. */
  readonly subject: string;
  readonly name: string;
};

/** An identity provider: one that the operator has configured, or the one for development. */
export type Identity = {
  readonly issuer: string;
  /** Returns the authorization server's own description (RFC 8414). Throws unavailable when it cannot be had. */
  readonly metadata: () => Promise<Readonly<Record<string, unknown>>>;
  /** Returns the user of an access token; undefined for one that is not valid here. Throws unavailable when its keys cannot be had. */
  readonly verify: (token: string) => Promise<TokenUser | undefined>;
  /** Registers a client (RFC 7591); returns the provider's status and body, undefined where the provider takes none. */
  readonly register: (client: object) => Promise<{ readonly status: number; readonly body: object } | undefined>;
};
