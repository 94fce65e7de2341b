import type { JsonSchema, SchemaSet } from './schemas.js';

/** A part of a schema, and the document that its local references lead into. */
export type SchemaNode = { readonly schema: unknown; readonly document: JsonSchema };

/** The public schemas of a task's request in each release, as files; a task may be described in several. */
export const REQUEST_SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  get_capabilities: ['protocol/get-adcp-capabilities-request'],
  get_products: ['media-buy/get-products-request'],
  list_creative_formats: ['media-buy/list-creative-formats-request', 'creative/list-creative-formats-request'],
  create_media_buy: ['media-buy/create-media-buy-request'],
  update_media_buy: ['media-buy/update-media-buy-request'],
  get_media_buys: ['media-buy/get-media-buys-request'],
  get_media_buy_delivery: ['media-buy/get-media-buy-delivery-request'],
  get_media_buy_artifacts: ['content-standards/get-media-buy-artifacts-request'],
  provide_performance_feedback: ['media-buy/provide-performance-feedback-request'],
  sync_creatives: ['creative/sync-creatives-request'],
  list_creatives: ['creative/list-creatives-request'],
  get_creative_delivery: ['creative/get-creative-delivery-request'],
  build_creative: ['media-buy/build-creative-request'],
  preview_creative: ['creative/preview-creative-request'],
  list_transformers: ['creative/list-transformers-request'],
  validate_input: ['creative/validate-input-request'],
  get_signals: ['signals/get-signals-request'],
  activate_signal: ['signals/activate-signal-request'],
  list_accounts: ['account/list-accounts-request'],
  sync_accounts: ['account/sync-accounts-request'],
  get_account_financials: ['account/get-account-financials-request'],
  sync_governance: ['account/sync-governance-request'],
  report_usage: ['account/report-usage-request'],
  sync_audiences: ['media-buy/sync-audiences-request'],
  sync_event_sources: ['media-buy/sync-event-sources-request'],
  log_event: ['media-buy/log-event-request'],
  sync_catalogs: ['media-buy/sync-catalogs-request'],
  get_task_status: ['protocol/get-task-status-request'],
  list_tasks: ['protocol/list-tasks-request'],
  sync_plans: ['governance/sync-plans-request'],
  check_governance: ['governance/check-governance-request'],
  report_plan_outcome: ['governance/report-plan-outcome-request'],
  get_creative_features: ['creative/get-creative-features-request'],
  get_plan_audit_logs: ['governance/get-plan-audit-logs-request'],
  create_content_standards: ['content-standards/create-content-standards-request'],
  list_content_standards: ['content-standards/list-content-standards-request'],
  get_content_standards: ['content-standards/get-content-standards-request'],
  update_content_standards: ['content-standards/update-content-standards-request'],
  calibrate_content: ['content-standards/calibrate-content-request'],
  validate_content_delivery: ['content-standards/validate-content-delivery-request'],
  validate_property_delivery: ['property/validate-property-delivery-request'],
  create_property_list: ['property/create-property-list-request'],
  get_property_list: ['property/get-property-list-request'],
  update_property_list: ['property/update-property-list-request'],
  list_property_lists: ['property/list-property-lists-request'],
  delete_property_list: ['property/delete-property-list-request'],
  create_collection_list: ['collection/create-collection-list-request'],
  get_collection_list: ['collection/get-collection-list-request'],
  update_collection_list: ['collection/update-collection-list-request'],
  list_collection_lists: ['collection/list-collection-lists-request'],
  delete_collection_list: ['collection/delete-collection-list-request'],
  list_products: ['media-buy/list-products-request'],
  request_proposals: ['media-buy/request-proposals-request'],
  refine_proposals: ['media-buy/refine-proposals-request'],
  decline_proposals: ['media-buy/decline-proposals-request'],
  buy_products: ['media-buy/buy-products-request'],
  accept_proposal: ['media-buy/accept-proposal-request'],
  control_media_buy: ['media-buy/control-media-buy-request'],
  get_brand_identity: ['brand/get-brand-identity-request'],
  verify_brand_claim: ['brand/verify-brand-claim-request'],
  verify_brand_claims: ['brand/verify-brand-claims-request'],
  search_brands: ['brand/search-brands-request'],
  get_rights: ['brand/get-rights-request'],
  acquire_rights: ['brand/acquire-rights-request'],
  update_rights: ['brand/update-rights-request'],
  comply_test_controller: ['compliance/comply-test-controller-request'],
};

/** The request schemas of a task in a release; none where the release lacks the task. */
export function requestNodes(schemas: SchemaSet, task: string): readonly SchemaNode[] {
  return (REQUEST_SCHEMAS[task] ?? []).flatMap((name) => {
    try {
      const document = schemas.named(name);
      return [{ schema: document, document }];
    } catch {
      return [];
    }
  });
}

/** Keywords whose schemas say more of the same value. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'items'] as const;

/**
 * The members that a value of these schemas may have, by name, each with all that is said of it. A list has the members of its items;
 * those of a map are `*`.
 */
export function memberNodes(
  schemas: SchemaSet,
  nodes: readonly SchemaNode[],
): ReadonlyMap<string, readonly SchemaNode[]> {
  const members = new Map<string, SchemaNode[]>();
  const seen = new Set<unknown>();
  const visit = ({ schema, document }: SchemaNode): void => {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return;
    seen.add(schema);
    const node = schema as JsonSchema;
    if (typeof node.$ref === 'string') visit(resolve(schemas, node.$ref, document));
    for (const keyword of SAME_VALUE) for (const part of [node[keyword]].flat()) visit({ schema: part, document });
    for (const [name, member] of Object.entries((node.properties ?? {}) as JsonSchema))
      members.set(name, [...(members.get(name) ?? []), { schema: member, document }]);
    const keyed = [node.additionalProperties, ...Object.values((node.patternProperties ?? {}) as JsonSchema)];
    for (const member of keyed)
      if (typeof member === 'object' && member !== null && hasMembers(schemas, { schema: member, document }))
        members.set('*', [...(members.get('*') ?? []), { schema: member, document }]);
  };
  for (const node of nodes) visit(node);
  return members;
}

/** All that is said of a value by its schemas, with what they refer to and choose among in its place; of a list not what its items are. */
export function concreteSchemas(schemas: SchemaSet, nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const found = new Map<unknown, SchemaNode>();
  const visit = ({ schema, document }: SchemaNode): void => {
    if (typeof schema !== 'object' || schema === null || found.has(schema)) return;
    found.set(schema, { schema, document });
    const node = schema as JsonSchema;
    if (typeof node.$ref === 'string') visit(resolve(schemas, node.$ref, document));
    for (const keyword of SAME_VALUE.filter((one) => one !== 'items'))
      for (const part of [node[keyword]].flat()) visit({ schema: part, document });
  };
  for (const node of nodes) visit(node);
  return [...found.values()];
}

function hasMembers(schemas: SchemaSet, node: SchemaNode): boolean {
  return memberNodes(schemas, [node]).size > 0;
}

function resolve(schemas: SchemaSet, ref: string, document: JsonSchema): SchemaNode {
  const [id = '', pointer = ''] = ref.split('#');
  const target = id === '' ? document : schemas.named(id);
  const steps = pointer.split('/').filter((step) => step !== '');
  const schema = steps.reduce<unknown>((at, step) => (at as JsonSchema | undefined)?.[step], target);
  return { schema, document: target };
}
