import { readdirSync, readFileSync } from 'node:fs';

/** Packages that are folded in: those of many small files, which are most of the time from start to first answer. */
const FOLDED = ['@modelcontextprotocol/core', '@modelcontextprotocol/server', 'kysely', 'uuid', 'zod'];

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const isOf = (id, name) => id === name || id.startsWith(`${name}/`);

/** Their licences ask to go with every copy. */
const licences = {
  name: 'licences',
  generateBundle() {
    const texts = FOLDED.map((name) => {
      const folder = new URL(`node_modules/${name}/`, import.meta.url);
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      return `${name}\n\n${file === undefined ? 'See its package.json.' : readFileSync(new URL(file, folder), 'utf8')}`;
    });
    this.emitFile({ type: 'asset', fileName: 'chunks/LICENCES.txt', source: texts.join('\n\n----\n\n') });
  },
};

/** Folds what the command runs into few files, each loaded when it is first used. The library is published as tsc wrote it. */
const config = {
  input: 'dist/cli.js',
  platform: 'node',
  external: (id) => Object.keys(dependencies).some((name) => isOf(id, name) && !FOLDED.includes(name)),
  plugins: [licences],
  output: { dir: 'dist', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' },
};
export default config;
