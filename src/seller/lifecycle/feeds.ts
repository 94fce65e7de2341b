import { digest } from '../../platform/kernel/canonical.js';
import { isUsable } from '../domain/account/account.js';
import { diffFeed, type FeedEntry, seenBy } from '../domain/feed/changes.js';
import { type FeedNoun, feedsOf, feedVersion } from '../domain/feed/feed.js';
import { printSignal } from '../domain/signal/signal.js';
import { findPrincipal } from '../domain/tenant/callers.js';
import { type Principal, readOwner } from '../domain/tenant/principal.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { Store } from '../store/store.js';
import type { FeedState } from '../store/webhooks/feeds.js';
import type { FeedEvents } from '../webhooks/events/feed-events.js';

/** The ports of whoever announces feeds. */
type FeedPorts = {
  readonly store: Store;
  readonly feedEvents: FeedEvents;
  /** What a registry says may be sold; judged anew for a catalog that was edited. */
  readonly registry: {
    readonly tick: () => Promise<void>;
    readonly seen: (seller: Seller, principal: Principal | undefined) => Seller;
  };
};

/**
 * Announces to the subscribers of a tenant's feeds what differs from the state that they heard of last, and stores the state in the same
 * transaction. The first state is stored alone; edits while the server was down are announced when it starts.
 */
export async function announceFeeds(ports: FeedPorts, seller: Seller): Promise<void> {
  for (const noun of feedsOf(seller.tenant.kinds)) await announceFeed(ports, seller, noun);
}

async function announceFeed({ store, feedEvents, registry }: FeedPorts, seller: Seller, noun: FeedNoun): Promise<void> {
  const { path } = seller.tenant;
  const entries = noun === 'product' ? listProducts(seller) : listSignals(seller);
  const state: FeedState = { version: digest(JSON.stringify(entries)), entries };
  const earlier = await store.read.feeds.find(path, noun);
  if (earlier?.version === state.version) return;
  if (earlier !== undefined) await registry.tick();
  await store.transact(async (tx) => {
    const before = await tx.feeds.find(path, noun);
    const isUnchanged = before?.version === state.version;
    if (isUnchanged || !(await tx.feeds.replace(path, noun, before?.version, state)) || before === undefined) return;
    for (const account of await tx.subscribers.listOfTenant(path)) {
      const { tenant, principal } = readOwner(account.owner);
      const row = await tx.accounts.findById(account.owner, account.account_id);
      if (row === undefined || !isUsable(row, 'read_catalog')) continue;
      // Whoever was taken out of the tenant's file may look no more; the principals of public test kits are in no file.
      const caller = findPrincipal(seller, principal, true);
      if (caller === undefined) continue;
      const seen = registry.seen(seller, caller);
      const isShown = ({ id }: { readonly id: string }) => noun === 'signal' || seen.products.has(id);
      const [old, now] = [seenBy(before.entries, principal), seenBy(entries, principal).filter(isShown)];
      const changes = diffFeed(old, seenBy(entries, principal)).filter(
        (one) => one.change === 'removed' || isShown(one),
      );
      if (changes.length === 0) continue;
      await feedEvents(tx, {
        account,
        tenant,
        seller: seen,
        noun,
        changes,
        version: feedVersion(now).wholesale_feed_version,
        previousVersion: feedVersion(old).wholesale_feed_version,
      });
    }
  });
}

function listProducts({ tenant, productWires }: Seller): readonly FeedEntry[] {
  return tenant.products.map((product) => productWires.print(product));
}

/** Signals that not everybody may use, with those who may. */
function listSignals({ tenant, url }: Seller): readonly FeedEntry[] {
  return tenant.signals.map((signal) => ({ ...printSignal(signal, url), to: signal.access.principals }));
}
