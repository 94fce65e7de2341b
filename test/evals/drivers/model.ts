import type { Driver } from '../bench.js';
import type { ListedTool } from '../desk.js';

/** An OpenAI-compatible endpoint, such as `http://127.0.0.1:11434/v1`. */
export type Endpoint = {
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token where it is set. */
  readonly key: string | undefined;
};

/** Most answers of the model for one request. */
const MAX_TURNS = 12;

const PATIENCE_MS = 120_000;

const SYSTEM = [
  'You act for a buyer of advertising by calling the tools of a seller. Today is 2030-01-01.',
  'Do what you are asked and no more. Ask nothing back: decide by what the tools tell.',
  'Money is real: buy and change only what was asked for. When done, say so in one sentence without calling a tool.',
].join(' ');

type ToolCall = { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } };
type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content?: string | null; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** Has a model do what a person asks, by the tools alone, until it calls none. */
export function driveModel(endpoint: Endpoint): Driver {
  return async ({ desk, given, task }) => {
    const tools = (await desk.list()).map(asFunction);
    const messages: Message[] = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: task.ask(given) },
    ];
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const answer = await complete(endpoint, { messages, tools });
      messages.push({ ...answer, role: 'assistant' });
      const { tool_calls = [] } = answer;
      if (tool_calls.length === 0) return;
      for (const { function: called, id } of tool_calls) {
        const args = readArguments(called.arguments);
        const content =
          args === undefined ? 'The arguments are no JSON object.' : (await desk.call(called.name, args)).text;
        messages.push({ role: 'tool', tool_call_id: id, content });
      }
    }
  };
}

/** Reads the endpoint that the environment names; undefined where it names none. */
export function readEndpoint(env: NodeJS.ProcessEnv): Endpoint | undefined {
  const { EVALS_API_KEY: key, EVALS_MODEL: model = '', EVALS_URL: url } = env;
  return url === undefined || url === '' ? undefined : { url, model, key };
}

function asFunction({ description, inputSchema, name }: ListedTool): object {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

async function complete({ key, model, url }: Endpoint, request: object): Promise<Message & { role: 'assistant' }> {
  const response = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, temperature: 0, tool_choice: 'auto', ...request }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the endpoint of the model answered ${response.status}: ${text.slice(0, 300)}`);
  const { choices } = JSON.parse(text) as { choices?: readonly { message: Message & { role: 'assistant' } }[] };
  if (choices?.[0] === undefined)
    throw new Error(`the endpoint of the model answered no choice: ${text.slice(0, 300)}`);
  return choices[0].message;
}

function readArguments(text: string): object | undefined {
  try {
    const args: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof args === 'object' && args !== null && !Array.isArray(args) ? args : undefined;
  } catch {
    return undefined;
  }
}
