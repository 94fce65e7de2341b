import type { Seller } from '../domain/seller.js';
import { protocolNames } from '../protocol/names.js';
import { listAccounts, syncAccounts } from './accounts.js';
import { activateSignal } from './activate-signal.js';
import { buildCreative } from './build-creative.js';
import { complyTestController } from './comply-test-controller.js';
import { createMediaBuy } from './create-media-buy.js';
import { isOffered, type Tool, toolName } from './define.js';
import { getAccountFinancials } from './get-account-financials.js';
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
import { logEvent } from './log-event.js';
import { previewCreative } from './preview-creative.js';
import { providePerformanceFeedback } from './provide-performance-feedback.js';
import { reportUsage } from './report-usage.js';
import { syncAudiences } from './sync-audiences.js';
import { syncCatalogs } from './sync-catalogs.js';
import { syncCreatives } from './sync-creatives.js';
import { syncEventSources } from './sync-event-sources.js';
import { syncGovernance } from './sync-governance.js';
import { updateMediaBuy } from './update-media-buy.js';

const TASKS: readonly Tool[] = [
  getProducts,
  getSignals,
  listCreativeFormats,
  buildCreative,
  previewCreative,
  listAccounts,
  syncAccounts,
  getAccountFinancials,
  syncGovernance,
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
  syncAudiences,
  syncEventSources,
  logEvent,
  syncCatalogs,
  providePerformanceFeedback,
  reportUsage,
  complyTestController(findTool),
];

/** The table of tasks, in the order a buyer meets them. tools/list, dispatch and adagents.json derive from it. */
export const TOOLS: readonly Tool[] = [getCapabilities(TASKS), ...TASKS];

/** The tasks that a tenant answers; to a sandbox principal also those of the sandbox. */
export function toolsOf(seller: Seller, sandbox = false): readonly Tool[] {
  return TOOLS.filter((tool) => isOffered(tool, seller.tenant, sandbox));
}

/** Those of them that it puts in tools/list. */
export function listedTools(seller: Seller, sandbox = false): readonly Tool[] {
  return toolsOf(seller, sandbox).filter((tool) => tool.listed?.(seller.tenant) !== false);
}

/** Names of every task that a tenant file may speak of, whichever tenants offer it. */
export function taskNames(protocolName: string): ReadonlySet<string> {
  const names = protocolNames(protocolName);
  return new Set(TOOLS.filter((tool) => tool.sandboxOnly !== true).map((tool) => toolName(tool, names)));
}

/** The names under which a tenant lists its tasks. */
export function toolNames(seller: Seller): readonly string[] {
  return listedTools(seller).map((tool) => toolName(tool, seller.names));
}

/** Finds a task by the name a caller used, aliases included; for a sandbox principal also among those of the sandbox. */
export function findTool(seller: Seller, name: string, sandbox = false): Tool | undefined {
  const { capabilitiesTool, capabilitiesAliases } = seller.names;
  const listed = capabilitiesAliases.includes(name) ? capabilitiesTool : name;
  return toolsOf(seller, sandbox).find(
    (tool) => toolName(tool, seller.names) === listed || tool.aliases?.includes(name) === true,
  );
}
