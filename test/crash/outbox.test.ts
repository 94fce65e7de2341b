import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createMemoryNonces } from '../../src/platform/signing/verify/nonces.js';
import { NO_REVOCATION } from '../../src/platform/signing/verify/revocation.js';
import { createVerifier } from '../../src/platform/signing/verify/verify.js';
import { protocolNames } from '../../src/protocol/names.js';
import { openStore } from '../../src/seller/store/store.js';
import { startNode } from '../kit/process.js';
import { type ReceivedPost, type Receiver, startReceiver } from '../kit/receiver.js';
import { killRounds } from '../kit/rounds.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { freshKey, keysOf } from '../platform/signing/context.js';

/** How often the sender is killed at every point. */
const ROUNDS = killRounds('outbox');
const SENDER = fileURLToPath(new URL('../kit/outbox-sender.mjs', import.meta.url));
const OWNER = 'sales#buyer';

/** The points of the send path, in its order. The receiver kills at `posted`, before it answers; the sender kills itself at the others. */
const POINTS = ['before-commit', 'after-claim', 'posted', 'after-answer', 'in-mark', 'after-mark'] as const;

/** A POST, the process that sent it, and when it came (unix seconds). */
type Sent = ReceivedPost & { readonly run: number; readonly atSeconds: number };

const file = path.join(temporaryFolder('seller-agent-outbox-'), 'store.db');
const key = freshKey('ed25519');
const privateJwk = JSON.stringify({ ...key.privateKey.export({ format: 'jwk' }), kid: key.kid });
const posts: Sent[] = [];
/** Keys that a sender said were durable. */
const acknowledged = new Map<string, string>();
let receiver: Receiver;
let run = 0;

beforeAll(async () => {
  receiver = await startReceiver();
});

/** Starts a sender on what the ones before left behind, and waits for its end. */
async function send(point: string, occurrence: number): Promise<void> {
  run += 1;
  const sender = startNode([SENDER, file, `${receiver.url}/hooks`, privateJwk, point, String(occurrence)]);
  let left = occurrence;
  receiver.always((post) => {
    posts.push({ ...post, run, atSeconds: Math.floor(Date.now() / 1000) });
    left -= 1;
    if (point !== 'posted' || left > 0) return 200;
    sender.child.kill('SIGKILL');
    return 'hang';
  });
  const gone = once(sender.child, 'exit');
  const { stdout, stderr } = await sender.finished;
  const [code, signal] = await gone;
  if (point === 'none') expect([code, stdout.trim().split('\n').at(-1)], stderr).toEqual([0, 'drained']);
  else expect(signal, stderr).toBe('SIGKILL');
  for (const line of stdout.split('\n')) {
    const [word, idempotencyKey, mediaBuyId] = line.split(' ');
    if (word === 'posted' && idempotencyKey && mediaBuyId) acknowledged.set(idempotencyKey, mediaBuyId);
  }
}

const keyOf = (post: Sent): string => String(post.json.idempotency_key);

describe('kill -9 at every point of the send path', () => {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

  it.each(rounds.flatMap((round) => POINTS.map((point) => [round + 1, point] as const)))(
    'round %i, %s: the sender dies',
    async (round, point) => {
      const before = posts.length;
      await send(point, 1 + ((round * 7) % 23));
      if (point !== 'before-commit' && point !== 'after-claim') expect(posts.length).toBeGreaterThan(before);
    },
  );

  it('one that is let live delivers all that is left', async () => {
    await send('none', 0);
    const store = openStore(file);
    expect(await store.read.webhookLog.backlog()).toEqual({ pending: 0, dead: 0, oldestPendingAt: undefined });
    await store.close();
  });

  it('no event is lost: every change that was made has its event, and every event came', async () => {
    expect(acknowledged.size).toBeGreaterThan(ROUNDS * POINTS.length);
    const store = openStore(file);
    const page = { limit: 100_000, after: undefined };
    const events = await store.read.webhookLog.list(page, {});
    const buys = await store.read.mediaBuys.list(OWNER, page, {});
    await store.close();
    expect(events.map((event) => event.media_buy_id).toSorted()).toEqual(
      buys.map(({ buy }) => buy.media_buy_id).toSorted(),
    );
    const received = new Set(posts.map(keyOf));
    expect(events.filter((event) => !received.has(event.idempotency_key))).toEqual([]);
    const stored = new Map(events.map((event) => [event.idempotency_key, event.media_buy_id]));
    for (const [idempotencyKey, mediaBuyId] of acknowledged) expect(stored.get(idempotencyKey)).toBe(mediaBuyId);
    expect([...received].filter((idempotencyKey) => !stored.has(idempotencyKey))).toEqual([]);
  });

  it('no key changes and no byte: what came twice came from two processes, the first of which was killed', async () => {
    const copies = new Map<string, Sent[]>();
    for (const post of posts) copies.set(keyOf(post), [...(copies.get(keyOf(post)) ?? []), post]);
    const twice = [...copies.values()].filter((sent) => sent.length > 1);
    // The points after the POST leave nothing else possible: without copies this would show nothing.
    expect(twice.length).toBeGreaterThan(0);
    for (const sent of twice) {
      expect(new Set(sent.map((post) => post.body.toString('hex'))).size).toBe(1);
      expect(new Set(sent.map((post) => post.run)).size).toBe(sent.length);
    }
    const tasks = new Map(posts.map((post) => [String(post.json.task_id), keyOf(post)]));
    expect(tasks.size, 'an event changed its key').toBe(copies.size);
  });

  it('every POST was signed for itself', async () => {
    let nowSeconds = 0;
    const verify = createVerifier({
      profile: 'webhook',
      names: protocolNames('adcp'),
      keys: keysOf(key.publicJwk),
      nonces: createMemoryNonces({ perKey: 100_000, total: 100_000 }),
      revocation: NO_REVOCATION,
      now: () => nowSeconds,
    });
    const refused: unknown[] = [];
    for (const post of posts) {
      nowSeconds = post.atSeconds;
      const verdict = await verify({ ...post, url: `${receiver.url}${post.path}` });
      if (!verdict.ok) refused.push(verdict);
    }
    expect(refused).toEqual([]);
  });
});
