import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { joinSentences } from '../platform/kernel/errors.js';
import { OPERATOR_FILE } from '../platform/kernel/files/operator-file.js';
import { isObject } from '../platform/kernel/json/json.js';
import type { Settings } from '../seller/config/settings.js';
import { createServer, type SellerServer } from '../seller/server.js';

const operatorFile = z.object({ url: z.url(), token: z.string(), pid: z.int(), base_url: z.url().optional() });
type Running = z.output<typeof operatorFile>;

/** One request to the operator API of the running server: a POST where there is a body, else a GET. */
export type OperatorRequest = { readonly path: string; readonly body?: object };

/**
 * Does a request of the operator: through the running server when one holds the data folder, else by `alone` on a server that does not
 * listen. Throws OperatorError with the refusal of the running server.
 */
export async function asOperator<Answer extends object>(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  request: OperatorRequest,
  alone: (server: SellerServer) => Promise<Answer>,
): Promise<Answer> {
  const answer = await askRunning(settings.dataDir, request);
  // The running server answers with what `alone` answers here.
  if (answer !== undefined) return answer as Answer;
  const server = await createServer({ settings, env });
  try {
    await server.reload();
    return await alone(server);
  } finally {
    await server.close();
  }
}

/** Returns the answer of the server that holds a data folder; undefined when none runs. Throws OperatorError with its refusal. */
export async function askRunning(dataDir: string, request: OperatorRequest): Promise<object | undefined> {
  const running = await findRunning(dataDir);
  if (running === undefined) return undefined;
  return askServer(running, request).catch((error: unknown) => {
    if (error instanceof OperatorError) throw error;
    return undefined;
  });
}

/** Returns the address that callers use: of the server that holds the data folder, else as the settings have it. */
export async function findBaseUrl({ baseUrl, dataDir }: Settings): Promise<string> {
  return (await findRunning(dataDir))?.base_url ?? baseUrl;
}

async function findRunning(dataDir: string): Promise<Running | undefined> {
  const text = await readFile(path.join(dataDir, OPERATOR_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const parsed = operatorFile.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}

/** Answers undefined when nobody listens there any more: the file was left by a process that was killed. */
async function askServer(running: Running, { path: route, body }: OperatorRequest): Promise<object | undefined> {
  const response = await fetch(new URL(route, running.url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.status === 401) return undefined;
  if (!isObject(answer)) throw new Error('The running server gave no answer.');
  if (!response.ok) throw new OperatorError(refusalOf(answer), { details: answer });
  return answer;
}

function refusalOf({ error, suggestion }: Readonly<Record<string, unknown>>): string {
  if (typeof error !== 'string') return 'The running server refused the call.';
  return joinSentences(error, typeof suggestion === 'string' ? suggestion : undefined);
}

/** A refusal by the operator API, with what to do about it, to be shown as it is. */
export class OperatorError extends Error {
  /** The other members of the refusal, where a running server gave it. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, { cause, details = {} }: OperatorErrorOptions = {}) {
    super(message, { cause });
    this.details = details;
  }
}

type OperatorErrorOptions = { readonly cause?: unknown; readonly details?: Readonly<Record<string, unknown>> };
