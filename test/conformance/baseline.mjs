import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('./baseline.json', import.meta.url);
const committed = JSON.parse(readFileSync(file, 'utf8'));

/** What is wrong with a part: failed steps, steps that passed before and do not, and skipped ones that nothing explains. */
export function problemsOf(part, rows) {
  const before = committed[part] ?? {};
  const names = new Set(rows.map((row) => row.name));
  return [
    ...rows.flatMap((row) => problemsOfRow(row, before[row.name] ?? 0)),
    ...Object.keys(before)
      .filter((name) => !names.has(name))
      .map((name) => `${name} did not run; ${before[name]} passed before`),
  ];
}

function problemsOfRow({ name, passed, failed, faults = [], unexplained = [] }, before) {
  return [
    ...(failed > 0 && faults.length === 0 ? [`${name}: ${failed} failed`] : []),
    ...faults.map((fault) => `${name}: ${fault}`),
    ...unexplained.map((text) => `${name}: skipped without a reason that the agent gives (${text})`),
    ...(passed < before ? [`${name}: ${passed} passed, ${before} before`] : []),
  ];
}

/** Keeps the counts of a whole run as what later runs have to reach. */
export function writeBaseline(results) {
  const counts = results.map(({ part, rows }) => [
    part.name,
    Object.fromEntries(rows.filter((row) => row.passed > 0).map((row) => [row.name, row.passed])),
  ]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`);
}
