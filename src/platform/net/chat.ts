import { isObject, readJson } from '../kernel/json/json.js';

/** The part of the guarded fetch that a text endpoint is asked with. */
export type TextEndpoint = (
  url: string,
  options: {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly maxBytes: number;
    readonly timeoutMs: number;
    readonly trusted: boolean;
  },
) => Promise<{ readonly status: number; readonly bytes: Uint8Array }>;

/** An OpenAI-compatible text endpoint; `baseUrl` ends before `/chat/completions`. */
export type ChatEndpoint = {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly ask: TextEndpoint;
  /** Longest wait in milliseconds. */
  readonly timeoutMs?: number | undefined;
};

/** A question whose answer is an object of a JSON Schema. */
type ChatQuestion = {
  readonly system: string;
  readonly user: string;
  readonly schema: { readonly name: string; readonly schema: object };
  readonly maxTokens: number;
};

const DEFAULT_TIMEOUT_MS = 8000;
const MAX_REPLY_BYTES = 64 * 1024;

/** Returns the object that a text endpoint answers. Throws when it fails, is late, or answers anything but JSON; what is in it is not judged. */
export async function askChat(
  endpoint: ChatEndpoint,
  question: ChatQuestion,
): Promise<Readonly<Record<string, unknown>>> {
  const { baseUrl, model, apiKey, ask, timeoutMs = DEFAULT_TIMEOUT_MS } = endpoint;
  const { system, user, schema, maxTokens } = question;
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const { status, bytes } = await ask(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: apiKey === undefined ? headers : { ...headers, authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      model,
      temperature: 0,
      seed: 1,
      max_tokens: maxTokens,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      response_format: { type: 'json_schema', json_schema: { name: schema.name, strict: true, schema: schema.schema } },
    }),
    maxBytes: MAX_REPLY_BYTES,
    timeoutMs,
    // The operator wrote the address, not the buyer.
    trusted: true,
  });
  if (status !== 200) throw new Error(`The text endpoint answered ${status}.`);
  return parseAnswer(Buffer.from(bytes).toString('utf8'));
}

function parseAnswer(reply: string): Readonly<Record<string, unknown>> {
  const outer = readJson(reply);
  const choice: unknown = isObject(outer) && Array.isArray(outer.choices) ? outer.choices[0] : undefined;
  const content = isObject(choice) && isObject(choice.message) ? choice.message.content : undefined;
  const answer = typeof content === 'string' ? readJson(content) : undefined;
  if (!isObject(answer)) throw new Error('The text endpoint answered something else than the agreed JSON.');
  return answer;
}
