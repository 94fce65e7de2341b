import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../src/platform/kernel/clock.js';
import { createRequest, succeeded } from '../kit/buyer.js';
import { type Cluster, startCluster } from '../kit/cluster.js';
import { send } from '../kit/http.js';

/** The processes have the machine's own clock. */
const END = isoTime(Date.now() + 365 * DAY_MS);
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

describe('two processes on one database', () => {
  it('sell what the other one sold, each under its own address and through the proxy', async () => {
    const buys = [];
    for (let count = 0; count < 4; count++)
      buys.push(succeeded(await cluster.call('create_media_buy', createRequest({ end_time: END }))).media_buy_id);
    for (const at of [cluster.baseUrl, ...cluster.processes.map(({ url }) => url)]) {
      const { media_buys } = succeeded(await cluster.call('get_media_buys', { media_buy_ids: buys }, at));
      expect(media_buys?.map(({ media_buy_id }) => media_buy_id).sort()).toEqual([...buys].sort());
    }
  });

  it('each tell version and clock of both', async () => {
    for (const { url } of cluster.processes) {
      const readiness = async () => (await send(`${url}/readyz`)).json() as { processes: { processes: object[] } };
      await expect.poll(async () => (await readiness()).processes.processes.length).toBe(2);
      expect((await readiness()).processes).toMatchObject({ status: 'ok', versions: [expect.any(String)] });
    }
  });

  it('go on when one is killed, which comes back with what the other sold', async () => {
    const [first] = cluster.processes;
    await first?.kill();
    const { media_buy_id } = succeeded(await cluster.call('create_media_buy', createRequest({ end_time: END })));
    succeeded(await cluster.call('get_media_buys', { media_buy_ids: [media_buy_id] }));
    await first?.start();
    const { media_buys } = succeeded(
      await cluster.call('get_media_buys', { media_buy_ids: [media_buy_id] }, first?.url),
    );
    expect(media_buys).toHaveLength(1);
  });

  it('answer the same call under one key at the same time with one buy', async () => {
    const request = createRequest({ end_time: END });
    const answers = await Promise.all(
      cluster.processes.map(({ url }) => cluster.call('create_media_buy', request, url)),
    );
    const [one, other] = answers.map(succeeded);
    expect(one?.media_buy_id).toBe(other?.media_buy_id);
    expect([one?.replayed, other?.replayed].filter((replayed) => replayed === true)).toHaveLength(1);
  });
});
