/** How results are shown: as lines on the terminal, and as the table of docs/operations.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../bench/targets.mjs';

const START = '<!-- attacks: written by npm run attack -- --write -->';
const END = '<!-- /attacks -->';

/** A result in one line, and below it what is wrong. */
export function terminalLine({ figures, held, id, seconds, seen }) {
  const head = `${held ? 'held' : 'LOST'}  ${id.padEnd(28)} ${seconds.toFixed(1).padStart(5)} s  ${watched(seen)}`;
  return [head, `        ${figures}`, ...seen.problems.map((problem) => `        PROBLEM ${problem}`)].join('\n');
}

function watched({ cpu, growthMiB, innocent }) {
  if (innocent === undefined) return '';
  return `innocent ${innocent.slowestMs.toFixed(0)} ms at most of ${innocent.asked}, memory +${growthMiB.toFixed(0)} MiB, CPU ${cpu.toFixed(1)} s`;
}

/** Puts the table into docs/operations.md, between its markers. */
export function writeDocument(results, seconds) {
  const file = path.join(projectRoot, 'docs/operations.md');
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(START), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} has no markers for the table of attacks`);
  const lines = results.map(({ figures, held, seen, what }) => {
    const { innocent, growthMiB, problems } = seen;
    const cells = [
      what,
      held ? 'yes' : `**no**: ${problems.join('; ')}`,
      figures,
      innocent === undefined ? '' : `${innocent.slowestMs.toFixed(0)} ms`,
      growthMiB === undefined ? '' : `${Math.max(0, growthMiB).toFixed(0)} MiB`,
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  });
  const table = [
    START,
    '',
    `${results.length} attacks in ${seconds} s, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${os.cpus().length} cores.`,
    '',
    '| attack | held off | what came of it | slowest innocent answer | memory |',
    '|---|---|---|---:|---:|',
    ...lines,
    '',
  ];
  writeFileSync(file, `${text.slice(0, from)}${table.join('\n')}\n${text.slice(to)}`);
  console.log(`written to ${file}`);
}
