import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../kernel/json/json.js';
import { requestIdOf } from '../web/request-id.js';

/** The extension of clients that show apps. https://github.com/modelcontextprotocol/ext-apps */
const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

/** The media type of an app. */
export const APP_MEDIA_TYPE = 'text/html;profile=mcp-app';

/** Whether the capabilities that a client declares say that it shows apps. */
export function canShowApps(capabilities: unknown): boolean {
  if (!isObject(capabilities) || !isObject(capabilities.extensions)) return false;
  const declared = capabilities.extensions[APPS_EXTENSION];
  if (!isObject(declared)) return false;
  const { mimeTypes } = declared;
  return Array.isArray(mimeTypes) && mimeTypes.includes(APP_MEDIA_TYPE);
}

/** The header of a session, which a server may give a client with the answer to `initialize`. */
export const SESSION_HEADER = 'mcp-session-id';

/**
 * The session of a client of the older revisions that shows apps begins so. It says that with `initialize` alone; no session is kept here,
 * so that the id, which the client repeats with each request, says it in its place.
 */
const SESSION_WITH_APPS = 'apps-';

/** Gives a client of the older revisions that shows apps the id of a session, by which its further requests say so. */
export function beginSession(message: { method: string; params?: unknown }, response: ServerResponse): void {
  if (message.method !== 'initialize' || !isObject(message.params)) return;
  if (canShowApps(message.params.capabilities))
    response.setHeader(SESSION_HEADER, `${SESSION_WITH_APPS}${requestIdOf(response)}`);
}

/** Whether the session of a client of the older revisions says that it shows apps. */
export function showsApps({ headers }: IncomingMessage): boolean {
  const session = headers[SESSION_HEADER];
  return typeof session === 'string' && session.startsWith(SESSION_WITH_APPS);
}
