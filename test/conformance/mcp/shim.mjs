/** Gives the MCP suite, and it alone, a `node:fs` with the one function that Node 20 lacks. */
import { register } from 'node:module';

const target = new URL('./fs-with-glob.mjs', import.meta.url).href;
const hook = `export const resolve = (name, context, next) =>
  name === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: ${JSON.stringify(target)}, shortCircuit: true }
    : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
