import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';

/**
 * Preloaded with `--import`: adds the URL or path of every module that the process loads, a line each, to the file that `MODULES_FILE` names.
 * A file, for a pipe whose reader is slow is full, and a write to it fails with EAGAIN once something has opened `process.stderr`.
 */
const hooks = `
  import { appendFileSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    appendFileSync(process.env.MODULES_FILE, resolved.url + '\\n');
    return resolved;
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const { cache } = createRequire(import.meta.url);
process.once('exit', () =>
  appendFileSync(
    process.env.MODULES_FILE,
    Object.keys(cache)
      .map((file) => `${file}\n`)
      .join(''),
  ),
);
