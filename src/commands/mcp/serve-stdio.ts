import { AppError } from '../../platform/kernel/errors.js';
import type { CommandContext } from '../command.js';
import { StdioBridge } from './bridge.js';
import type { OpenTarget, StdioFlags } from './target.js';
import { KEY_VARIABLE, URL_VARIABLE } from './variables.js';

/** Speaks MCP on standard input and output for a server: a named one, the one on the data folder, or one of its own. */
export async function serveStdio(context: CommandContext, flags: StdioFlags): Promise<undefined> {
  const { close, target } = await openTarget(context, flags);
  try {
    const bridge = new StdioBridge(target);
    void context.untilStopped().then(() => bridge.close());
    await bridge.run(context.input, context.err);
  } finally {
    await close();
  }
}

async function openTarget(context: CommandContext, flags: StdioFlags): Promise<OpenTarget> {
  const { env } = context;
  const url = flags.url ?? readVariable(env[URL_VARIABLE]);
  const key = flags.key ?? readVariable(env[KEY_VARIABLE]);
  // What only carries loads no server.
  if (url === undefined) return (await import('./own-server.js')).openOwnServer(context, flags, key);
  if (!/^https?:\/\/\S+$/.test(url))
    throw new AppError('BAD_ADDRESS', `"${url}" is no address.`, {
      suggestion: 'It is like https://ads.example.com/sales/mcp.',
    });
  return { target: { url, key }, close: async () => undefined };
}

/** Returns a variable's text; an empty one counts as not set, since forms of clients write empty ones. */
function readVariable(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
