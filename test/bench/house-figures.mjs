/**
 * Prints the figures of the house that docs/architecture.md quotes: what is counted on src as text and syntax, and with `--start`
 * what a new process costs: the median of five starts of `node dist/cli.js serve` (build first).
 *
 *   node test/bench/house-figures.mjs [--start] [--names]
 *
 * Circles, exports without a docstring and exports that nobody names are held at 0 by test/house.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { median } from './driver.mjs';
import { cleanUp, cpuSeconds, pause, projectRoot, residentKiB, spawnTarget, stopTarget } from './targets.mjs';

const MAX_LINES = 60;
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

const src = path.join(projectRoot, 'src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort()
  .map((file) => read(file.replaceAll(path.sep, '/')));

/** A file of src with its syntax tree. */
function read(file) {
  const text = readFileSync(path.join(src, file), 'utf8');
  return { file, text, nodes: [...nodesOf(parseAst(text, { lang: 'ts', astType: 'ts' }, file))] };
}

/** Every node of a syntax tree, parents first. */
function* nodesOf(node) {
  if (typeof node.type === 'string') yield node;
  for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) yield* nodesOf(value);
}

/** The line that an offset lies on. */
const lineAt = (text, offset) => text.slice(0, offset).split('\n').length;

/** `file:line` of every node that `matches`, with what `say` adds. */
function places(matches, say = () => '') {
  return sources.flatMap(({ file, text, nodes }) =>
    nodes.filter((node) => matches(node, text)).map((node) => `${file}:${lineAt(text, node.start)}${say(node, text)}`),
  );
}

/** How many lines a node spans, comments counted. */
const linesOf = (node, text) => text.slice(node.start, node.end).split('\n').length;
/** Whether a node casts to a type that is written so. */
const castsTo = (type) => (node) => node.type === 'TSAsExpression' && node.typeAnnotation.type === type;

/** Names of what a file declares at its top that can change: `let`. */
function changingVariables() {
  return sources.flatMap(({ file, text, nodes }) =>
    nodes[0].body
      .map((statement) => statement.declaration ?? statement)
      .filter((statement) => statement.type === 'VariableDeclaration' && statement.kind === 'let')
      .map((statement) => `${file}:${lineAt(text, statement.start)}`),
  );
}

const folders = new Map();
for (const { file } of sources) folders.set(path.dirname(file), (folders.get(path.dirname(file)) ?? 0) + 1);
const fullest = [...folders].sort(([, one], [, other]) => other - one);

print('files', sources.length);
print(
  'lines',
  sources.map(({ text }) => text.split('\n').length - 1).reduce((sum, lines) => sum + lines, 0),
);
print(`files in the fullest folder (${fullest[0][0]})`, fullest[0][1]);
list(
  `functions over ${MAX_LINES} lines`,
  places(
    (node, text) => FUNCTIONS.has(node.type) && linesOf(node, text) > MAX_LINES,
    (node, text) => ` ${linesOf(node, text)} lines`,
  ),
);
list('casts to never', places(castsTo('TSNeverKeyword')));
list('casts to unknown', places(castsTo('TSUnknownKeyword')));
list(
  'casts, `as const` apart',
  places((node, text) => node.type === 'TSAsExpression' && !/\bas const$/.test(text.slice(node.start, node.end))),
);
list(
  'conditional spreads',
  places((node) => node.type === 'SpreadElement' && node.argument.type === 'ConditionalExpression'),
);
list(
  'WeakMaps',
  places((node) => node.type === 'NewExpression' && node.callee.name === 'WeakMap'),
);
list('module-level variables that change', changingVariables());
list(
  'functions named …Of',
  places((node) => node.type === 'FunctionDeclaration' && /[a-z0-9]Of$/.test(node.id.name)),
);

if (process.argv.includes('--start')) await printStart();

/** What five new processes cost until `/readyz` answers, and what they hold five seconds later. */
async function printStart() {
  process.once('exit', cleanUp);
  const costs = [];
  for (let start = 0; start < 5; start++) {
    const target = await spawnTarget('ours');
    const isReady = () =>
      fetch(`${target.origin}/readyz`)
        .then(({ ok }) => ok)
        .catch(() => false);
    while (!(await isReady())) await pause(20);
    const [ms, cpu] = [performance.now() - target.spawnedAt, cpuSeconds(target.pid)];
    await pause(5000);
    costs.push({ ms, cpu, mib: residentKiB(target.pid) / 1024 });
    await stopTarget(target);
  }
  print('cold start until /readyz answers: CPU, s', median(costs.map(({ cpu }) => cpu)).toFixed(2));
  print('cold start until /readyz answers: ms', median(costs.map(({ ms }) => ms)).toFixed(0));
  print('idle memory 5 s later, MiB', median(costs.map(({ mib }) => mib)).toFixed(0));
}

/** Prints one figure. */
function print(what, figure) {
  console.log(`${String(figure).padStart(8)}  ${what}`);
}

/** Prints how many there are and, with `--names`, which. */
function list(what, found) {
  print(what, found.length);
  if (process.argv.includes('--names')) for (const one of found) console.log(`            ${one}`);
}
