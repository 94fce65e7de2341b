import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';

/** A refusal in the protocol's own terms, before or beside any tool: HTTP status, JSON-RPC code, a sentence and perhaps data. */
export class McpRefusal extends Error {
  override readonly name = 'McpRefusal';
  readonly status: number;
  /** The SDK's server writes an error that is thrown within it by this member too. */
  readonly code: number;
  readonly data: unknown;

  constructor(status: number, code: number, message: string, data?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}

/** Returns the error object of a JSON-RPC answer. */
export function rpcErrorOf({ code, message, data }: McpRefusal): JSONRPCErrorResponse['error'] {
  return { code, message, data };
}
