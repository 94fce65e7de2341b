/**
 * A mirror that is killed: it reads a registry made by rule, until it kills itself at a named point, or (at the point `none`) it has
 * reached the end of the feed. What it does at a point it does through the ports of the mirror; the code under test knows nothing of it.
 *
 * node mirror-follower.mjs <folder> <chapter> <point> <which occurrence>
 */
import { writeSync } from 'node:fs';
import path from 'node:path';
import { systemIds } from '../../dist/platform/kernel/ids.js';
import { createLog } from '../../dist/platform/kernel/log.js';
import { openMirror } from '../../dist/registry/mirror/mirror.js';
import { openRegistryStore } from '../../dist/registry/store/registry-store.js';
import { agentUrl, eventId, eventsOf, propertyOf, registryOf, rowOf } from '../bench/snapshot-data.mjs';

const [folder, chapter, point, occurrence] = process.argv.slice(2);

/** What the registry holds and tells: at first half of it; then all of it; then its feed is cut off, and what was first is gone. */
const CHAPTERS = { first: { size: 1500 }, grown: { size: 3000 }, lost: { size: 3000, from: 200, isForgotten: true } };
const { size, from = 0, isForgotten = false } = CHAPTERS[chapter];
const whole = registryOf(3000);
const told = [...eventsOf(whole)].slice(0, whole.publishers + 2 * size);
if (isForgotten) told.push({ ...told.at(-1), event_id: eventId(told.length + 1) });
const head = told.at(-1).event_id;

let left = Number(occurrence);

/** Dies at once, without a chance to tidy up, when this is the point and its time has come. */
function reach(name) {
  if (name !== point) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}

async function* each(count, one) {
  for (let number = from; number < count; number += 1) {
    reach('row');
    yield one(number);
  }
}

const source = {
  url: 'https://registry.example',
  feed: async ({ cursor = '', limit, types }) => {
    reach('page');
    if (types !== undefined) return { events: [], cursor: head, has_more: false };
    if (isForgotten && cursor !== head) throw Object.assign(new Error('gone'), { status: 410 });
    const after = told.filter(({ event_id }) => event_id > cursor);
    const events = after.slice(0, Math.min(limit, 250));
    return { events, cursor: events.at(-1)?.event_id ?? cursor, has_more: after.length > events.length };
  },
  eachFoundAgent: () => each(0, () => ({ agent_url: agentUrl(0) })),
  eachCatalogRow: () => each(size, propertyOf),
  eachCollection: () => each(0, () => ({})),
  async *eachPublisher() {
    for (let one = 0; one < whole.publishers; one += 1) yield whole.publisher(one);
  },
  eachAuthorization: () => each(size, rowOf),
  authorizations: async () => ({ rows: [] }),
  publisher: async () => ({}),
};

const inner = openRegistryStore(path.join(folder, 'registry.db'));

/** The store, with the points that lie within it. */
const store = {
  ...inner,
  transact: async (work) => {
    const outcome = await inner.transact(async (tx) => {
      const done = await work(tx);
      reach('in-transaction');
      return done;
    });
    reach('after-transaction');
    return outcome;
  },
};

const clock = { now: () => whole.now };
const mirror = await openMirror({ store, source, clock, ids: systemIds, log: createLog('warn') });
reach('opened');
await mirror.tick('now');
const { last_error } = mirror.lag();
if (last_error !== null) throw new Error(last_error);
reach('followed');
await mirror.close();
reach('closed');
await inner.close();
writeSync(1, 'followed\n');
