import { existsSync, statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Tests that start processes or browsers by the dozen, in tiers of their own: `npm run test:all` runs them too, but for what `npm run evals` starts. */
const TIERS = {
  crash: ['test/crash/**/*.test.ts', 'test/receiver/crash.test.ts', 'test/flows/command-line/**/*.test.ts'],
  cluster: ['test/cluster/**/*.test.ts'],
  browser: ['test/browser/**/*.test.ts'],
  docs: ['test/docs/**/*.test.ts'],
  evals: ['test/evals/run.test.ts'],
};

/** Tiers that need a PostgreSQL server. */
const WITH_POSTGRES = ['crash', 'cluster'];
const POSTGRES_SERVER = 'test/kit/postgres-server.ts';

/** Tests of what there is on PostgreSQL alone. */
const POSTGRES_ALONE = ['test/platform/database/postgres/**/*.test.ts', 'test/registry/store/shared/**/*.test.ts'];

/** Tests that run once more against a PostgreSQL server: of the engine and of what the store promises, and of what is done with them. */
const ON_POSTGRES = {
  postgres: [
    ...POSTGRES_ALONE,
    'test/seller/store/**/*.test.ts',
    'test/seller/idempotency/**/*.test.ts',
    'test/seller/secrets/**/*.test.ts',
    'test/seller/console/{keys,screens}.test.ts',
    'test/seller/alerts/**/*.test.ts',
    'test/seller/http/metrics.test.ts',
    'test/registry/server/http/metrics.test.ts',
    'test/registry/server/store/counts.test.ts',
    'test/registry/server/service/{acts,blocks,removal}.test.ts',
  ],
  'postgres-flows': [
    'test/flows/media-buy/**/*.test.ts',
    'test/flows/ad-server/late-delivery.test.ts',
    'test/flows/a2a/**/*.test.ts',
    'test/flows/brand/**/*.test.ts',
    'test/flows/governance/**/*.test.ts',
    'test/flows/creative/transformers.test.ts',
    'test/flows/webhooks/**/*.test.ts',
    'test/registry/server/routes/**/*.test.ts',
    'test/registry/server/mcp/**/*.test.ts',
    'test/flows/registry/{contributed,registry,stream}.test.ts',
  ],
};

/** What of the main tests does not run once more on another Node. */
const NOT_AGAIN = [
  // What other programs do: the TypeScript of buyers, and ffmpeg, which is in a folder of flows below.
  'test/types.test.ts',
  // Thousands of answers held against their schemas, by rules that ask Node for nothing.
  'test/surface/{oracle,field-table}.test.ts',
  'test/surface/creative/**/*.test.ts',
  // Walks of a buyer by the same server, pipeline and store as those that run on that Node with PostgreSQL, the tier `postgres-flows`.
  'test/flows/{account,ad-server,creative,sandbox}/**/*.test.ts',
  ...ON_POSTGRES['postgres-flows'],
];

/** Room that the folders of two test files at a time need, in bytes. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Folders of tests, and of the servers that they start, lie in memory where there is room: on a disk they wait longer than they compute. */
if (hasRoom('/dev/shm')) process.env.TMPDIR = '/dev/shm';

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_BYTES;
}

/** Long enough for a machine with other work: what waits does so for a condition, never for a time. */
const options = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: 'test/kit/setup.ts',
};

export default defineConfig({
  test: {
    // A worker per core: many tests wait for the processes that they start.
    maxWorkers: '100%',
    reporters: process.env.TEST_REPORT ? ['default', ['json', { outputFile: process.env.TEST_REPORT }]] : ['default'],
    projects: [
      ...Object.entries({ main: [], 'main-again': NOT_AGAIN }).map(([name, but]) => ({
        test: {
          ...options,
          name,
          include: ['test/**/*.test.ts'],
          exclude: [...Object.values(TIERS).flat(), ...POSTGRES_ALONE, ...but],
          // Test files share what they import: loading it anew for each was half of the time.
          isolate: false,
        },
      })),
      ...Object.entries(ON_POSTGRES).map(([name, include]) => ({
        test: {
          ...options,
          name,
          include,
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: POSTGRES_SERVER,
          isolate: false,
        },
      })),
      ...Object.entries(TIERS).map(([name, include]) => ({
        test: { ...options, name, include, globalSetup: WITH_POSTGRES.includes(name) ? POSTGRES_SERVER : [] },
      })),
    ],
  },
});
