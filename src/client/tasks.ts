/** The members that every answer has. */
export type Envelope = {
  readonly status?: string;
  readonly message?: string;
  readonly task_id?: string;
  /** Whether the answer was stored under the key of the call, and is given again. */
  readonly replayed?: boolean;
  readonly idempotency_key?: string;
  readonly sandbox?: boolean;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly ext?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly code: string; readonly message: string; readonly field?: string }[];
};

/** An answer whose other members are as the protocol has them. */
export type Answer = Envelope & Readonly<Record<string, unknown>>;

/** An answer with the members of its task beside those of every answer. */
type With<Members> = Envelope & Members & Readonly<Record<string, unknown>>;

/** Where a list goes on. */
export type Pagination = { readonly has_more: boolean; readonly cursor?: string; readonly total_count?: number };

/** A way to pay for a product. */
export type PricingOption = {
  readonly pricing_option_id: string;
  readonly pricing_model: string;
  readonly currency?: string;
  readonly fixed_price?: number;
  readonly floor_price?: number;
};

/** Something that can be bought. */
export type Product = {
  readonly product_id: string;
  readonly name: string;
  readonly description?: string;
  readonly channels?: readonly string[];
  readonly delivery_type?: 'guaranteed' | 'non_guaranteed';
  readonly pricing_options: readonly PricingOption[];
} & Readonly<Record<string, unknown>>;

/** A package of a media buy. */
export type Package = {
  readonly package_id: string;
  readonly product_id?: string;
  readonly budget?: number;
  readonly paused?: boolean;
} & Readonly<Record<string, unknown>>;

/** A media buy. */
export type MediaBuy = {
  readonly media_buy_id: string;
  readonly revision?: number;
  readonly currency?: string;
  readonly total_budget?: number;
  readonly valid_actions?: readonly string[];
  readonly packages?: readonly Package[];
} & Readonly<Record<string, unknown>>;

/** The totals of a delivery. */
export type Totals = {
  readonly impressions: number;
  readonly spend: number;
  readonly clicks?: number;
} & Readonly<Record<string, unknown>>;

/** A creative of the library. */
export type Creative = {
  readonly creative_id: string;
  readonly name?: string;
  readonly status?: string;
} & Readonly<Record<string, unknown>>;

type BuyResult = With<Partial<MediaBuy>>;

/** The answer of each task whose members are named here; every other task answers Answer. */
export type TaskResults = {
  readonly get_products: With<{ readonly products: readonly Product[] }>;
  readonly list_creative_formats: With<{ readonly formats: readonly Readonly<Record<string, unknown>>[] }>;
  readonly list_accounts: With<{ readonly accounts: readonly Readonly<Record<string, unknown>>[] }>;
  readonly create_media_buy: BuyResult;
  readonly update_media_buy: BuyResult;
  readonly get_media_buys: With<{ readonly media_buys: readonly MediaBuy[]; readonly pagination?: Pagination }>;
  readonly get_media_buy_delivery: With<{
    readonly aggregated_totals: Totals;
    readonly media_buy_deliveries: readonly (Readonly<Record<string, unknown>> & {
      readonly media_buy_id: string;
      readonly totals: Totals;
    })[];
  }>;
  readonly sync_creatives: With<{ readonly creatives: readonly (Creative & { readonly action?: string })[] }>;
  readonly list_creatives: With<{ readonly creatives: readonly Creative[]; readonly pagination?: Pagination }>;
  readonly get_signals: With<{
    readonly signals: readonly (Readonly<Record<string, unknown>> & { readonly signal_agent_segment_id: string })[];
  }>;
  readonly list_tasks: With<{ readonly tasks: readonly Readonly<Record<string, unknown>>[] }>;
};

/** The tasks of the protocol by the name of their method; a changing one is called under a key. */
export const CLIENT_TASKS = {
  getCapabilities: { task: 'get_adcp_capabilities', changes: false },
  getProducts: { task: 'get_products', changes: false },
  getSignals: { task: 'get_signals', changes: false },
  listCreativeFormats: { task: 'list_creative_formats', changes: false },
  buildCreative: { task: 'build_creative', changes: true },
  previewCreative: { task: 'preview_creative', changes: false },
  validateInput: { task: 'validate_input', changes: false },
  listTransformers: { task: 'list_transformers', changes: false },
  listAccounts: { task: 'list_accounts', changes: false },
  syncAccounts: { task: 'sync_accounts', changes: true },
  getAccountFinancials: { task: 'get_account_financials', changes: false },
  syncGovernance: { task: 'sync_governance', changes: true },
  activateSignal: { task: 'activate_signal', changes: true },
  createMediaBuy: { task: 'create_media_buy', changes: true },
  updateMediaBuy: { task: 'update_media_buy', changes: true },
  getTaskStatus: { task: 'get_task_status', changes: false },
  listTasks: { task: 'list_tasks', changes: false },
  getMediaBuys: { task: 'get_media_buys', changes: false },
  getMediaBuyDelivery: { task: 'get_media_buy_delivery', changes: false },
  getMediaBuyArtifacts: { task: 'get_media_buy_artifacts', changes: false },
  syncCreatives: { task: 'sync_creatives', changes: true },
  listCreatives: { task: 'list_creatives', changes: false },
  getCreativeDelivery: { task: 'get_creative_delivery', changes: false },
  syncAudiences: { task: 'sync_audiences', changes: true },
  syncEventSources: { task: 'sync_event_sources', changes: true },
  logEvent: { task: 'log_event', changes: true },
  syncCatalogs: { task: 'sync_catalogs', changes: true },
  providePerformanceFeedback: { task: 'provide_performance_feedback', changes: true },
  reportUsage: { task: 'report_usage', changes: true },
  syncPlans: { task: 'sync_plans', changes: true },
  checkGovernance: { task: 'check_governance', changes: true },
  reportPlanOutcome: { task: 'report_plan_outcome', changes: true },
  getPlanAuditLogs: { task: 'get_plan_audit_logs', changes: false },
  getCreativeFeatures: { task: 'get_creative_features', changes: false },
  createContentStandards: { task: 'create_content_standards', changes: true },
  listContentStandards: { task: 'list_content_standards', changes: false },
  getContentStandards: { task: 'get_content_standards', changes: false },
  updateContentStandards: { task: 'update_content_standards', changes: true },
  calibrateContent: { task: 'calibrate_content', changes: true },
  validateContentDelivery: { task: 'validate_content_delivery', changes: false },
  createPropertyList: { task: 'create_property_list', changes: true },
  getPropertyList: { task: 'get_property_list', changes: false },
  updatePropertyList: { task: 'update_property_list', changes: true },
  listPropertyLists: { task: 'list_property_lists', changes: false },
  deletePropertyList: { task: 'delete_property_list', changes: true },
  createCollectionList: { task: 'create_collection_list', changes: true },
  getCollectionList: { task: 'get_collection_list', changes: false },
  updateCollectionList: { task: 'update_collection_list', changes: true },
  listCollectionLists: { task: 'list_collection_lists', changes: false },
  deleteCollectionList: { task: 'delete_collection_list', changes: true },
  validatePropertyDelivery: { task: 'validate_property_delivery', changes: false },
  listProducts: { task: 'list_products', changes: false },
  requestProposals: { task: 'request_proposals', changes: true },
  refineProposals: { task: 'refine_proposals', changes: true },
  declineProposals: { task: 'decline_proposals', changes: true },
  buyProducts: { task: 'buy_products', changes: true },
  acceptProposal: { task: 'accept_proposal', changes: true },
  controlMediaBuy: { task: 'control_media_buy', changes: true },
  getBrandIdentity: { task: 'get_brand_identity', changes: false },
  verifyBrandClaim: { task: 'verify_brand_claim', changes: false },
  verifyBrandClaims: { task: 'verify_brand_claims', changes: false },
  searchBrands: { task: 'search_brands', changes: false },
  getRights: { task: 'get_rights', changes: false },
  acquireRights: { task: 'acquire_rights', changes: true },
  updateRights: { task: 'update_rights', changes: true },
} as const;

/** The name of a method of the client. */
export type TaskMethod = keyof typeof CLIENT_TASKS;

/** The answer of a method. */
export type ResultOf<Method extends TaskMethod> = (typeof CLIENT_TASKS)[Method]['task'] extends keyof TaskResults
  ? TaskResults[(typeof CLIENT_TASKS)[Method]['task']]
  : Answer;
