/** Row snapshot: the mirror of a registry, its answers, its start, its memory, its feed; and the SDK's RegistrySync on the same data. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const work = fileURLToPath(new URL('../snapshot-work.mjs', import.meta.url));
const aFew = 10_000;
const mebi = 1024 * 1024;

/** One piece of the work in a process of its own. */
function run(piece, properties, folder) {
  const args = ['--expose-gc', '--max-old-space-size=4096', work, piece, String(properties), folder];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: mebi }));
}

/** What answers cost, and the same beside a bare `Map.get` of as fresh keys. */
function answersOf(properties, { authorizedNs, identifierNs, mapNs }) {
  const of = properties.toLocaleString('en');
  const detail = (ns) =>
    `${(ns / mapNs).toFixed(1)}x a Map.get of fresh keys (${mapNs.toFixed(0)} ns), medians of 9 rounds`;
  return [
    {
      what: `snapshot: CPU of isAuthorized at ${of}`,
      value: authorizedNs / 1000,
      unit: ' us',
      aim: { atMost: 40 },
      detail: detail(authorizedNs),
    },
    {
      what: `snapshot: CPU of an identifier lookup at ${of}`,
      value: identifierNs / 1000,
      unit: ' us',
      aim: { atMost: 40 },
      detail: detail(identifierNs),
    },
  ];
}

function measured(bench, properties, folder) {
  const of = properties.toLocaleString('en');
  const say = (what) => bench.say(`${of} properties: ${what}`);
  say('folding the feed');
  const { bareMs, events, foldedMs } = run('fold', properties, folder);
  say('the lookups');
  const { fileBytes, rebuiltMs } = run('lookups', properties, folder);
  say('warm starts');
  const { startMs } = run('warm', properties, folder);
  const { before, rss, stats } = run('memory', properties, folder);
  say('answers');
  const answers = answersOf(properties, run('answers', properties, folder));
  say('the SDK');
  const peer = run('peer', properties, folder);
  const ours = run('wrong', properties, folder);
  say('a rebuild');
  const rebuilt = run('rebuild', properties, folder);
  return [
    ...answers,
    {
      what: `snapshot: start to first answer with ${of}`,
      value: startMs,
      unit: ' ms',
      aim: { atMost: 150 },
      detail: `${(fileBytes / mebi).toFixed(0)} MiB; the lookups written anew from the records in ${(rebuiltMs / 1000).toFixed(0)} s`,
    },
    {
      what: `snapshot: resident memory with ${of} properties and authorizations`,
      value: rss / mebi,
      unit: ' MiB',
      aim: { atMost: 130 },
      detail: `${(before / mebi).toFixed(0)} MiB before, ${stats.authorizations.toLocaleString('en')} rows`,
    },
    {
      what: `snapshot: folding ${events.toLocaleString('en')} events, speed / a bare batched insert loop`,
      value: bareMs / foldedMs,
      unit: 'x',
      aim: { atLeast: 0.5 },
      detail: `${((events / foldedMs) * 1000).toFixed(0)} and ${((events / bareMs) * 1000).toFixed(0)} events/s, 100 to a transaction`,
    },
    {
      what: `snapshot: event loop delay p99 while ${of} are read anew after 410`,
      value: rebuilt.p99Ms,
      unit: ' ms',
      aim: { atMost: 20 },
      detail: `${(rebuilt.ms / 1000).toFixed(0)} s, worst ${rebuilt.maxMs.toFixed(0)} ms, ${rebuilt.asked} lookups meanwhile`,
    },
    {
      what: 'snapshot: lookups that failed meanwhile',
      value: rebuilt.failed,
      unit: '',
      aim: { atMost: 0 },
      detail: `of ${rebuilt.asked}`,
    },
    {
      what: `snapshot: wrong answers of ${ours.asks.toLocaleString('en')}`,
      value: ours.wrong,
      unit: '',
      aim: { atMost: 0 },
      detail: `the SDK's RegistrySync: ${peer.wrong}; the oracle is the rule that made the data`,
    },
    {
      what: 'snapshot: memory of the SDK / ours, with the same data',
      value: (peer.rss - peer.before) / (rss - before),
      unit: 'x',
      detail: `${((peer.rss - peer.before) / mebi).toFixed(0)} and ${((rss - before) / mebi).toFixed(0)} MiB; the SDK read it in ${(peer.ms / 1000).toFixed(1)} s, keeps nothing over a restart and holds no identifiers`,
    },
    {
      what: 'snapshot: an answer of ours / of the SDK, which asks for agent and domain alone',
      value: ours.ns / peer.ns,
      unit: 'x',
      detail: `CPU ${ours.ns.toFixed(0)} and ${peer.ns.toFixed(0)} ns`,
    },
  ];
}

export const snapshotRow = {
  name: 'snapshot',
  measure(bench) {
    const root = mkdtempSync(path.join(tmpdir(), 'bench-snapshot-'));
    try {
      const few = path.join(root, 'few');
      bench.say(`${aFew} properties`);
      run('fold', aFew, few);
      const small = answersOf(aFew, run('answers', aFew, few));
      return [...small, ...measured(bench, bench.plan.mirroredProperties, path.join(root, 'many'))];
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};
