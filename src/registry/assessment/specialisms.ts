/** A claim of an agent that selects more storyboards of the public suite. */
type Specialism = {
  /** The protocol that it belongs to; absent where it is about every agent. */
  readonly protocol?: string;
  /** Tasks without which its storyboards cannot pass. */
  readonly tasks: readonly string[];
};

const SALES = ['get_products', 'create_media_buy', 'update_media_buy', 'get_media_buys', 'get_media_buy_delivery'];

/** The specialisms of the protocol. */
export const SPECIALISMS: ReadonlyMap<string, Specialism> = new Map<string, Specialism>(
  Object.entries({
    'audience-sync': { protocol: 'media_buy', tasks: ['sync_audiences'] },
    'brand-rights': { protocol: 'brand', tasks: ['get_brand_identity', 'get_rights', 'acquire_rights'] },
    'collection-lists': { protocol: 'governance', tasks: ['create_collection_list', 'get_collection_list'] },
    'content-standards': { protocol: 'governance', tasks: ['list_content_standards', 'create_content_standards'] },
    'creative-ad-server': {
      protocol: 'creative',
      tasks: ['list_creative_formats', 'list_creatives', 'sync_creatives'],
    },
    'creative-generative': { protocol: 'creative', tasks: ['list_creative_formats', 'build_creative'] },
    'creative-template': {
      protocol: 'creative',
      tasks: ['list_creative_formats', 'build_creative', 'preview_creative'],
    },
    'creative-transformers': { protocol: 'creative', tasks: ['list_transformers', 'build_creative'] },
    'governance-aware-seller': { protocol: 'media_buy', tasks: [...SALES, 'sync_governance'] },
    'governance-delivery-monitor': { protocol: 'governance', tasks: ['sync_plans', 'check_governance'] },
    'governance-spend-authority': { protocol: 'governance', tasks: ['sync_plans', 'check_governance'] },
    'property-lists': { protocol: 'governance', tasks: ['create_property_list', 'get_property_list'] },
    'sales-broadcast-tv': { protocol: 'media_buy', tasks: SALES },
    'sales-catalog-driven': { protocol: 'media_buy', tasks: [...SALES, 'sync_catalogs'] },
    'sales-guaranteed': { protocol: 'media_buy', tasks: SALES },
    'sales-non-guaranteed': { protocol: 'media_buy', tasks: SALES },
    'sales-proposal-mode': { protocol: 'media_buy', tasks: SALES },
    'sales-social': { protocol: 'media_buy', tasks: SALES },
    'signal-marketplace': { protocol: 'signals', tasks: ['get_signals', 'activate_signal'] },
    'signal-owned': { protocol: 'signals', tasks: ['get_signals', 'activate_signal'] },
    'signed-requests': { tasks: [] },
    'sponsored-intelligence': { protocol: 'sponsored_intelligence', tasks: ['si_initiate_session', 'si_send_message'] },
  }),
);
