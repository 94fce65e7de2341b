import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import type { RetentionTable } from '../../src/platform/database/retention.js';
import { openServerStore } from '../../src/registry/server/store/server-store.js';
import { REGISTRY_RETENTION } from '../../src/registry/store/retention.js';
import { PERIOD_NAMES, PERIODS } from '../../src/seller/domain/retention/periods.js';
import { SELLER_RETENTION } from '../../src/seller/store/schema/retention.js';
import { openStore } from '../../src/seller/store/store.js';
import { PROJECT, temporaryFolder } from '../kit/surroundings.js';

type Database = {
  readonly name: string;
  readonly retention: RetentionTable;
  readonly open: (file: string) => { close: () => Promise<void> };
};

const DATABASES: readonly Database[] = [
  { name: 'seller-agent.db', retention: SELLER_RETENTION, open: (file) => openStore(file) },
  { name: 'registry.db', retention: REGISTRY_RETENTION, open: (file) => openServerStore(file) },
];

async function migrated({ name, open }: Database): Promise<Libsql.Database> {
  const file = path.join(temporaryFolder('seller-agent-retention-'), name);
  await open(file).close();
  return new Libsql(file, { readonly: true });
}

describe.each(DATABASES)('the retention of $name', (database) => {
  it('has a row for every table, and none for another', async () => {
    const file = await migrated(database);
    const tables = file
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map((row) => (row as { name: string }).name);
    expect(tables.length).toBeGreaterThan(30);
    expect(Object.keys(database.retention).sort()).toEqual(tables.sort());
  });

  it('finds what it clears by an index, in the order of age', async () => {
    const file = await migrated(database);
    for (const [table, { sweeps = [] }] of Object.entries(database.retention)) {
      for (const { empties, parts = [], time, where = 'TRUE' } of sweeps) {
        const isLeft = empties === undefined ? 'TRUE' : `"${empties}" IS NOT NULL`;
        const due = `SELECT rowid FROM "${table}" WHERE ${where} AND ${isLeft} AND "${time}" <= 1 ORDER BY "${time}" LIMIT 9`;
        // A step may look the few rows up of a list that a condition names; none may sort, or scan a table.
        const steps = planOf(file, due).filter((step) => !step.startsWith('LIST SUBQUERY'));
        const byIndex = steps.map(() => expect.stringMatching(/^SEARCH .* USING (COVERING )?INDEX/));
        expect([steps, steps[0]]).toEqual([byIndex, expect.stringContaining(table)]);
        for (const { column, table: part } of parts)
          expect(planOf(file, `SELECT rowid FROM "${part}" WHERE ${column} IN ('x') LIMIT 9`)[0]).toMatch(/^SEARCH/);
      }
    }
  });

  it('names files that are there as owners', () => {
    for (const { owner } of Object.values(database.retention))
      expect(readFileSync(path.join(PROJECT, 'src', owner), 'utf8')).toMatch(/\S/);
  });
});

function planOf(file: Libsql.Database, query: string): readonly string[] {
  return file
    .prepare(`EXPLAIN QUERY PLAN ${query}`)
    .all()
    .map((row) => (row as { detail: string }).detail);
}

const DOCUMENT = path.join(PROJECT, 'docs', 'operations.md');
const START = '<!-- retention: written by UPDATE_DOCS=1 npx vitest run test/surface/retention.test.ts -->';
const END = '<!-- /retention -->';

function written(): string {
  const periods = PERIOD_NAMES.map((name) => [
    `\`${name}_days\``,
    String(PERIODS[name].days),
    PERIODS[name].description,
  ]);
  const tables = DATABASES.map(({ name, retention }) => {
    const rows = Object.entries(retention).map(([table, { bound, stays }]) => [`\`${table}\``, stays, bound]);
    return details(`The ${rows.length} tables of ${name}`, markdown(['table', 'a row stays', 'bound'], rows));
  });
  return [START, markdown(['in `retention`', 'days', ''], periods), '', ...tables, END].join('\n');
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function details(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n\n</details>\n`;
}

describe('the tables of retention in docs/operations.md', () => {
  it('are what the code says', () => {
    const text = readFileSync(DOCUMENT, 'utf8');
    const [from, to] = [text.indexOf(START), text.indexOf(END)];
    expect([from, to].every((at) => at > 0)).toBe(true);
    const found = text.slice(from, to + END.length);
    if (process.env.UPDATE_DOCS !== '1') expect(found).toBe(written());
    else
      writeFileSync(
        DOCUMENT,
        text.replace(found, () => written()),
      );
  });
});
