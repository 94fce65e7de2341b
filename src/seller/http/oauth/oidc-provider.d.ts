/** The part of oidc-provider that is used here; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  type Payload = Record<string, unknown>;

  /** One request, as the library sees it. */
  export type OidcContext = {
    readonly oidc: {
      readonly result?: { readonly login?: object } | undefined;
      readonly client?: OidcClient | undefined;
    };
    body: unknown;
    type: string;
    status: number;
    readonly path: string;
    readonly response: { get(name: string): string | undefined };
    remove(name: string): void;
    set(name: string, value: string): void;
  };

  export type OidcClient = {
    readonly clientId: string;
    readonly clientName?: string | undefined;
    grantTypeAllowed(type: string): boolean;
  };

  export class Grant {
    constructor(of: { readonly accountId: string; readonly clientId: string });
    addResourceScope(resource: string, scope: string): void;
    rejectResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export type Interaction = {
    readonly uid: string;
    readonly params: Payload;
    readonly returnTo: string;
  };

  export interface OidcAdapter {
    upsert(id: string, payload: Payload, expiresIn: number | undefined): Promise<void>;
    find(id: string): Promise<Payload | undefined>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    readonly Grant: typeof Grant;
    readonly Client: { find(id: string): Promise<OidcClient | undefined> };
    use(handle: (context: OidcContext, next: () => Promise<void>) => Promise<void>): void;
    callback(): RequestListener;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    on(event: string, listener: (context: unknown, error: unknown) => void): void;
  }

  export const errors: {
    readonly InvalidTarget: new (description: string) => Error;
    readonly InvalidGrant: new (description: string) => Error;
    readonly InvalidClientMetadata: new (description: string) => Error;
  };

  export const interactionPolicy: {
    base(): { get(name: string): { checks: { clear(): void; add(check: object): void } } };
    Check: new (reason: string, description: string, check: (context: OidcContext) => boolean) => object;
  };
}
