import { readdirSync, readFileSync } from 'node:fs';

const { bin, dependencies, exports, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);

/** The command, what the package exports, and the program of the thread that reads files: whatever is loaded from outside. */
const ENTRIES = [
  ...Object.values(bin),
  ...Object.values(exports).flatMap((entry) => entry.default ?? []),
  './dist/registry/server/crawl/files/worker.js',
].map((file) => file.replace(/^\.\//, ''));

/** What is installed beside the package, or may be. */
const OUTSIDE = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });

const isOf = (id, name) => id === name || id.startsWith(`${name}/`);

/** The licenses of packages that are folded in ask to go with every copy. */
const licenses = {
  name: 'licenses',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => chunk.moduleIds ?? []);
    const names = new Set(modules.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []));
    const texts = [...names].sort().map((name) => {
      const folder = new URL(`node_modules/${name}/`, import.meta.url);
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      return `${name}\n\n${file === undefined ? 'See its package.json.' : readFileSync(new URL(file, folder), 'utf8')}`;
    });
    this.emitFile({ type: 'asset', fileName: 'chunks/LICENSES.txt', source: texts.join('\n\n----\n\n') });
  },
};

/** The authorization server's library writes advice for its integrators to the console of whoever runs the server. */
const quietAuthorization = {
  name: 'quiet-authorization',
  load: (id) =>
    id.endsWith('/oidc-provider/lib/helpers/attention.js')
      ? 'export const info = () => undefined;\nexport const warn = () => undefined;\n'
      : undefined,
};

/** Folds what is loaded from outside into few files, with every package that is not a dependency; each is loaded when it is first used. */
const command = {
  input: Object.fromEntries(ENTRIES.map((file) => [file.replace(/^dist\/|\.js$/g, ''), file])),
  platform: 'node',
  external: (id) => OUTSIDE.some((name) => isOf(id, name)),
  plugins: [licenses, quietAuthorization],
  output: { dir: 'dist', format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
};

/** The scripts of the apps that hosts of language models show, one file each: nothing is loaded from anywhere. */
const apps = readdirSync(new URL('src/apps/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map(({ name }) => ({
    input: `src/apps/${name}`,
    platform: 'browser',
    output: { file: `dist/apps/${name.replace('.ts', '.js')}`, format: 'esm', minify: true },
  }));

export default [command, ...apps];
