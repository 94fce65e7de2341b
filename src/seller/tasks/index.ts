import { protocolNames } from '../../protocol/names.js';
import type { Principal } from '../domain/tenant/principal.js';
import type { Seller } from '../domain/tenant/seller.js';
import { complyTestController } from '../sandbox/controller/comply-test-controller.js';
import { getAccountFinancials } from './account/get-account-financials.js';
import { listAccounts } from './account/list-accounts.js';
import { reportUsage } from './account/report-usage.js';
import { syncAccounts } from './account/sync-accounts.js';
import { syncGovernance } from './account/sync-governance.js';
import { syncAudiences } from './audience/sync-audiences.js';
import { acquireRights } from './brand/acquire-rights.js';
import { getBrandIdentity } from './brand/get-brand-identity.js';
import { getRights } from './brand/get-rights.js';
import { searchBrandsTask } from './brand/search-brands.js';
import { updateRights } from './brand/update-rights.js';
import { verifyBrandClaim } from './brand/verify-brand-claim.js';
import { verifyBrandClaims } from './brand/verify-brand-claims.js';
import { getCapabilities } from './capabilities/get-capabilities.js';
import { syncCatalogs } from './catalog/sync-catalogs.js';
import { acceptProposal } from './compact/accept-proposal.js';
import { buyProducts } from './compact/buy-products.js';
import { controlMediaBuy } from './compact/control-media-buy.js';
import { declineProposals } from './compact/decline-proposals.js';
import { listProducts } from './compact/list-products.js';
import { refineProposals } from './compact/refine-proposals.js';
import { requestProposals } from './compact/request-proposals.js';
import { calibrateContent } from './content/calibrate-content.js';
import { createContentStandards } from './content/create-content-standards.js';
import { getContentStandards } from './content/get-content-standards.js';
import { listContentStandards } from './content/list-content-standards.js';
import { updateContentStandards } from './content/update-content-standards.js';
import { validateContentDelivery } from './content/validate-content-delivery.js';
import { buildCreative } from './creative/build-creative.js';
import { getCreativeDelivery } from './creative/get-creative-delivery.js';
import { getCreativeFeatures } from './creative/get-creative-features.js';
import { listCreativeFormats } from './creative/list-creative-formats.js';
import { listCreatives } from './creative/list-creatives.js';
import { listTransformers } from './creative/list-transformers.js';
import { previewCreative } from './creative/preview-creative.js';
import { syncCreatives } from './creative/sync-creatives.js';
import { validateInput } from './creative/validate-input.js';
import { logEvent } from './event/log-event.js';
import { syncEventSources } from './event/sync-event-sources.js';
import { checkGovernance } from './governance/check-governance.js';
import { getPlanAuditLogs } from './governance/get-plan-audit-logs.js';
import { createList } from './governance/lists/create-list.js';
import { deleteList } from './governance/lists/delete-list.js';
import { getList } from './governance/lists/get-list.js';
import { listLists } from './governance/lists/list-lists.js';
import { updateList } from './governance/lists/update-list.js';
import { validatePropertyDelivery } from './governance/lists/validate-property-delivery.js';
import { reportPlanOutcome } from './governance/report-plan-outcome.js';
import { syncPlans } from './governance/sync-plans.js';
import { createMediaBuy } from './media-buy/create-media-buy.js';
import { getMediaBuyArtifacts } from './media-buy/get-media-buy-artifacts.js';
import { getMediaBuyDelivery } from './media-buy/get-media-buy-delivery.js';
import { getMediaBuys } from './media-buy/get-media-buys.js';
import { providePerformanceFeedback } from './media-buy/provide-performance-feedback.js';
import { updateMediaBuy } from './media-buy/update-media-buy.js';
import { isOffered, MAX_VALUES, type Tool, toolName } from './pipeline/tool.js';
import { getProducts } from './product/get-products.js';
import { activateSignal } from './signal/activate-signal.js';
import { getSignals } from './signal/get-signals.js';
import { getTaskStatus } from './task/get-task-status.js';
import { listTasks } from './task/list-tasks.js';

const TASKS: readonly Tool[] = [
  getProducts,
  getSignals,
  listCreativeFormats,
  buildCreative,
  previewCreative,
  validateInput,
  listTransformers,
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
  getMediaBuyArtifacts,
  syncCreatives,
  listCreatives,
  getCreativeDelivery,
  syncAudiences,
  syncEventSources,
  logEvent,
  syncCatalogs,
  providePerformanceFeedback,
  reportUsage,
  syncPlans,
  checkGovernance,
  reportPlanOutcome,
  getPlanAuditLogs,
  getCreativeFeatures,
  createContentStandards,
  listContentStandards,
  getContentStandards,
  updateContentStandards,
  calibrateContent,
  validateContentDelivery,
  ...(['property', 'collection'] as const).flatMap((kind) => [
    createList(kind),
    getList(kind),
    updateList(kind),
    listLists(kind),
    deleteList(kind),
  ]),
  validatePropertyDelivery,
  listProducts,
  requestProposals,
  refineProposals,
  declineProposals,
  buyProducts,
  acceptProposal,
  controlMediaBuy,
  getBrandIdentity,
  searchBrandsTask,
  verifyBrandClaim,
  verifyBrandClaims,
  getRights,
  acquireRights,
  updateRights,
  complyTestController(findTool),
];

const CAPABILITIES = getCapabilities(TASKS);

/** The table of tasks, in the order a buyer meets them. tools/list, dispatch and adagents.json derive from it. */
export const TOOLS: readonly Tool[] = [CAPABILITIES, ...TASKS];

/** Most values of any body: the bound of the task that takes the longest lists. */
export const MAX_BODY_VALUES = Math.max(...TOOLS.map(({ maxValues = MAX_VALUES }) => maxValues));

/** Every task but the capabilities, whose names follow from the protocol's, by its name and its aliases. */
const BY_NAME: ReadonlyMap<unknown, Tool> = new Map(
  TASKS.flatMap((tool) => [tool.name, ...(tool.aliases ?? [])].map((name) => [name, tool])),
);

/** Returns the tasks that a tenant answers; to a sandbox principal also those of the sandbox. */
function toolsOf(seller: Seller, sandbox = false): readonly Tool[] {
  return TOOLS.filter((tool) => isOffered(tool, seller.tenant, sandbox));
}

/** Returns the tasks that a tenant puts in tools/list; for a sandbox principal also those of the sandbox. */
export function listedTools(seller: Seller, sandbox = false): readonly Tool[] {
  return toolsOf(seller, sandbox).filter((tool) => tool.listed?.(seller.tenant) !== false);
}

/** Returns the names of every task that a tenant file may speak of, whichever tenants offer it. */
export function taskNames(protocolName: string): ReadonlySet<string> {
  const names = protocolNames(protocolName);
  return new Set(TOOLS.filter((tool) => tool.sandboxOnly !== true).map((tool) => toolName(tool, names)));
}

/** Returns the names under which a tenant lists its tasks. */
export function toolNames(seller: Seller): readonly string[] {
  return listedTools(seller).map((tool) => toolName(tool, seller.names));
}

/**
 * Finds a task by the name a caller used, aliases included. A principal finds those of the sandbox too, where the tenant has them: they
 * refuse by themselves what is not of a sandbox.
 */
export function findTool(seller: Seller, name: string, caller?: Principal): Tool | undefined {
  const { capabilitiesTool, capabilitiesAliases } = seller.names;
  const isCapabilities = name === capabilitiesTool || capabilitiesAliases.includes(name);
  const tool = isCapabilities ? CAPABILITIES : BY_NAME.get(name);
  return tool !== undefined && isOffered(tool, seller.tenant, caller !== undefined) ? tool : undefined;
}
