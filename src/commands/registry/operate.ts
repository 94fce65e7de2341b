import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseDateTime } from '../../platform/kernel/clock.js';
import { AppError, joinSentences } from '../../platform/kernel/errors.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { memberOf, readIssue } from '../../registry/model/refusals.js';
import { createRegistryServer, type RegistryServer } from '../../registry/server/server.js';
import { REGISTRY_FILE } from '../../registry/store/registry-store.js';
import type { Settings } from '../../seller/config/settings.js';
import { explainError } from '../explain-error.js';
import { askRunning, OperatorError, type OperatorRequest } from '../operator.js';
import { plain, readableMember } from '../terminal.js';

/** Does one request of the operator. Throws OperatorError with the refusal of the running server. */
export type Operate = (request: OperatorRequest) => Promise<object>;

/** The one operation that begins a registry where there is none. */
const BEGINNING = '/api/admin/organizations';

/** Does a piece of operation: through the server that holds the data folder, else on its registry here. Answers text to show. */
export async function operateRegistry(settings: Settings, request: OperatorRequest): Promise<string> {
  const { dataDir, store } = settings;
  const isThere = store !== undefined || existsSync(path.join(dataDir, REGISTRY_FILE));
  if (!isThere && (request.path !== BEGINNING || request.body === undefined))
    throw new OperatorError(
      `There is no registry in ${dataDir}. Name its folder with --data, or begin one with "seller-agent registry org new <slug>".`,
    );
  const answer = await withRegistry(settings, (operate) => operate(request)).catch((error: unknown) => {
    throw new OperatorError(explainRefusal(error), { cause: error });
  });
  return isThere ? showRows(answer) : `${showRows(answer)}\nA registry was begun in ${dataDir}.`;
}

/** Returns why a registry refused what a command asks, with the next step of who typed it. */
function explainRefusal(error: unknown): string {
  const issue = readIssue(detailsOf(error));
  if (issue === undefined) return explainError(error);
  const { field, message, suggestion = 'See the command with --help.' } = issue;
  return joinSentences(field === '' ? message : `${memberOf(issue)}: ${message}`, suggestion);
}

function detailsOf(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof OperatorError) return error.details;
  return error instanceof AppError ? (error.extras.details ?? {}) : {};
}

/** Runs with the operator's side of a registry: of the server that holds the data folder, else of one that is opened here. */
export async function withRegistry<T>(settings: Settings, run: (operate: Operate) => Promise<T>): Promise<T> {
  let own: RegistryServer | undefined;
  try {
    return await run(async (request) => {
      const answer = own === undefined ? await askRunning(settings.dataDir, request) : undefined;
      if (answer !== undefined) return answer;
      own ??= await createRegistryServer({ settings });
      return own.operate(request);
    });
  } finally {
    await own?.close();
  }
}

/** Returns a list as one line for each row, a single thing as one line for each member; what has no value is left out. */
function showRows(answer: object): string {
  const [list, ...others] = Object.values(answer);
  if (Array.isArray(list) && others.length === 0) {
    return list.length === 0 ? 'none' : list.map((row: unknown) => plain(lineOf(row))).join('\n');
  }
  return Object.entries(answer)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => readableMember(name, value))
    .map(([name, text]) => plain(`${name.padEnd(LABEL_WIDTH)}${text}`))
    .join('\n');
}

const LABEL_WIDTH = 20;

function lineOf(row: unknown): string {
  if (!isObject(row)) return String(row);
  return Object.entries(row)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => (isWord(value) ? value : readableMember(name, value).join(' ')))
    .join('  ');
}

/** Whether a value is a text that tells by itself what it is; numbers, instants and the like are shown with their names. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && parseDateTime(value) === undefined;
}
