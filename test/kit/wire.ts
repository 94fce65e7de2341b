/** A package as a buyer reads it in answers of create, update and get_media_buys. */
export type WirePackage = {
  readonly package_id: string;
  readonly product_id: string;
  readonly pricing_option_id: string;
  readonly budget: number;
  readonly bid_price?: number;
  readonly paused: boolean;
  readonly canceled: boolean;
  readonly ext?: object;
  readonly start_time: string;
  readonly end_time: string;
  readonly creative_assignments?: readonly { readonly creative_id: string }[];
  readonly creative_approvals?: readonly {
    readonly creative_id: string;
    readonly approval_status: string;
    readonly rejection_reason?: string;
  }[];
  readonly format_ids_pending?: readonly { readonly id: string }[];
  readonly snapshot?: { readonly impressions: number; readonly spend: number; readonly delivery_status?: string };
};

/** A media buy inside get_media_buys. */
export type WireMediaBuy = {
  readonly media_buy_id: string;
  readonly status: string;
  readonly revision: number;
  readonly currency: string;
  readonly total_budget: number;
  readonly confirmed_at: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly valid_actions: readonly string[];
  readonly packages: readonly WirePackage[];
  readonly cancellation?: { readonly canceled_by: string; readonly reason?: string };
  readonly history?: readonly {
    readonly revision: number;
    readonly action: string;
    readonly actor: string;
    readonly timestamp: string;
    readonly package_id?: string;
  }[];
};

/** Delivered numbers, of a buy, a package or a day. */
export type WireMetrics = {
  readonly impressions: number;
  readonly spend: number;
  readonly clicks?: number;
  readonly completed_views?: number;
};

/** A task as polls and lists show it. */
export type WireTask = {
  readonly task_id: string;
  readonly task_type: string;
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at?: string;
  readonly has_webhook: boolean;
  readonly domain?: string;
};

/** One error object. */
export type WireError = {
  readonly code: string;
  readonly message: string;
  readonly recovery?: string;
  readonly field?: string;
  readonly suggestion?: string;
  readonly retry_after?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly issues?: readonly { readonly pointer: string; readonly message: string; readonly keyword: string }[];
};

/**
 * The root object of an answer with the fields that tests read, as a buyer's client would type it. Which of them are there
 * depends on the task: a missing one is found by the expectation that reads it.
 */
export type Payload = Readonly<Record<string, unknown>> & {
  readonly status: string;
  readonly context?: unknown;
  readonly replayed?: boolean;
  readonly idempotency_key?: string;
  readonly code: string;
  readonly message: string;
  readonly errors: readonly WireError[];
  readonly adcp_error: WireError;
  readonly task_id: string;
  readonly estimated_completion: string;
  readonly completed_at?: string;
  readonly error?: WireError;
  readonly result?: Payload;
  readonly history?: readonly {
    readonly timestamp: string;
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
  readonly tasks: readonly WireTask[];
  readonly query_summary: { readonly total_matching: number; readonly returned: number };
  readonly media_buy_id: string;
  readonly media_buy_status: string;
  readonly revision: number;
  readonly valid_actions: readonly string[];
  readonly packages: readonly WirePackage[];
  readonly affected_packages: readonly WirePackage[];
  readonly media_buys: readonly WireMediaBuy[];
  readonly media_buy_deliveries: readonly {
    readonly media_buy_id: string;
    readonly status: string;
    readonly is_final: boolean;
    readonly totals: WireMetrics;
    readonly by_package: readonly (WireMetrics & {
      readonly package_id: string;
      readonly rate: number;
      readonly paused: boolean;
      readonly delivery_status?: string;
      readonly ext?: object;
      readonly daily_breakdown?: readonly (WireMetrics & { readonly date: string })[];
    })[];
  }[];
  readonly products: readonly {
    readonly product_id: string;
    readonly name: string;
    readonly pricing_options: readonly {
      readonly pricing_option_id: string;
      readonly pricing_model: string;
      readonly currency: string;
      readonly fixed_price?: number;
    }[];
    readonly format_ids: readonly { readonly agent_url: string; readonly id: string }[];
    readonly brief_relevance?: string;
  }[];
  readonly formats: readonly { readonly format_id: { readonly agent_url: string; readonly id: string } }[];
  readonly accounts: readonly {
    readonly account_id: string;
    readonly status: string;
    readonly action?: string;
    readonly errors?: readonly WireError[];
  }[];
  readonly creatives: readonly {
    readonly creative_id: string;
    readonly status: string;
    readonly action?: string;
    readonly name?: string;
    readonly changes?: readonly string[];
    readonly errors?: readonly WireError[];
    readonly warnings?: readonly string[];
    readonly rejection_reason?: string;
    readonly assignments?: { readonly assignment_count: number };
    readonly assigned_to?: readonly string[];
    readonly assignment_errors?: Readonly<Record<string, string>>;
    /** The next of get_creative_delivery alone. */
    readonly media_buy_id?: string;
    readonly totals?: WireMetrics;
    readonly variant_count?: number;
    readonly variants?: readonly (WireMetrics & { readonly variant_id: string; readonly manifest?: object })[];
  }[];
  readonly creative_agents: readonly { readonly agent_url: string; readonly agent_name?: string }[];
  readonly pagination: { readonly has_more: boolean; readonly cursor?: string; readonly total_count?: number };
};

/** What one task call brought: the root object, whether it failed, and the HTTP status. */
export type Answer = { readonly payload: Payload; readonly isError: boolean; readonly status: number };
