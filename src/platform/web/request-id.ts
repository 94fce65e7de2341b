import type { IncomingMessage, ServerResponse } from 'node:http';

/** The header that carries the id of a request, in and out. */
const REQUEST_ID_HEADER = 'x-request-id';

/** An id that may stand in a log and in a header as it came. */
const SANE = /^[\w.:+/=@-]{1,128}$/;

/** Returns the id of a request, the one that it brought or else a fresh one, and sets it on the response. */
export function takeRequestId(request: IncomingMessage, response: ServerResponse, fresh: () => string): string {
  const given = request.headers[REQUEST_ID_HEADER];
  const id = typeof given === 'string' && SANE.test(given) ? given : fresh();
  response.setHeader(REQUEST_ID_HEADER, id);
  return id;
}

/** Returns the id that a response carries; empty before one was taken. */
export function requestIdOf(response: ServerResponse): string {
  const id = response.getHeader(REQUEST_ID_HEADER);
  return typeof id === 'string' ? id : '';
}
