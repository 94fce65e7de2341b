import type { Host, ToolArguments } from '../host/host.js';

/** An account to buy on, as list_accounts has it. */
export type Account = {
  readonly account_id: string;
  readonly name?: string;
  readonly brand?: { readonly domain?: string };
};

/** Who buys, as far as it is known: what the model named before, and the accounts that the caller has. */
export class Buyer {
  readonly #host: Host;
  #args: ToolArguments = {};
  #accounts: Promise<readonly Account[]> | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Takes what the model called the tool with. */
  learn(args: ToolArguments): void {
    this.#args = args;
  }

  /** What the model called the tool with. */
  get asked(): ToolArguments {
    return this.#args;
  }

  /** The brand that was named, as the tool takes it. */
  get brand(): { readonly domain?: string } | undefined {
    return this.#args.brand as { domain?: string } | undefined;
  }

  /** The account that was named, as the tool takes it. */
  get account(): object | undefined {
    return this.#args.account as object | undefined;
  }

  /** The days and the budget that were asked for. */
  get filters(): Filters {
    return { ...(this.#args.filters as Filters) };
  }

  /** Returns the accounts of the caller; none where there is no such list. */
  accounts(): Promise<readonly Account[]> {
    this.#accounts ??= this.#host
      .callTool('list_accounts', {})
      .then(({ structuredContent }) => (structuredContent?.accounts ?? []) as readonly Account[])
      .catch(() => []);
    return this.#accounts;
  }
}

type Filters = {
  readonly start_date?: string;
  readonly end_date?: string;
  readonly budget_range?: { readonly max?: number };
};
