import { isObject } from '../../../platform/kernel/json/json.js';
import type { Answered, Exchange, Gathered, ListedTool } from '../evidence.js';
import type { Stage } from './stage.js';
import type { Wire } from './wire.js';

/** A revision that there never was: servers answer with one of their own. */
const NO_REVISION = '2000-01-01';
/** Tools that are taken from a list, and pages of it that are asked for. */
const MAX_TOOLS = 500;
const MAX_PAGES = 25;

/** Sends `initialize`, and the notice that the session begins. */
export const introduce: Stage = async ({ wire }) => {
  const arrival = await wire.introduce();
  if (!hasResult(arrival)) return { arrival };
  return { arrival, introduction: arrival, notice: await wire.confirm() };
};

/** Asks what an endpoint is asked by mistake: another revision, a method that is none, what is no JSON, a GET. */
export const probeTransport: Stage = async ({ open, options, wire }, { arrival, introduction }) => {
  if (arrival?.ok !== true) return {};
  const plainGet = await wire.raw('GET');
  if (introduction === undefined) return { plainGet };
  const other = open({ credentials: options.credentials, revision: NO_REVISION });
  return {
    plainGet,
    otherRevision: await other.introduce(),
    unknownMethod: await wire.request('doctor/no-such-method'),
    ping: await wire.request('ping'),
    brokenJson: await wire.raw('POST', '{"jsonrpc":"2.0","id":1,'),
  };
};

/** Reads the list of tools, page by page. */
export const listTools: Stage = async ({ wire }, { arrival }) => {
  if (arrival?.ok !== true) return {};
  return readPages(wire);
};

async function readPages(wire: Wire): Promise<Partial<Pick<Gathered, 'listEnd' | 'tools'>>> {
  const tools: ListedTool[] = [];
  const asked = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page += 1) {
    const listed = await wire.request('tools/list', cursor === undefined ? {} : { cursor });
    const result = hasResult(listed) && isObject(listed.message?.result) ? listed.message.result : undefined;
    if (!Array.isArray(result?.tools)) return page === 0 ? {} : { tools, listEnd: 'whole' };
    const { nextCursor } = result;
    // The page that leads back is one that was read before.
    if (typeof nextCursor === 'string' && asked.has(nextCursor)) return { tools, listEnd: 'circle' };
    tools.push(...(result.tools as readonly unknown[]).flatMap(readTool));
    if (typeof nextCursor !== 'string') return { tools: tools.slice(0, MAX_TOOLS), listEnd: 'whole' };
    asked.add(nextCursor);
    cursor = nextCursor;
  }
  return { tools: tools.slice(0, MAX_TOOLS), listEnd: 'cut' };
}

function readTool(tool: unknown): readonly ListedTool[] {
  if (!isObject(tool) || typeof tool.name !== 'string') return [];
  const { annotations, description, inputSchema, name } = tool;
  return [{ name, inputSchema, annotations, description: typeof description === 'string' ? description : undefined }];
}

/** Whether an exchange came to a result of JSON-RPC. A stranger is told in one that credentials are missing, under 401. */
function hasResult(exchange: Exchange): exchange is Answered {
  return exchange.ok && exchange.status < 300 && isObject(exchange.message?.result);
}
