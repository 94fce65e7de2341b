import { isObject } from '../../../platform/kernel/json/json.js';
import { quoteValue } from '../../documents/finding.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import { type Answered, type Exchange, isRefusal, type SeenResponse } from '../evidence.js';
import { describeExchange, describeSilence } from '../task-error.js';
import { isUnreached } from './reach.js';

const REVISION = /^\d{4}-\d{2}-\d{2}$/;
const METHOD_NOT_FOUND = -32601;
const PARSE_ERROR = -32700;
const MESSAGE_TYPE = /^(?:application\/json|text\/event-stream)(?:[\s;]|$)/i;

/** How the endpoint speaks MCP. */
export const MCP_CHECKS: readonly Check[] = [
  check({
    id: 'mcp.initialize',
    severity: 'error',
    needs: ['arrival'],
    rule: 'initialize is answered with the revision, the capabilities and the name of the server.',
    reference: REFERENCES.lifecycle,
    fix: 'Answer initialize by a library of MCP rather than by hand.',
    judge: ({ arrival }) => {
      // What is no answer of an MCP server is found by another check: at this address there is none, or it was asked too often.
      const isElsewhere = arrival.ok && (arrival.status === 429 || isUnreached(arrival.status));
      if (!arrival.ok || isRefusal(arrival) || isElsewhere) return 'not_applicable';
      const result = arrival.message?.result;
      if (!isObject(result)) return [`initialize is answered ${arrival.status}, and by no result of JSON-RPC.`];
      const info = isObject(result.serverInfo) ? result.serverInfo : {};
      const capabilities = isObject(result.capabilities) ? result.capabilities : {};
      return faultsOf(
        [!REVISION.test(String(result.protocolVersion)), `protocolVersion is ${quoteValue(result.protocolVersion)}.`],
        [typeof info.name !== 'string' || typeof info.version !== 'string', 'serverInfo lacks a name or a version.'],
        [!isObject(capabilities.tools), 'The capabilities name no tools.'],
      );
    },
  }),
  check({
    id: 'mcp.revision',
    severity: 'error',
    needs: ['otherRevision'],
    rule: 'A server that does not speak the revision asked for answers with one that it speaks.',
    reference: REFERENCES.lifecycle,
    fix: 'Answer initialize with the newest revision that the server speaks; never repeat one that it does not.',
    judge: ({ otherRevision }) => {
      if (!otherRevision.ok) return 'not_applicable';
      const result = otherRevision.message?.result;
      if (!isObject(result)) return [`A revision of 2000 is answered ${otherRevision.status} without a result.`];
      const { protocolVersion } = result;
      return faultsOf([protocolVersion === '2000-01-01', 'It claims to speak the revision 2000-01-01.']);
    },
  }),
  check({
    id: 'mcp.response',
    severity: 'error',
    needs: ['responses'],
    rule: 'A response of JSON-RPC has "jsonrpc": "2.0", the id of its request, of the same type, and either a result or an error.',
    reference: REFERENCES.jsonRpc,
    fix: 'Copy the id of the request into the response, a number as a number, and write one of "result" and "error".',
    judge: ({ responses }) => describeResponses(responses, responseFault),
  }),
  check({
    id: 'mcp.session',
    severity: 'error',
    needs: ['introduction', 'capabilities'],
    rule: 'A session that initialize opens, in Mcp-Session-Id, is good for the requests that follow; without one they need none.',
    reference: REFERENCES.transport,
    fix: 'Store sessions where every process finds them, or open none: answer initialize without Mcp-Session-Id, and ask for none.',
    judge: ({ capabilities: { exchange }, introduction, unknownMethod }) => {
      const session = introduction.headers['mcp-session-id'];
      const lost = [exchange, unknownMethod].find((one) => one?.ok === true && isSessionLost(one, session));
      return faultsOf(
        [
          session !== undefined && !/^[\x21-\x7e]+$/.test(session),
          `The id ${quoteValue(session)} is not of visible ASCII.`,
        ],
        [lost !== undefined && session !== undefined, `A request of the session is refused. ${describeIfAny(lost)}`],
        [
          lost !== undefined && session === undefined,
          `No session was opened, and one is asked for. ${describeIfAny(lost)}`,
        ],
      );
    },
  }),
  check({
    id: 'mcp.notice',
    severity: 'warning',
    needs: ['notice'],
    rule: 'A notification is answered 202 without a body.',
    reference: REFERENCES.transport,
    fix: 'Answer notifications/initialized with 202.',
    judge: ({ notice }) => (notice.ok ? faultsOf([notice.status !== 202, `It is answered ${notice.status}.`]) : []),
  }),
  check({
    id: 'mcp.content-type',
    severity: 'error',
    needs: ['responses'],
    rule: 'Answers are application/json or text/event-stream.',
    reference: REFERENCES.transport,
    fix: 'Send the Content-Type that the body has, with every answer.',
    judge: ({ responses }) =>
      describeResponses(responses, ({ type }) =>
        MESSAGE_TYPE.test(type) ? undefined : `is answered with the type ${quoteValue(type)}`,
      ),
  }),
  check({
    id: 'mcp.unknown-method',
    severity: 'error',
    needs: ['unknownMethod'],
    rule: 'A method that there is not is answered with the error -32601.',
    reference: REFERENCES.jsonRpc,
    fix: 'Answer {"error": {"code": -32601, "message": "Method not found"}} under the id of the request.',
    judge: ({ introduction, unknownMethod }) =>
      isTurnedAway(unknownMethod, introduction) ? 'not_applicable' : wrongCode(unknownMethod, METHOD_NOT_FOUND),
  }),
  check({
    id: 'mcp.ping',
    severity: 'error',
    needs: ['ping'],
    rule: 'ping is answered with an empty result.',
    reference: REFERENCES.ping,
    fix: 'Answer {"result": {}} under the id of the request; clients close connections on which none comes.',
    judge: ({ introduction, ping }) => {
      if (isTurnedAway(ping, introduction)) return 'not_applicable';
      return faultsOf([!ping.ok || !isObject(ping.message?.result), describeExchange(ping)]);
    },
  }),
  check({
    id: 'mcp.broken-json',
    severity: 'warning',
    needs: ['brokenJson'],
    rule: 'What is no JSON is answered with the error -32700, or 400.',
    reference: REFERENCES.jsonRpc,
    fix: 'Catch the error of the parser, and answer 400 with {"error": {"code": -32700, …}}.',
    judge: ({ brokenJson }) => {
      if (!brokenJson.ok || [400, 401, 403, 415, 422].includes(brokenJson.status)) return [];
      return wrongCode(brokenJson, PARSE_ERROR);
    },
  }),
];

/** Returns what is wrong with responses, a sentence for each kind of fault, with the first request that has it. */
function describeResponses(
  responses: readonly SeenResponse[],
  findFault: (response: SeenResponse) => string | undefined,
): readonly string[] {
  const requests = new Map<string, string[]>();
  for (const response of responses) {
    const fault = findFault(response);
    if (fault !== undefined) requests.set(fault, [...(requests.get(fault) ?? []), response.request]);
  }
  return [...requests].map(([fault, [first, ...more]]) =>
    more.length === 0 ? `${first} ${fault}.` : `${first} ${fault}, and so are ${more.length} more requests.`,
  );
}

function responseFault({ id, isDouble, isStray, jsonrpc }: SeenResponse): string | undefined {
  if (jsonrpc !== '2.0') return `is answered with "jsonrpc": ${quoteValue(jsonrpc)}`;
  if (isDouble) return 'is answered with a result and an error at once';
  if (!isStray) return undefined;
  // Numbers go up with each request, so that only their type is the same fault.
  const other = typeof id === 'number' ? 'an id (number)' : `the id ${quoteValue(id)} (${typeof id})`;
  return `is answered under ${id === null ? 'the id null' : other}, which was not asked`;
}

/** Whether a request came to nothing for a reason that another check tells. */
function isTurnedAway(exchange: Exchange, introduction: Answered | undefined): boolean {
  const session = introduction?.headers['mcp-session-id'];
  return isRefusal(exchange) || (exchange.ok && (exchange.status === 429 || isSessionLost(exchange, session)));
}

/** Whether a request is answered as MCP answers those of a session that there is not: 404 within one, 400 without. */
function isSessionLost({ message, status }: Answered, session: string | undefined): boolean {
  if (session !== undefined) return status === 404;
  return status === 400 && /session/i.test(JSON.stringify(message?.error ?? ''));
}

function describeIfAny(exchange: Exchange | undefined): string {
  return exchange === undefined ? '' : describeExchange(exchange);
}

function wrongCode(exchange: Exchange, code: number): readonly string[] {
  if (!exchange.ok) return [describeSilence(exchange.reason)];
  const error = exchange.message?.error;
  const seen = isObject(error) ? error.code : undefined;
  if (seen === code) return [];
  return [
    `It is answered ${exchange.status}, with ${seen === undefined ? 'no error' : `the error ${quoteValue(seen)}`}.`,
  ];
}
