/** The migrations of a database that is stopped while it is migrated: the second one changes a table, fills another, and takes `rows` long. */

/** @type {(sql: string) => any} */
const plainSql = (sql) => ({ compile: () => ({ sql }) });

const NUMBERS = {
  sqlite: (rows) =>
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${rows}) SELECT n, hex(randomblob(50)) FROM number`,
  postgres: (rows) => `SELECT n, repeat('x', 100) FROM generate_series(1, ${rows}) AS n`,
};

/**
 * @param {number} rows
 * @returns {readonly import('../../src/platform/database/migrations.js').Migration[]}
 */
export function migrationsOf(rows) {
  return [
    () => [
      plainSql('CREATE TABLE note (id integer PRIMARY KEY, text text NOT NULL)'),
      plainSql("INSERT INTO note VALUES (1, 'written by the version before')"),
    ],
    (_schema, engine) => [
      plainSql("ALTER TABLE note ADD COLUMN tag text NOT NULL DEFAULT 'none'"),
      plainSql('CREATE TABLE filled (n integer PRIMARY KEY, text text NOT NULL)'),
      plainSql(`INSERT INTO filled ${NUMBERS[engine](rows)}`),
      plainSql("UPDATE note SET tag = 'filled'"),
    ],
    () => [plainSql('CREATE INDEX note_by_tag ON note (tag)')],
  ];
}
