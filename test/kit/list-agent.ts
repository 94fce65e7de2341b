import { createServer } from 'node:http';
import { listenLocally } from './listen.js';

/** An agent that keeps lists by their ids, and what it was asked with. Closed after its use. */
export async function listAgent(lists: Readonly<Record<string, object | ((request: object) => object)>>) {
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      tokens.push(request.headers.authorization);
      const { params } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        params: { arguments: { list_id: string } };
      };
      const list = lists[params.arguments.list_id];
      const structuredContent = typeof list === 'function' ? list(params.arguments) : list;
      const result = structuredContent === undefined ? { isError: true, structuredContent: {} } : { structuredContent };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
    });
  });
  const origin = await listenLocally(server);
  return { url: `${origin}/mcp`, tokens };
}
