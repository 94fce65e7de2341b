import type { TenantKind } from '../seller/domain/tenant/tenant.js';

/** The first call to try on an agent of each kind, for the public client. */
export const FIRST_CALLS: Readonly<Record<TenantKind, string>> = {
  sales: `get_products '{"brief":"video in the US"}'`,
  creative: "list_creative_formats '{}'",
  signals: `get_signals '{"signal_spec":"electric vehicle buyers"}'`,
  governance: "list_accounts '{}'",
  brand: `get_rights '{"query":"a face for our shoes","uses":["likeness"]}'`,
};
