import { type Command, command, SETTINGS_OPTIONS } from '../command.js';
import type { StdioFlags } from './target.js';

/** The commands of `mcp`. */
export const MCP_COMMANDS: readonly Command[] = [
  command<StdioFlags>({
    usage: 'mcp',
    description: 'speak MCP to a program that starts this one, such as Claude Desktop, for a server near or far',
    required: [['--stdio', 'on standard input and output']],
    options: [
      [
        '--url <url>',
        'the endpoint of a server (SELLER_AGENT_URL; default: the server on the data folder, or one of its own)',
      ],
      ['--key <key>', 'the key for it (SELLER_AGENT_KEY; default: what the tenant file tells)'],
      ['--tenant <path>', 'which tenant of an own server (default: sales, else the first)'],
      ['--principal <id>', 'in whose name on an own server (default: the first sandbox principal)'],
      ...SETTINGS_OPTIONS,
    ],
    run: async (context, { flags }) => (await import('./serve-stdio.js')).serveStdio(context, flags),
  }),
];
