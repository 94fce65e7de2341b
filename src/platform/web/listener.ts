import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request, or leaves it to `next` where there is one. Mounts under express and serves alone. */
export type WebListener = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
