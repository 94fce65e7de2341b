import { isObject, readJson } from '../../kernel/json/json.js';

/** The answer of an MCP server over Streamable HTTP: one message as JSON, or messages as a stream of events. */
type McpAnswer = {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** Returns the data of each event of a streamed answer, in its order; undefined for an answer that is no stream. */
export function eventTexts({ bytes, headers }: McpAnswer): readonly string[] | undefined {
  if (headers['content-type']?.startsWith('text/event-stream') !== true) return undefined;
  const events = Buffer.from(bytes)
    .toString('utf8')
    .split(/\r?\n\r?\n/);
  return events.map(readEventData).filter((data) => data !== '');
}

function readEventData(event: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
}

/** Returns the JSON-RPC response to the request with this id; undefined when the answer holds none. */
export function responseTo(answer: McpAnswer, id: number): Readonly<Record<string, unknown>> | undefined {
  const messages = (eventTexts(answer) ?? [answer.bytes]).map(readJson);
  return messages.filter(isObject).find((message) => message.id === id && ('result' in message || 'error' in message));
}

/** Returns the payload of a tool's result: its structured content, or the JSON that an older server writes as a text. Undefined for neither. */
export function toolPayload({
  structuredContent,
  content,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  if (isObject(structuredContent)) return structuredContent;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks
    .filter(isObject)
    .map(({ text }) => (typeof text === 'string' ? readJson(text) : undefined))
    .find(isObject);
}
