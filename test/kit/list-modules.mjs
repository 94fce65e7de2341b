import { writeSync } from 'node:fs';
import { createRequire, register } from 'node:module';

/** Preloaded with `--import`: writes `module <URL or path>` for every module that the process loads, to standard error. */
const hooks = `
  import { writeSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    writeSync(2, 'module ' + resolved.url + '\\n');
    return resolved;
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const { cache } = createRequire(import.meta.url);
process.once('exit', () =>
  writeSync(
    2,
    Object.keys(cache)
      .map((file) => `module ${file}\n`)
      .join(''),
  ),
);
