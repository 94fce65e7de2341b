import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/kernel/log.js';
import { MasterKeys } from '../../src/platform/sealing/master-keys.js';
import { openSharedStore, type Store } from '../../src/seller/store/store.js';
import { freshDatabase } from '../kit/postgres.js';
import { temporaryFolder } from '../kit/surroundings.js';

const newKey = () => randomBytes(32).toString('base64');

/** Opens a store as a process with these master keys does; without any it makes one in a folder of its own. */
async function open(url: string, given?: string): Promise<Store> {
  const keys = MasterKeys.open({ file: path.join(temporaryFolder(), 'master.json'), given });
  const store = await openSharedStore(url, { keys, log: createLog('silent') });
  onTestFinished(() => store.close().catch(() => undefined));
  await store.sealing.start();
  return store;
}

const save = (store: Store, version: number) =>
  store.transact((tx) => tx.secrets.save('preview-ids', { text: 'secret', version }));

/** Runs a statement on the database itself. */
async function query(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

describe('the master keys of processes on one database', () => {
  it('are rotated once no process seals with the old one any more', async () => {
    const url = await freshDatabase();
    const [before, after] = [newKey(), newKey()];
    const old = await open(url, `${before},${after}`);
    await save(old, 1);
    const next = await open(url, `${after},${before}`);
    expect(await next.sealing.run(() => false)).toBe(false);
    expect([old.sealing.state.isComplete, next.sealing.state.isComplete]).toEqual([true, false]);
    await save(old, 2);
    expect((await next.read.secrets.find('preview-ids'))?.text).toBe('secret');
    const { active: oldId } = old.sealing.state;
    const { active: newId } = next.sealing.state;
    await old.close();
    // As if a minute had passed since the process with the old key last noted it.
    await query(url, `UPDATE sealing SET used_until = 0 WHERE key_id = '${oldId}'`);
    expect(await next.sealing.run(() => false)).toBe(true);
    expect(next.sealing.state).toEqual({ active: newId, older: [], isComplete: true });
    const [row] = await query(url, 'SELECT sealed FROM shared_secret');
    expect(row?.sealed).toMatch(new RegExp(`^sealed:${newId}:`));
    expect((await (await open(url, after)).read.secrets.find('preview-ids'))?.text).toBe('secret');
  });

  it('are one, though processes without any start at the same time: one makes it, the others refuse', async () => {
    const url = await freshDatabase();
    const opened = await Promise.allSettled([open(url), open(url), open(url)]);
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of opened) if (one.status === 'rejected') expect(String(one.reason)).toContain('master key');
    expect(await query(url, 'SELECT key_id FROM sealing')).toHaveLength(1);
  });

  it('are not made in a folder where others would not have them', async () => {
    const store = await open(await freshDatabase());
    await expect(store.sealing.rotate()).rejects.toThrow('each needs the new key');
  });
});
