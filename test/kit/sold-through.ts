import { saveCreative } from '../../src/seller/lifecycle/creatives.js';
import type { Booted } from './boot.js';
import { addLivePrincipal, type TenantDraft } from './tenants.js';

/** Where a tenant's live orders go: its `ad_server` object, and the `adapter` object of its product. */
export type SoldThrough = {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly product?: Readonly<Record<string, unknown>>;
};

/** Has a tenant sell one product, in one format at one price, that every ad server of tests can carry out. */
export function sellOneProduct(tenant: TenantDraft, through: SoldThrough): void {
  addLivePrincipal(tenant);
  tenant.proposals = [];
  tenant.products = tenant.products.slice(0, 1);
  for (const product of tenant.products) {
    const { ages: _ages, signals: _signals, targeting: _targeting, ...inventory } = product.inventory as TenantDraft;
    product.inventory = inventory;
    product.metric_optimization = undefined;
    product.format_ids = ['display_300x250_image'];
    product.channels = ['display'];
    product.pricing_options = product.pricing_options.slice(0, 1);
    product.reporting_capabilities = {
      available_reporting_frequencies: ['daily'],
      expected_delay_minutes: 60,
      timezone: 'UTC',
      supports_webhooks: true,
      available_metrics: ['impressions', 'spend'],
      date_range_support: 'date_range',
    };
  }
  sendOrders(tenant, through);
}

/** Sends the live orders of a tenant elsewhere: the file of a switch. */
export function sendOrders(tenant: TenantDraft, { settings, product }: SoldThrough): void {
  tenant.fulfillment = undefined;
  tenant.ad_server = settings;
  for (const one of tenant.products) one.adapter = product;
}

/** Approves a creative whose files nobody can look at here. */
export async function approveCreative(server: Booted, mediaBuyId: string, creativeId: string): Promise<void> {
  const { lifecycle, store } = server.server().app;
  await store.transact(async (tx) => {
    const found = await tx.mediaBuys.findAnywhere(mediaBuyId);
    const creative = found && (await tx.creatives.find(found.owner, found.buy.account_id, creativeId));
    if (found === undefined || creative === undefined) throw new Error(`${mediaBuyId} has no creative ${creativeId}`);
    const ms = server.clock.now();
    const now = { ms, iso: new Date(ms).toISOString() };
    await saveCreative(
      { tx, lifecycle, owner: found.owner, now },
      { ...creative, status: 'approved', hold: undefined },
    );
  });
}
