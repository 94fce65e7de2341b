import type { Migration } from '../../../platform/database/migrations.js';
import { brand } from './migrations/brand.js';
import { buying } from './migrations/buying.js';
import { counts } from './migrations/counts.js';
import { creatives } from './migrations/creatives.js';
import { delivery } from './migrations/delivery.js';
import { governance } from './migrations/governance.js';
import { inventory } from './migrations/inventory.js';
import { oauth } from './migrations/oauth.js';
import { orders } from './migrations/orders.js';
import { people } from './migrations/people.js';
import { reports } from './migrations/reports.js';
import { shared } from './migrations/shared.js';
import { signals } from './migrations/signals.js';
import { tasks } from './migrations/tasks.js';
import { webhooks } from './migrations/webhooks.js';

/** The migrations, oldest first. A store remembers how many it has had: a released one is never edited, and new ones come last. */
export const SELLER_MIGRATIONS: readonly Migration[] = [
  buying.nouns,
  creatives.uses,
  webhooks.events,
  tasks.tasks,
  signals.deployments,
  reports.streams,
  tasks.sandboxItems,
  governance.agentsAndAudiences,
  buying.proposals,
  creatives.previews,
  buying.proposalExpiry,
  buying.narrowSweeps,
  buying.indexedSweeps,
  buying.spend,
  counts.listOrders,
  shared.sealing,
  counts.ownerUsage,
  inventory.holds,
  counts.filesAndMembers,
  inventory.waitingHolds,
  buying.proposalAccounts,
  delivery.entered,
  inventory.demand,
  counts.listTotals,
  shared.secrets,
  shared.claims,
  shared.unfinishedCopy,
  shared.sealingUse,
  creatives.rechecks,
  shared.processes,
  shared.leaseEnds,
  tasks.a2a,
  reports.periods,
  webhooks.subscribers,
  governance.plans,
  webhooks.revisions,
  governance.contentStandards,
  governance.inventoryLists,
  creatives.builds,
  webhooks.wholesaleFeeds,
  inventory.followedLists,
  reports.content,
  brand.grants,
  brand.creatives,
  delivery.vendorMetrics,
  orders.bookings,
  creatives.drawings,
  people.consoleAccess,
  delivery.pulls,
  people.alerts,
  orders.lines,
  oauth.grants,
  people.portalLinks,
  people.keyUses,
  orders.inspections,
  delivery.failingPulls,
  buying.running,
  people.auditFloor,
  tasks.waiting,
  buying.closedAccounts,
];
