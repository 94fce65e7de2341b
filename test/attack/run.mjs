/**
 * `npm run attack`: attacks servers that run from dist, beside an innocent caller, and says which attacks are held off.
 *
 *   node test/attack/run.mjs [--short] [--only id,...] [--write]
 *
 * --short: the rows with `short: true`, in their short form, for .ci/run. --only: these rows alone, by id or by the name of their area's
 * file. --write: the table goes into docs/operations.md, between its markers. Ends with 1 when an attack is not held off.
 *
 * The contract of an area: every file beside this one (test/attack/<area>.mjs) exports `rows`, a list of
 *
 *   { id, what, short, needs?, target?, bounds?, run }
 *
 *   id      short and unique, in words with dashes; `what` says the attack in one line of the table
 *   short   whether the row belongs to --short
 *   needs   'namespaces' for a row that makes mounts or a network of its own; a machine that refuses them skips it, and says so
 *   target  the server that is watched while the row runs: 'seller' (the default), 'registry', or 'own': the row starts one with
 *           `context.launch` and has it watched with `context.watch`
 *   bounds  `{ innocentMs, growthMiB, failures }` in place of the usual ones, BOUNDS in kit/watch.mjs
 *   run     async (context) => ({ held: boolean, figures: string }); what it throws counts as not held off
 *
 * The runner does these things for every row by itself: it starts the target where it does not run (a row that ended it does not spoil the next
 * one), has an innocent caller ask it from another address (127.0.0.9, a new connection each time) while the attack runs, reads its
 * memory and CPU, and afterwards looks whether it lives and answers /healthz. A row is held off when `held` is true and all of that is
 * within the bounds. What `context` has stands in kit/context.mjs.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cleanUp } from '../bench/targets.mjs';
import { openContext } from './kit/context.mjs';
import { whyNoNamespaces } from './kit/namespace.mjs';
import { terminalLine, writeDocument } from './kit/table.mjs';
import { Targets } from './kit/targets.mjs';
import { Watch } from './kit/watch.mjs';

/** A row that takes longer counts as not held off: something hangs. */
const PATIENCE_MS = 180_000;

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const rows = chooseRows(await readAreas(), options);
process.once('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const targets = new Targets();
const results = [];
const missing = whyNoNamespaces();
const skipped = rows.filter(({ needs }) => needs === 'namespaces' && missing !== undefined);
const began = performance.now();
for (const row of rows.filter((one) => !skipped.includes(one))) {
  const result = await attack(row);
  results.push(result);
  console.log(terminalLine(result));
}
await targets.close();
const lost = results.filter(({ held }) => !held);
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(`${results.length - lost.length} of ${results.length} attacks held off in ${seconds} s`);
if (skipped.length > 0) console.log(`skipped, for ${missing}: ${skipped.map(({ id }) => id).join(', ')}`);
if (options.write) writeDocument(results, seconds);
process.exit(lost.length > 0 || results.length === 0 ? 1 : 0);

/** Runs a row and returns what came of it. */
async function attack(row) {
  const began = performance.now();
  const watch = new Watch(row.bounds);
  const context = openContext({ row, isShort: options.short, targets, watch });
  let outcome;
  try {
    const { target = 'seller' } = row;
    if (target !== 'own') await watch.start(await targets.ready(target));
    outcome = await within(row.run(context), PATIENCE_MS);
  } catch (error) {
    outcome = { held: false, figures: `the row failed: ${error.stack ?? error}`.slice(0, 500) };
  }
  const seen = await watch.end();
  await context.close();
  const held = outcome.held === true && seen.problems.length === 0;
  return { ...row, figures: outcome.figures, seen, held, seconds: (performance.now() - began) / 1000 };
}

function within(promise, ms) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function readAreas() {
  const files = readdirSync(here).filter((name) => name.endsWith('.mjs') && name !== 'run.mjs');
  const areas = await Promise.all(
    files.sort().map(async (name) => {
      const { rows } = await import(path.join(here, name));
      return rows.map((row) => ({ ...row, area: name.replace(/\.mjs$/, '') }));
    }),
  );
  return areas.flat();
}

function chooseRows(all, { only, short }) {
  const ids = all.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`two attacks are called ${twice}`);
  const wanted = only?.split(',');
  const unknown = wanted?.filter((name) => !all.some(({ area, id }) => name === id || name === area)) ?? [];
  if (unknown.length > 0) {
    console.error(`no such attack: ${unknown.join(', ')}; there are\n  ${ids.join('\n  ')}`);
    process.exit(2);
  }
  return all.filter(
    (row) => (wanted === undefined || wanted.includes(row.id) || wanted.includes(row.area)) && (!short || row.short),
  );
}
