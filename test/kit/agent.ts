import { createServer } from 'node:http';
import { listenLocally } from './listen.js';

/** What a scripted agent answers: by tool, its structured content, a status, or nothing at all. */
export type AgentScript = Readonly<Record<string, object | number | 'hang'>>;

/** A real MCP endpoint on this machine that says what a test wants. */
export type ScriptedAgent = {
  readonly url: string;
  /** Methods and tools that were asked for, in their order. */
  readonly asked: string[];
  /** Changes what it answers. */
  readonly script: (script: AgentScript) => void;
};

/** Serves an agent with a tool for each row of the script. `stream` answers as server-sent events. Closed after its use. */
export async function serveAgent(script: AgentScript, stream = false): Promise<ScriptedAgent> {
  const asked: string[] = [];
  let current = script;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        id?: number;
        method: string;
        params?: { name?: string };
      };
      asked.push(params?.name ?? method);
      const result = resultOf(method, params?.name);
      if (result === 'hang') return;
      if (typeof result === 'number') return void response.writeHead(result).end();
      const text = JSON.stringify({ jsonrpc: '2.0', id, result });
      if (stream) {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: message\ndata: ${text}\n\n`);
      } else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
  });

  function resultOf(method: string, tool: string | undefined): object | number | 'hang' {
    if (current.initialize !== undefined) return current.initialize;
    if (method === 'initialize')
      return { protocolVersion: '2025-06-18', serverInfo: { name: 'Scripted', version: '1' } };
    if (method === 'tools/list') return { tools: Object.keys(current).map((name) => ({ name, description: name })) };
    if (method !== 'tools/call') return 202;
    const answer = current[tool ?? ''];
    if (answer === undefined || typeof answer !== 'object') return answer ?? 404;
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  }

  const origin = await listenLocally(server);
  return {
    url: `${origin}/mcp`,
    asked,
    script: (next) => {
      current = next;
    },
  };
}
