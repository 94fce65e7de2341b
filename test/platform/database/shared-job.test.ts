import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLeases } from '../../../src/platform/database/leases.js';
import { SharedJob } from '../../../src/platform/database/shared-job.js';
import { openSqlite } from '../../../src/platform/database/sqlite/sqlite.js';
import { createLog } from '../../../src/platform/kernel/log.js';
import { SELLER_MIGRATIONS } from '../../../src/seller/store/schema/migrations.js';
import { temporaryFolder } from '../../kit/surroundings.js';

function openJob(): SharedJob {
  const engine = openSqlite<unknown>(path.join(temporaryFolder(), 'state.db'), { migrations: SELLER_MIGRATIONS });
  onTestFinished(() => engine.close());
  const options = { leases: openLeases(engine, 'process 1'), name: 'booking', leaseMs: 30_000 };
  return new SharedJob({ ...options, log: createLog('silent') });
}

describe('a shared job', () => {
  it('runs one round of a process after the other, in the order in which they were asked for', async () => {
    const job = openJob();
    const story: string[] = [];
    let endFirst = (): void => undefined;
    const rounds = [
      job.run(async () => {
        story.push('first begins');
        await new Promise<void>((resolve) => {
          endFirst = resolve;
        });
        story.push('first ends');
      }),
      job.run(async () => story.push('second')),
    ];
    await expect.poll(() => story).toEqual(['first begins']);
    endFirst();
    await Promise.all(rounds);
    expect(story).toEqual(['first begins', 'first ends', 'second']);
  });

  it('goes on after a round that fails, whose caller hears of it', async () => {
    const job = openJob();
    const failed = job.run(() => Promise.reject(new Error('no database')));
    const story: string[] = [];
    const next = job.run(async () => story.push('next'));
    await expect(failed).rejects.toThrow('no database');
    await next;
    expect(story).toEqual(['next']);
  });
});
