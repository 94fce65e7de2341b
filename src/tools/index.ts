import type { Seller } from '../domain/seller.js';
import { protocolNames } from '../protocol/names.js';
import { listAccounts, syncAccounts } from './accounts.js';
import { activateSignal } from './activate-signal.js';
import { buildCreative } from './build-creative.js';
import { createMediaBuy } from './create-media-buy.js';
import { type Tool, toolName } from './define.js';
import { getCapabilities } from './get-capabilities.js';
import { getCreativeDelivery } from './get-creative-delivery.js';
import { getMediaBuyDelivery } from './get-media-buy-delivery.js';
import { getMediaBuys } from './get-media-buys.js';
import { getProducts } from './get-products.js';
import { getSignals } from './get-signals.js';
import { getTaskStatus } from './get-task-status.js';
import { listCreativeFormats } from './list-creative-formats.js';
import { listCreatives } from './list-creatives.js';
import { listTasks } from './list-tasks.js';
import { previewCreative } from './preview-creative.js';
import { providePerformanceFeedback } from './provide-performance-feedback.js';
import { reportUsage } from './report-usage.js';
import { syncCreatives } from './sync-creatives.js';
import { updateMediaBuy } from './update-media-buy.js';

const TASKS: readonly Tool[] = [
  getProducts,
  getSignals,
  listCreativeFormats,
  buildCreative,
  previewCreative,
  listAccounts,
  syncAccounts,
  activateSignal,
  createMediaBuy,
  updateMediaBuy,
  getTaskStatus,
  listTasks,
  getMediaBuys,
  getMediaBuyDelivery,
  syncCreatives,
  listCreatives,
  getCreativeDelivery,
  providePerformanceFeedback,
  reportUsage,
];

/** The table of tasks, in the order a buyer meets them. tools/list, dispatch and adagents.json derive from it. */
export const TOOLS: readonly Tool[] = [getCapabilities(TASKS), ...TASKS];

/** The tasks that a tenant offers. */
export function toolsOf(seller: Seller): readonly Tool[] {
  return TOOLS.filter((tool) => tool.kinds.some((kind) => seller.tenant.kinds.includes(kind)));
}

/** Names of every task, whichever tenants offer it. */
export function taskNames(protocolName: string): ReadonlySet<string> {
  const names = protocolNames(protocolName);
  return new Set(TOOLS.map((tool) => toolName(tool, names)));
}

/** The names under which a tenant lists its tasks. */
export function toolNames(seller: Seller): readonly string[] {
  return toolsOf(seller).map((tool) => toolName(tool, seller.names));
}

/** Finds a task by the name a caller used, aliases included. */
export function findTool(seller: Seller, name: string): Tool | undefined {
  const { capabilitiesTool, capabilitiesAliases } = seller.names;
  const listed = capabilitiesAliases.includes(name) ? capabilitiesTool : name;
  return toolsOf(seller).find(
    (tool) => toolName(tool, seller.names) === listed || tool.aliases?.includes(name) === true,
  );
}
