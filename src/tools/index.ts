import type { Seller } from '../domain/seller.js';
import { listAccounts, syncAccounts } from './accounts.js';
import { buildCreative } from './build-creative.js';
import { createMediaBuy } from './create-media-buy.js';
import { type Tool, toolName } from './define.js';
import { getCapabilities } from './get-capabilities.js';
import { getMediaBuyDelivery } from './get-media-buy-delivery.js';
import { getMediaBuys } from './get-media-buys.js';
import { getProducts } from './get-products.js';
import { listCreativeFormats } from './list-creative-formats.js';
import { listCreatives } from './list-creatives.js';
import { previewCreative } from './preview-creative.js';
import { providePerformanceFeedback } from './provide-performance-feedback.js';
import { syncCreatives } from './sync-creatives.js';
import { updateMediaBuy } from './update-media-buy.js';

/** The table of tasks, in the order a buyer meets them. tools/list, dispatch and adagents.json derive from it. */
export const TOOLS: readonly Tool[] = [
  getCapabilities,
  getProducts,
  listCreativeFormats,
  buildCreative,
  previewCreative,
  listAccounts,
  syncAccounts,
  createMediaBuy,
  updateMediaBuy,
  getMediaBuys,
  getMediaBuyDelivery,
  syncCreatives,
  listCreatives,
  providePerformanceFeedback,
];

/** The tasks that a tenant offers. */
export function toolsOf(seller: Seller): readonly Tool[] {
  return TOOLS.filter((tool) => tool.kinds.some((kind) => seller.tenant.kinds.includes(kind)));
}

/** The names under which a tenant lists its tasks. */
export function toolNames(seller: Seller): readonly string[] {
  return toolsOf(seller).map((tool) => toolName(tool, seller.names));
}

/** Finds a task by the name a caller used, aliases of the capabilities task included. */
export function findTool(seller: Seller, name: string): Tool | undefined {
  const { capabilitiesTool, capabilitiesAliases } = seller.names;
  const listed = capabilitiesAliases.includes(name) ? capabilitiesTool : name;
  return toolsOf(seller).find((tool) => toolName(tool, seller.names) === listed);
}
