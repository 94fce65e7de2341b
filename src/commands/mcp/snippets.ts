import { fileURLToPath } from 'node:url';
import { packageFile } from '../../platform/kernel/files/package-files.js';
import { KEY_VARIABLE, URL_VARIABLE } from './variables.js';

/** An endpoint as a person enters it into a program with a language model. */
type ShownEndpoint = {
  /** The name under which the program lists it. */
  readonly name: string;
  readonly url: string;
  readonly token: string;
};

/** The text to paste for one program, and where it goes. */
type Snippet = { readonly program: string; readonly write: (endpoint: ShownEndpoint) => string };

/** One row per program. Claude Desktop starts a command and takes no address in its file; the others take the address. */
const SNIPPETS: readonly Snippet[] = [
  {
    program: 'Claude Code (in a terminal)',
    write: ({ name, token, url }) =>
      `claude mcp add --transport http ${name} ${url} --header "Authorization: Bearer ${token}"`,
  },
  {
    program: 'Claude Code (.mcp.json)',
    write: (endpoint) => JSON.stringify({ mcpServers: { [endpoint.name]: { type: 'http', ...addressOf(endpoint) } } }),
  },
  {
    program: 'Claude Desktop (claude_desktop_config.json)',
    write: ({ name, token, url }) =>
      JSON.stringify({
        mcpServers: {
          [name]: {
            command: 'node',
            args: [fileURLToPath(packageFile('dist/cli.js')), 'mcp', '--stdio'],
            env: { [URL_VARIABLE]: url, [KEY_VARIABLE]: token },
          },
        },
      }),
  },
  {
    program: 'Cursor (.cursor/mcp.json)',
    write: (endpoint) => JSON.stringify({ mcpServers: { [endpoint.name]: addressOf(endpoint) } }),
  },
  {
    program: 'VS Code (.vscode/mcp.json)',
    write: (endpoint) => JSON.stringify({ servers: { [endpoint.name]: { type: 'http', ...addressOf(endpoint) } } }),
  },
];

/** Returns what to paste into programs with a language model, each with the program and the file it is for. */
export function snippetsFor(endpoint: ShownEndpoint): readonly { readonly program: string; readonly text: string }[] {
  return SNIPPETS.map(({ program, write }) => ({ program, text: write(endpoint) }));
}

function addressOf({ token, url }: ShownEndpoint): object {
  return { url, headers: { Authorization: `Bearer ${token}` } };
}
