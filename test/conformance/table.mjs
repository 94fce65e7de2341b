import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './agent.mjs';
import { sdkFolder } from './outside.mjs';
import { PEERS_MEASURED } from './parts.mjs';
import { SUITE_VERSION } from './suite.mjs';

const START = '<!-- conformance: written by UPDATE_DOCS=1 npm run conformance -->';
const END = '<!-- /conformance -->';

/** What ran and when, in one line. */
export function circumstances() {
  const { version } = JSON.parse(readFileSync(path.join(sdkFolder, 'package.json'), 'utf8'));
  return `Storyboards ${SUITE_VERSION} of @adcp/sdk ${version}, @modelcontextprotocol/conformance 0.1.16, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`;
}

/** A part for the terminal: a line per row, and below it what is wrong. */
export function partLines({ part, rows, problems, seconds }) {
  return [
    `\n${part.name} (${seconds} s)`,
    ...rows.map(({ name, why, ...row }) =>
      `  ${name.padEnd(52)} ${counts(row).padEnd(14)} ${why.join('; ')}`.trimEnd(),
    ),
    ...problems.map((problem) => `  PROBLEM ${problem}`),
  ].join('\n');
}

const counts = ({ passed, failed, skipped }) => `${passed} / ${failed} / ${skipped}`;

/** The sums of the parts beside the peers' figures, as a Markdown table. */
export function summary(results) {
  const lines = results.map(({ part, rows }) => {
    const why = [...new Set(rows.flatMap((row) => row.why))];
    return [part.name, counts(sum(rows)), part.peer ?? '', gathered(why)];
  });
  return [
    `| passed / failed / skipped | seller-agent | public peer, ${PEERS_MEASURED} | why steps were skipped |`,
    '|---|---:|---:|---|',
    ...lines.map((line) => `| ${line.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`),
  ];
}

function sum(rows) {
  const of = (name) => rows.reduce((total, row) => total + row[name], 0);
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

/** Reasons as one text, each missing tool once. */
function gathered(why) {
  const tools = why.flatMap((text) => /^no tool: (.+)/.exec(text)?.[1].split(', ') ?? []);
  const others = why.filter((text) => !text.startsWith('no tool: '));
  const missing = tools.length === 0 ? [] : [`no such tool here: ${[...new Set(tools)].sort().join(', ')}`];
  return [...missing, ...others].join('; ');
}

/** Puts the table into docs/conformance.md, between its markers. */
export function writeDocument(results) {
  const file = path.join(projectRoot, 'docs/conformance.md');
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(START), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/conformance.md has no place for the table: ${START} … ${END}`);
  const table = ['', `${circumstances()}.`, '', ...summary(results), ''].join('\n');
  writeFileSync(file, text.slice(0, from + START.length) + table + text.slice(to));
}
