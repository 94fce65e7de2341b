/**
 * How measurements are shown: as lines on the terminal and as the table in results.md.
 * A measurement is `{ what, value, unit, aim?: { atMost } | { atLeast }, detail }`.
 */
import os from 'node:os';

/** The value with its unit, to three significant digits. */
function valueText({ value, unit }) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit}`;
}

/** The aim in words of the field, or nothing. */
function aimText({ aim, unit }) {
  if (aim === undefined) return '';
  return aim.atMost === undefined ? `>= ${aim.atLeast}${unit}` : `<= ${aim.atMost}${unit}`;
}

/** `ok`, `OUTSIDE`, or nothing when there is no aim. */
export function markOf({ value, aim }) {
  if (aim === undefined) return '';
  const reached = aim.atMost === undefined ? value >= aim.atLeast : value <= aim.atMost;
  return reached ? 'ok' : 'OUTSIDE';
}

/** One measurement for the terminal: a line with value, aim and mark, and its detail below. */
export function terminalLines(measurement) {
  const columns = [
    measurement.what.padEnd(82),
    valueText(measurement).padStart(9),
    aimText(measurement).padStart(10),
    markOf(measurement).padStart(8),
  ];
  return `${columns.join(' ').trimEnd()}\n    ${measurement.detail}`;
}

/** The machine and the moment, one line each. */
export function circumstances(quick) {
  const cpus = os.cpus();
  return [
    `Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `Node: ${process.version}`,
    `Machine: ${cpus.length} cores, ${cpus[0]?.model.trim() ?? 'unknown model'}, ${os.platform()} ${os.arch()}`,
    `Run: ${quick ? 'quick (too short to quote)' : 'full'}`,
  ];
}

/** The whole of results.md. `problems` are lines about what failed or could not be measured. */
export function markdown(measurements, problems, quick) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = measurements.map((each) =>
    [each.what, valueText(each), aimText(each), markOf(each), each.detail].map(cell).join(' | '),
  );
  return [
    '# Bench results',
    '',
    'Written by `npm run bench`; do not edit. To repeat: `npm ci && npm run bench`, on Linux, with nothing else running.',
    '`npm run bench -- --quick` takes a few seconds per row, `-- --only name,...` runs some rows only.',
    '',
    ...circumstances(quick).map((line) => `- ${line}`),
    '',
    '"Ours" is this project, with its store on disk. The peer (`peer.mjs`) is a minimal seller on the public SDK, in memory',
    'only. The floor (`floor.mjs`) is bare node:http with a static answer. Compared targets take turns within one run;',
    'a ratio is the median over the rounds. CPU is the whole server process, from `/proc`. Absolute numbers hold for',
    'this machine only.',
    '',
    '| What | Measured | Aim | | Detail |',
    '|---|---:|---:|---|---|',
    ...lines.map((line) => `| ${line} |`),
    '',
    ...(problems.length > 0 ? ['## Problems', '', ...problems.map((each) => `- ${cell(each)}`), ''] : []),
  ].join('\n');
}
