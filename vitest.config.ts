import { defineConfig } from 'vitest/config';

/** Tests that start processes or browsers by the dozen, in tiers of their own: `npm run test:all` runs them too. */
const TIERS = {
  crash: ['test/crash/**/*.test.ts', 'test/receiver/crash.test.ts'],
  browser: ['test/browser/**/*.test.ts'],
  docs: ['test/docs.test.ts'],
};

const options = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // A worker per core: many tests wait for the processes that they start.
    maxWorkers: '100%',
    reporters: process.env.TEST_REPORT ? ['default', ['json', { outputFile: process.env.TEST_REPORT }]] : ['default'],
    projects: [
      {
        test: {
          ...options,
          name: 'main',
          include: ['test/**/*.test.ts'],
          exclude: Object.values(TIERS).flat(),
          // Test files share what they import: loading it anew for each was half of the time.
          isolate: false,
        },
      },
      ...Object.entries(TIERS).map(([name, include]) => ({ test: { ...options, name, include } })),
    ],
  },
});
