/** Folds the query builder into the file that re-exports it; everything else is published as tsc wrote it. */
const config = {
  input: 'dist/store/kysely.js',
  platform: 'node',
  output: { file: 'dist/store/kysely.js', format: 'esm' },
};
export default config;
