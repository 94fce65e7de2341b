import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '../config/settings.js';
import { type OperatorCall, operatorCall } from '../http/operator.js';
import { isObject } from '../kernel/json.js';
import { createServer, OPERATOR_FILE } from '../server.js';

const operatorFile = z.object({ url: z.url(), token: z.string(), pid: z.int() });

/** Calls a task as the operator: through the running server when one holds the data folder, else on the store itself. */
export async function callAsOperator(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  call: OperatorCall,
): Promise<object> {
  const running = await findRunning(settings.dataDir);
  if (running !== undefined) {
    const answer = await post(running, call).catch((error: unknown) => {
      if (error instanceof OperatorError) throw error;
      return undefined;
    });
    if (answer !== undefined) return answer;
  }
  const server = await createServer({ settings, env });
  try {
    await server.reload();
    return await operatorCall(server.app, server.limits, call);
  } finally {
    await server.close();
  }
}

async function findRunning(dataDir: string): Promise<z.output<typeof operatorFile> | undefined> {
  const text = await readFile(path.join(dataDir, OPERATOR_FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const parsed = operatorFile.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : undefined;
}

/** Answers undefined when nobody listens there any more: the file was left by a process that was killed. */
async function post(running: z.output<typeof operatorFile>, call: OperatorCall): Promise<object | undefined> {
  const response = await fetch(new URL('/call', running.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(call),
  });
  const body: unknown = await response.json();
  if (response.status === 401) return undefined;
  if (!isObject(body)) throw new Error('The running server gave no answer.');
  if (!response.ok)
    throw new OperatorError(typeof body.error === 'string' ? body.error : 'The running server refused the call.');
  return body;
}

/** A refusal by the operator API, to be shown as it is. */
export class OperatorError extends Error {}
