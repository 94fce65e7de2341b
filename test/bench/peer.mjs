/**
 * The peer: a minimal seller on the public SDK's own server API, written as an adopter would write it.
 * Everything lives in memory: the catalog, the media buys and the idempotency keys. Nothing touches the disk.
 *
 * Choices, each in the peer's favour or equal to what our server does:
 * - the SDK's function API (`createAdcpServer`), not the platform API that wraps it and costs half as much again;
 * - requests are validated, as ours are; the SDK's validation of its own responses is off;
 * - one API key is checked per call, as ours is.
 *
 *   PORT=4100 node test/bench/peer.mjs        then POST http://127.0.0.1:4100/mcp, Authorization: Bearer sandbox-token
 */
import { createIdempotencyStore, InMemoryStateStore, memoryBackend, serve, verifyApiKey } from '@adcp/sdk/server';
import { createAdcpServer } from '@adcp/sdk/server/legacy/v5';

const account = { id: 'acct_sandbox' };
const mediaBuys = new Map();

const products = Array.from({ length: 6 }, (_, index) => ({
  product_id: index === 0 ? 'test-product' : `product-${index}`,
  name: `News display ${index}`,
  description: 'Display inventory on the news pages of a fictional publisher',
  publisher_properties: [{ publisher_domain: 'publisher.example.com', selection_type: 'all' }],
  channels: ['display'],
  format_ids: [{ agent_url: 'https://creative.example.com/mcp', id: 'display_300x250' }],
  delivery_type: 'guaranteed',
  pricing_options: [{ pricing_option_id: 'default', pricing_model: 'cpm', currency: 'USD', fixed_price: 12 }],
  reporting_capabilities: {
    available_reporting_frequencies: ['daily'],
    expected_delay_minutes: 240,
    timezone: 'UTC',
    supports_webhooks: false,
    available_metrics: ['impressions', 'spend'],
    date_range_support: 'date_range',
  },
}));

/** Books a media buy in memory and answers it. */
async function createMediaBuy(request) {
  const mediaBuyId = `mb_${mediaBuys.size + 1}`;
  const packages = request.packages.map((wanted, index) => ({
    package_id: `${mediaBuyId}_pkg_${index}`,
    product_id: wanted.product_id,
    pricing_option_id: wanted.pricing_option_id,
    budget: wanted.budget,
  }));
  const booked = {
    media_buy_id: mediaBuyId,
    status: 'active',
    revision: 1,
    confirmed_at: new Date().toISOString(),
    packages,
  };
  const totalBudget = packages.reduce((sum, each) => sum + each.budget, 0);
  mediaBuys.set(mediaBuyId, { ...booked, currency: 'USD', total_budget: totalBudget });
  return booked;
}

const idempotency = createIdempotencyStore({ backend: memoryBackend(), ttlSeconds: 86_400 });
const stateStore = new InMemoryStateStore();

/** One server per request, which is how the SDK's `serve` works; what must outlive a request is passed in. */
function createPeer({ taskStore }) {
  return createAdcpServer({
    name: 'Peer seller',
    version: '1.0.0',
    taskStore,
    stateStore,
    idempotency,
    validation: { requests: 'strict', responses: 'off' },
    resolveSessionKey: () => account.id,
    resolveAccount: async (reference) => (reference.account_id === account.id ? account : null),
    mediaBuy: {
      getProducts: async () => ({ products }),
      createMediaBuy,
      getMediaBuys: async () => ({ media_buys: [...mediaBuys.values()].slice(0, 50) }),
    },
  });
}

serve(createPeer, {
  port: Number(process.env.PORT),
  authenticate: verifyApiKey({ keys: { 'sandbox-token': { principal: 'sandbox' } } }),
});
