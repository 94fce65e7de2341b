/** A user that a token proves. */
export type TokenUser = {
  /** The issuer's name for the user. */
  readonly subject: string;
  readonly name: string;
};

/** Who vouches for users: an identity provider that the operator has configured, or the one for development. */
export type Identity = {
  readonly issuer: string;
  /** The authorization server's own description (RFC 8414). Throws unavailable when it cannot be had. */
  readonly metadata: () => Promise<Readonly<Record<string, unknown>>>;
  /** The user of an access token; undefined for one that is not valid here. Throws unavailable when its keys cannot be had. */
  readonly verify: (token: string) => Promise<TokenUser | undefined>;
  /** Registers a client (RFC 7591): the provider's status and body. Undefined where the provider takes none. */
  readonly register: (client: object) => Promise<{ readonly status: number; readonly body: object } | undefined>;
};
