import { describe, expect, it } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../../../src/platform/kernel/clock.js';
import { startReceiver } from '../../../kit/receiver.js';
import { addressOf, type Sender, type SenderOptions, startSender } from '../sender.js';

const HOST = 'https://hooks.example';
const HEALTHY = 50;

/** Posts events of several principals in one transaction; a principal is a number, its path and owner follow. */
async function postFor(sender: Sender, principals: readonly number[], url: (principal: number) => string) {
  await sender.store.transact(async (tx) => {
    for (const principal of principals) {
      const to = { ...addressOf(url(principal)), owner: `sales#other-${principal}` };
      await sender.delivery.post(tx, { ...to, body: (idempotency_key) => ({ idempotency_key }) });
    }
  });
}

/** A network where paths under /bad are answered 503 and all others 200; `urls` are the calls in their order. */
function failingNetwork(): { readonly urls: string[]; readonly fetch: NonNullable<SenderOptions['fetch']> } {
  const urls: string[] = [];
  const fetch: NonNullable<SenderOptions['fetch']> = async (url) => {
    urls.push(url);
    return { status: url.includes('/bad') ? 503 : 200, headers: {}, bytes: Buffer.alloc(0), url };
  };
  return { urls, fetch };
}

const NEIGHBORS: readonly (readonly [name: string, principals: readonly number[], path: (n: number) => string])[] = [
  ['12 events of one principal', Array.from({ length: 12 }, () => 0), () => '/bad'],
  ['200 events of one principal', Array.from({ length: 200 }, () => 0), () => '/bad'],

  ['500 principals', Array.from({ length: 500 }, (_, n) => n), (n) => `/bad/${n}`],
  ['500 principals with four events each', Array.from({ length: 2000 }, (_, n) => n % 500), (n) => `/bad/${n}`],
];

describe('a path that answers, beside others at the same origin', () => {
  it.each(NEIGHBORS)('is served at once while %s fail', async (_name, principals, path) => {
    const { urls, fetch } = failingNetwork();
    const sender = await startSender({ fetch });
    await postFor(sender, principals, (n) => `${HOST}${path(n)}`);
    for (let n = 0; n < HEALTHY; n += 1) {
      const from = urls.length;
      await sender.send(addressOf(`${HOST}/good`));
      await expect.poll(() => urls.slice(from).includes(`${HOST}/good`), { interval: 1 }).toBe(true);
      // The first has its turn among all whom nobody knows yet; then no more come before it than are taken ahead and under way.
      const most = n === 0 ? new Set(principals).size : 5 * 64;
      expect(urls.slice(from).indexOf(`${HOST}/good`), `event ${n}`).toBeLessThanOrEqual(most);
    }
    await sender.delivery.idle();
    expect(await sender.store.read.webhookLog.backlog()).toMatchObject({ pending: principals.length });
  });

  it.each(NEIGHBORS)('is served while the calls of %s are never answered', async (_name, principals, path) => {
    const receiver = await startReceiver();
    receiver.always((post) => (post.path.startsWith('/bad') ? 'hang' : 200));
    const sender = await startSender({ policy: { timeoutMs: 600 * SECOND_MS } });
    let number = 0;
    await postFor(sender, principals, (n) => `${receiver.url}${path(n)}?${number++}`);
    const good = () => receiver.posts.filter((post) => post.path === '/good').length;
    for (let n = 0; n < HEALTHY; n += 1) {
      await sender.send(addressOf(`${receiver.url}/good`));
      await expect.poll(good, { interval: 1, timeout: 20_000 }).toBe(n + 1);
    }
    // One call at a time to each path.
    expect(receiver.posts.length - HEALTHY).toBeLessThanOrEqual(new Set(principals).size);
    await receiver.close();
  });

  it('is served while as many paths of one principal hang as it has events', async () => {
    const receiver = await startReceiver();
    receiver.always((post) => (post.path.startsWith('/bad') ? 'hang' : 200));
    const sender = await startSender({ policy: { timeoutMs: 600 * SECOND_MS } });
    let number = 0;
    await postFor(
      sender,
      Array.from({ length: 300 }, () => 0),
      () => `${receiver.url}/bad/${number++}`,
    );
    for (let n = 0; n < HEALTHY; n += 1) await sender.send(addressOf(`${receiver.url}/good`));
    const good = () => receiver.posts.filter((post) => post.path === '/good').length;
    await expect.poll(good, { interval: 1, timeout: 20_000 }).toBe(HEALTHY);
    expect(receiver.posts.length - HEALTHY, 'of one principal at one origin').toBeLessThanOrEqual(16);
    await receiver.close();
  });
});

describe('a probe', () => {
  it('reaches an event that the path takes behind 200 that it always fails on', async () => {
    const failed = new Set<string>();
    const taken: string[] = [];
    const sender = await startSender({
      fetch: async (url, { body = '' }) => {
        const { idempotency_key, task_id } = JSON.parse(Buffer.from(body).toString());
        const isPoison = task_id === 'poison';
        if (isPoison) failed.add(idempotency_key);
        else taken.push(idempotency_key);
        return { status: isPoison ? 500 : 200, headers: {}, bytes: Buffer.alloc(0), url };
      },
    });
    await sender.store.transact(async (tx) => {
      for (let n = 0; n < 200; n += 1) {
        const body = (idempotency_key: string) => ({ idempotency_key, task_id: 'poison' });
        await sender.delivery.post(tx, { ...addressOf(`${HOST}/hooks`), body });
      }
    });
    await sender.settle();
    const key = await sender.send(addressOf(`${HOST}/hooks`));
    await sender.pass(90 * SECOND_MS, SECOND_MS);
    expect(taken).toEqual([key]);
    await sender.pass(25 * HOUR_MS, 60 * SECOND_MS);
    expect(failed.size, 'each was tried').toBe(200);
  });
});
