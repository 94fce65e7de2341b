import { startPace } from '../../kernel/event-loop.js';
import type { JsonBounds } from '../../kernel/json/bounds.js';
import { isObject, readJson } from '../../kernel/json/json.js';
import { readJsonInSlices } from '../../kernel/json/slices.js';

/** The answer of an MCP server over Streamable HTTP: one message as JSON, or messages as a stream of events. */
type McpAnswer = {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** Returns the data of each event of a streamed answer, in its order; undefined for an answer that is no stream. */
export function eventTexts({ bytes, headers }: McpAnswer): readonly string[] | undefined {
  if (!isEventStream(headers)) return undefined;
  const events = Buffer.from(bytes)
    .toString('utf8')
    .split(/\r?\n\r?\n/);
  return events.map(readEventData).filter((data) => data !== '');
}

/** Whether an answer is a stream of events; a media type is the same in either case. */
export function isEventStream(headers: McpAnswer['headers']): boolean {
  return /^text\/event-stream(?:[\s;]|$)/i.test(headers['content-type'] ?? '');
}

function readEventData(event: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
}

/** The JSON-RPC response of an answer, if it holds one, or the bound that it exceeds. */
export type ResponseReading = {
  readonly response?: Readonly<Record<string, unknown>>;
  readonly exceeded?: keyof JsonBounds;
};

/** Reads the JSON-RPC response to the request with this id, and gives way to the event loop in between. */
export async function readResponse(
  answer: McpAnswer,
  id: number,
  bounds: JsonBounds = UNBOUNDED,
): Promise<ResponseReading> {
  const pace = startPace();
  const { buffer, byteLength, byteOffset } = answer.bytes;
  const texts = eventTexts(answer)?.map((text) => Buffer.from(text));
  for (const bytes of texts ?? [withoutMark(Buffer.from(buffer, byteOffset, byteLength))]) {
    const reading = await readJsonInSlices(bytes, bounds);
    if (!reading.ok && reading.exceeded !== undefined) return { exceeded: reading.exceeded };
    const message = reading.ok ? reading.value : undefined;
    if (isObject(message) && message.id === id && ('result' in message || 'error' in message))
      return { response: message };
    if (pace.isDue()) await pace.rest();
  }
  return {};
}

const UNBOUNDED: JsonBounds = { levels: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };
/** The byte order mark, which some servers write before JSON. */
const MARK = [0xef, 0xbb, 0xbf];

function withoutMark(bytes: Buffer): Buffer {
  return MARK.every((byte, at) => bytes[at] === byte) ? bytes.subarray(MARK.length) : bytes;
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
