import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { createRegistryClient, type RegistryClient } from '../../../src/registry/client/client.js';
import { type MirrorOf, openMirrorOf } from '../../../src/registry/mirror/open.js';
import { appendEvent } from '../../../src/registry/server/service/feed/feed.js';
import { fold } from '../../../src/registry/store/fold.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { collectingLog, temporaryFolder } from '../../kit/surroundings.js';

let registry: BootedRegistry;
let token: string;
let open: MirrorOf;
let client: RegistryClient;
let received = 0;

/** Has the registry tell of a publisher that is new. */
async function tell(): Promise<string> {
  const { clock, store } = registry.server().registry;
  received += 1;
  const publisher_domain = `news${received}.example`;
  await store.transact(async (tx) => {
    const payload = { publisher_domain, standing: 'open', adagents_valid: true };
    const event_type = 'publisher.adagents_discovered';
    await fold(tx, await appendEvent(tx, clock, { event_type, entity_id: publisher_domain, payload, actor: 'test' }));
  });
  return publisher_domain;
}

/** However busy the machine is, it comes within this time. */
const SOON = { timeout: 60_000 };

/** Waits until the mirror knows a publisher, with the rounds that are due and no other: the clock stands. */
async function knows(domain: string): Promise<void> {
  await vi.waitFor(async () => {
    await open.mirror.tick();
    expect((await open.mirror.publisher(domain))?.record.domain).toBe(domain);
  }, SOON);
}

const streams = (): number => registry.server().registry.streams.size;

async function start(): Promise<void> {
  const { baseUrl: url, clock } = registry;
  const outbound = createOutbound({ development: true });
  const dataDir = temporaryFolder('seller-agent-stream-');
  client = createRegistryClient({ url, token, outbound, clock });
  const parts = { url, token, dataDir, outbound, clock, ids: systemIds, log: collectingLog([]) };
  open = await openMirrorOf({ ...parts, maxStalenessMs: HOUR_MS });
}

beforeAll(async () => {
  registry = await bootRegistry();
  ({ token } = await registry.member('buyer'));
  await start();
});

describe('the stream of the feed of a real registry', () => {
  afterEach(() => vi.restoreAllMocks());

  it('answers at once while there is nothing to tell, and does not wait for its first heartbeat', async () => {
    const response = await fetch(`${registry.baseUrl}/api/registry/feed/stream?poll_interval_seconds=60`, {
      headers: { authorization: `Bearer ${token}` },
      // Half of the time that the heartbeat takes.
      signal: AbortSignal.timeout(30_000),
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await response.body?.cancel();
  });

  it('tells a client of what is behind its cursor, and of what happens then', async () => {
    await tell();
    const { cursor } = await client.feed({});
    await tell();
    const heard = vi.fn();
    const { done, stop } = client.listen(cursor ?? '', heard);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), SOON);
    await tell();
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), SOON);
    stop();
    await done;
    await vi.waitFor(() => expect(streams()).toBe(0), SOON);
  });

  it('refuses a cursor that it has forgotten, and a stranger', async () => {
    const { done } = client.listen('00000000-0001-7000-8000-000000000000', () => undefined);
    await expect(done).rejects.toMatchObject({ status: 410 });
    const { url } = client;
    const stranger = createRegistryClient({ url, token: 'none', outbound: createOutbound({ development: true }) });
    await expect(stranger.listen('', () => undefined).done).rejects.toMatchObject({ status: 401 });
  });

  it('has a mirror poll at once', async () => {
    open.mirror.start();
    await open.mirror.tick('now');
    await vi.waitFor(() => expect(streams()).toBe(1), SOON);
    await knows(await tell());
    await knows(await tell());
    expect(open.mirror.lag()).toMatchObject({ failures: 0, rebuilds: 1 });
  });

  it('is taken up behind the last event when it broke off, and the regular rounds tell what was missed', async () => {
    const { streams: room } = registry.server().registry;
    const enter = vi.spyOn(room, 'take').mockImplementation(() => {
      throw Object.assign(new Error('closed'), { status: 503 });
    });
    room.close();
    await vi.waitFor(() => expect(streams()).toBe(0), SOON);
    const missed = await tell();
    await open.mirror.tick();
    expect(await open.mirror.publisher(missed)).toBeUndefined();
    registry.clock.advance(MINUTE_MS);
    await knows(missed);
    await vi.waitFor(() => expect(enter).toHaveBeenCalled(), SOON);
    expect(open.mirror.lag()).toMatchObject({ failures: 0, last_error: null, is_stale: false });
  });
});
