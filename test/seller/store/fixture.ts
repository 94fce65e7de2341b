import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createLog } from '../../../src/platform/kernel/log.js';
import { MasterKeys } from '../../../src/platform/sealing/master-keys.js';
import type { Creative } from '../../../src/seller/domain/creative/creative.js';
import type { MediaBuy } from '../../../src/seller/domain/media-buy/media-buy.js';
import { MASTER_KEY_FILE, openSharedStore, openStore, type Store } from '../../../src/seller/store/store.js';
import { databaseOf } from '../../kit/postgres.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { ACCOUNT, boughtAt, contextAt, NOW, OWNER } from '../domain/order-context.js';

/** A path for the file of a store that is not there yet. */
export function freshFile(): string {
  return path.join(temporaryFolder('seller-agent-store-'), 'store.db');
}

/** An open store, closed after the test: on a real file, or on a PostgreSQL database of its own where the run is about that. */
export async function openTestStore(file = freshFile()): Promise<Store> {
  const keys = MasterKeys.open({ file: path.join(path.dirname(file), MASTER_KEY_FILE) });
  const store =
    process.env.TEST_ENGINE === 'postgres'
      ? await openSharedStore(await databaseOf(file, 'seller'), { keys, log: createLog('silent') })
      : openStore(file);
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

/** A running buy with an id of its own. */
export function buyCalled(media_buy_id: string, extra: Partial<MediaBuy> = {}): MediaBuy {
  const buy = boughtAt(NOW, {}, contextAt(NOW));
  return { ...buy, media_buy_id, ...extra };
}

/** An approved creative of the tests' account. */
export function creativeCalled(creative_id: string, extra: Partial<Creative> = {}): Creative {
  return {
    creative_id,
    account_id: ACCOUNT.account_id,
    version: 1,
    name: `Banner ${creative_id}`,
    status: 'approved',
    format_id: { agent_url: OWNER, id: 'display_300x250_image' },
    assets: {},
    tags: [],
    created_date: '2030-06-01T12:00:00Z',
    updated_date: '2030-06-01T12:00:00Z',
    echoed: {},
    ...extra,
  };
}
