/**
 * One piece of the snapshot row in a process of its own: `node --expose-gc snapshot-work.mjs <piece> <properties> <folder>`. Prints JSON.
 */
import { mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openMirror } from '../../dist/registry/mirror/mirror.js';
import { noEvents, pollFeed } from '../../dist/registry/mirror/poll.js';
import { openRegistryStore } from '../../dist/registry/store/registry-store.js';
import {
  agentUrl,
  domainOf,
  eventId,
  eventsOf,
  identifierOf,
  propertyOf,
  registryOf,
  rowOf,
} from './snapshot-data.mjs';

const [piece, size, folder] = process.argv.slice(2);
const properties = Number(size);
const registry = registryOf(properties);
const PAGE = 1000;
const BATCH = 100;
const clock = { now: () => registry.now };
let drawn = 0;
const ids = {
  uuid: () => {
    drawn += 0x1234567;
    return `${drawn.toString(16).padStart(8, '0').slice(0, 8)}-0000-4000-8000-000000000000`;
  },
};
const log = { warn: (...words) => console.error(...words), error: (...words) => console.error(...words) };

const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;

/** The feed as pages, generated as they are asked for. */
function sourceOf() {
  const events = eventsOf(registry);
  async function* each(count, one) {
    for (let number = 0; number < count; number += 1) yield one(number);
  }
  return {
    url: 'https://registry.example',
    forgotten: false,
    feed: async function feed({ cursor, types }) {
      const head = eventId(registry.publishers + 2 * properties - 1);
      if (types !== undefined) return { events: [], cursor: head, has_more: false };
      if (this.forgotten && cursor !== head) throw Object.assign(new Error('gone'), { status: 410 });
      if (cursor === head) return { events: [], cursor: head, has_more: false };
      const page = [];
      for (let next = events.next(); !next.done; next = page.length < PAGE ? events.next() : { done: true }) {
        page.push(next.value);
      }
      return { events: page, cursor: page.at(-1)?.event_id ?? head, has_more: page.length === PAGE };
    },
    eachFoundAgent: () => each(registry.agents().length, (number) => ({ agent_url: agentUrl(number) })),
    eachCatalogRow: () => each(properties, propertyOf),
    eachCollection: () => each(0),
    eachPublisher: () => each(registry.publishers, registry.publisher),
    eachAuthorization: () => each(properties, rowOf),
    authorizations: async () => ({ rows: [] }),
    publisher: async () => ({}),
  };
}

/** Folding the whole feed, and the same rows by a bare loop of prepared inserts, in as large transactions, into such a file. */
async function fold() {
  const store = openRegistryStore(path.join(folder, 'registry.db'), 'copy');
  const source = sourceOf();
  const from = { wall: performance.now(), cpu: cpuMs() };
  // Generating costs the same in both; it is taken off.
  let [cursor, isAtEnd, counts] = ['', false, noEvents()];
  while (!isAtEnd) ({ cursor, isAtEnd } = await pollFeed(cursor, { store, source, nowMs: registry.now, counts }));
  const folded = { wall: performance.now() - from.wall, cpu: cpuMs() - from.cpu };
  await store.transact((tx) => tx.events.saveCursor(source.url, { cursor, syncedAt: registry.now, basis: 'records' }));
  await store.close();
  const bare = bareInserts(path.join(folder, 'bare.db'));
  const generating = { wall: performance.now() };
  let events = 0;
  for (const event of eventsOf(registry)) events += JSON.stringify(event.payload).length > 0 ? 1 : 0;
  generating.wall = performance.now() - generating.wall;
  return { events, counts, foldedMs: folded.wall, bareMs: bare, generatingMs: generating.wall };
}

function bareInserts(file) {
  const Libsql = createRequire(import.meta.url)('libsql');
  const empty = openRegistryStore(file);
  void empty.close();
  const db = new Libsql(file);
  for (const pragma of ['journal_mode=WAL', 'synchronous=NORMAL', 'cache_size=-12288', 'wal_autocheckpoint=500']) {
    db.prepare(`PRAGMA ${pragma}`).all();
  }
  const insert = (noun) => db.prepare(`insert into "${noun}" values (?, ?, ?, ?, 0, ?)`);
  const into = { publisher: insert('publisher'), property: insert('property'), authorization: insert('authorization') };
  const from = performance.now();
  let waiting = [];
  const flush = () => {
    db.exec('BEGIN IMMEDIATE');
    for (const { entity_type, entity_id, event_id, payload } of waiting) {
      const { agent_url_canonical: agent = null, publisher_domain: domain } = payload;
      into[entity_type].run([entity_id, domain, agent, event_id, JSON.stringify(payload)]);
    }
    db.exec('COMMIT');
    waiting = [];
  };
  for (const event of eventsOf(registry)) {
    waiting.push(event);
    if (waiting.length === BATCH) flush();
  }
  flush();
  const ms = performance.now() - from;
  db.close();
  return ms;
}

const opening = (source, store, more) => openMirror({ store, source, clock, ids, log, maxStalenessMs: 1e12, ...more });

/** Writes the lookups anew from the records. */
async function lookups() {
  const store = openRegistryStore(path.join(folder, 'registry.db'), 'copy');
  const mirror = await opening(sourceOf(), store);
  const from = performance.now();
  await mirror.index.rebuild();
  const rebuiltMs = performance.now() - from;
  await mirror.close();
  await store.close();
  return { rebuiltMs, fileBytes: statSync(path.join(folder, 'registry.db')).size };
}

/** The warm start, from opening the file to the first answer, each in a store of its own. */
async function warm() {
  const starts = [];
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc();
    const from = performance.now();
    const store = openRegistryStore(path.join(folder, 'registry.db'), 'copy');
    const mirror = await opening(sourceOf(), store);
    if (!mirror.isAuthorized(questionOf(7)).authorized) throw new Error('a wrong answer');
    starts.push(performance.now() - from);
    await mirror.close();
    await store.close();
  }
  const median = (list) => list.sort((one, other) => one - other)[Math.floor(list.length / 2)];
  return { startMs: median(starts) };
}

async function memory() {
  const store = openRegistryStore(path.join(folder, 'registry.db'), 'copy');
  const before = process.memoryUsage().rss;
  const mirror = await opening(sourceOf(), store);
  if (!mirror.isAuthorized(questionOf(7)).authorized) throw new Error('a wrong answer');
  globalThis.gc();
  return { rss: process.memoryUsage().rss, before, stats: mirror.stats() };
}

function questionOf(number) {
  const { agent_url } = rowOf(number);
  return { agent: agent_url, property: identifierOf(number), at: registry.now };
}

/** CPU per answer beside a bare Map.get of as fresh keys, round by round in turn. */
async function answers() {
  const store = openRegistryStore(path.join(folder, 'registry.db'), 'copy');
  const mirror = await opening(sourceOf(), store);
  const map = new Map();
  for (let number = 0; number < properties; number += 1) map.set(keyOf(number), number);
  const asks = 20_000;
  const found = { map: [], authorized: [], identifier: [] };
  const fresh = (text) => Buffer.from(text).toString('latin1');
  for (let round = 0; round < 9; round += 1) {
    const numbers = Array.from({ length: asks }, (_none, at) => ((at + round * asks) * 7_919) % properties);
    const keys = numbers.map((number) => fresh(keyOf(number)));
    const questions = numbers.map((number) => {
      const {
        agent,
        at,
        property: { type, value },
      } = questionOf(number);
      return { agent: fresh(agent), property: { type, value: fresh(value) }, at };
    });
    let [sum, yes, hits] = [0, 0, 0];
    const time = (work) => {
      globalThis.gc();
      const from = cpuMs();
      work();
      return ((cpuMs() - from) * 1e6) / asks;
    };
    found.map.push(
      time(() => {
        for (const key of keys) sum += map.get(key);
      }),
    );
    found.authorized.push(
      time(() => {
        for (const one of questions) yes += mirror.isAuthorized(one).authorized ? 1 : 0;
      }),
    );
    const more = questions.map(({ property: { type, value } }) => ({ type, value: fresh(value) }));
    found.identifier.push(
      time(() => {
        for (const { type, value } of more) hits += mirror.identifier(type, value).length;
      }),
    );
    const wrong = numbers.filter((number) => number % 10 !== 0).length !== yes;
    if (wrong || hits !== asks || Number.isNaN(sum)) throw new Error(`wrong answers: ${yes} ${hits}`);
  }
  const median = (list) => list.sort((one, other) => one - other)[Math.floor(list.length / 2)];
  return { mapNs: median(found.map), authorizedNs: median(found.authorized), identifierNs: median(found.identifier) };
}

function keyOf(number) {
  const { type, value } = identifierOf(number);
  return `${rowOf(number).agent_url} ${type} ${value}`;
}

/** A rebuild after 410: how late the event loop is meanwhile, and whether every lookup is answered. */
async function rebuild() {
  const store = openRegistryStore(path.join(folder, 'registry.db'), 'copy');
  const source = sourceOf();
  await store.transact((tx) =>
    tx.events.saveCursor(source.url, { cursor: eventId(0), syncedAt: registry.now, basis: 'records' }),
  );
  const mirror = await opening(source, store);
  source.forgotten = true;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let [isDone, asked, failed] = [false, 0, 0];
  const from = performance.now();
  delay.enable();
  const done = mirror.tick('now').finally(() => {
    isDone = true;
  });
  while (!isDone) {
    asked += 1;
    if (!mirror.isAuthorized(questionOf(1 + ((asked * 10) % properties))).authorized) failed += 1;
    await new Promise((resume) => setTimeout(resume, 1));
  }
  delay.disable();
  await done;
  const { last_error, rebuilds } = mirror.lag();
  if (last_error !== null || rebuilds !== 1) throw new Error(`no rebuild: ${last_error}`);
  return { ms: performance.now() - from, p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6, asked, failed };
}

/** The SDK's RegistrySync on the same data, bootstrapped and fed; answers, time and memory. */
async function peer() {
  const { RegistrySync } = createRequire(import.meta.url)('@adcp/sdk');
  const source = sourceOf();
  const client = {
    searchAgents: async () => ({
      results: registry.agents().map((one) => ({ ...one, url: one.agent_url, inventory_profile: {} })),
      cursor: null,
      has_more: false,
    }),
    getFeed: (question) => source.feed({ cursor: question.cursor }),
  };
  const before = process.memoryUsage().rss;
  const from = performance.now();
  const sync = new RegistrySync({ client, pollIntervalMs: 1e9 });
  await sync.start();
  await sync.poll?.();
  const ms = performance.now() - from;
  globalThis.gc();
  const rss = process.memoryUsage().rss;
  let [wrong, ns] = [0, 0];
  const asks = 20_000;
  const questions = Array.from({ length: asks }, (_none, at) => (at * 7_919) % properties);
  const start = cpuMs();
  for (const number of questions) {
    const { agent, property } = questionOf(number);
    void property;
    if (sync.isAuthorized(agent, domainOf(Math.floor(number / 100))) !== (number % 10 !== 0)) wrong += 1;
  }
  ns = ((cpuMs() - start) * 1e6) / asks;
  sync.stop();
  return { ms, rss, before, asks, wrong, ns };
}

/** Our answers to the questions that the SDK is asked, with the property that it cannot be asked for. */
async function wrong() {
  const store = openRegistryStore(path.join(folder, 'registry.db'), 'copy');
  const mirror = await opening(sourceOf(), store);
  const asks = 20_000;
  const numbers = Array.from({ length: asks }, (_none, at) => (at * 7_919) % properties);
  let wrongs = 0;
  const start = cpuMs();
  for (const number of numbers) {
    if (mirror.isAuthorized(questionOf(number)).authorized !== (number % 10 !== 0)) wrongs += 1;
  }
  return { asks, wrong: wrongs, ns: ((cpuMs() - start) * 1e6) / asks };
}

mkdirSync(folder, { recursive: true });
const pieces = { fold, lookups, warm, memory, answers, rebuild, peer, wrong };
console.log(JSON.stringify(await pieces[piece]()));
process.exit(0);
