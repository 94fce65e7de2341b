import { isObject } from '../../platform/kernel/json/json.js';
import { createRegistryServer } from '../../registry/server/server.js';
import type { Settings } from '../../seller/config/settings.js';
import { askRunning, type OperatorRequest } from '../operator.js';
import { plain } from '../terminal.js';

/** Does a piece of operation: through the server that holds the data folder, else on its registry here. Answers text to show. */
export async function operateRegistry(settings: Settings, request: OperatorRequest): Promise<string> {
  const answer = (await askRunning(settings.dataDir, request)) ?? (await alone(settings, request));
  return shown(answer);
}

async function alone(settings: Settings, request: OperatorRequest): Promise<object> {
  const server = await createRegistryServer({ settings });
  try {
    return await server.operate(request);
  } finally {
    await server.close();
  }
}

/** A list as one line for each row, a single thing as one line for each member. */
function shown(answer: object): string {
  const [list, ...others] = Object.values(answer);
  if (Array.isArray(list) && others.length === 0) {
    return list.length === 0 ? 'none' : list.map((row: unknown) => plain(lineOf(row))).join('\n');
  }
  return Object.entries(answer)
    .map(([name, value]) => plain(`${name.padEnd(LABEL_WIDTH)}${textOf(value)}`))
    .join('\n');
}

const LABEL_WIDTH = 20;

function lineOf(row: unknown): string {
  if (!isObject(row)) return String(row);
  return Object.values(row)
    .map((value) => textOf(value))
    .join('  ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
