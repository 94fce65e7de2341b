import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Seller } from '../domain/tenant/seller.js';
import type { Edge } from './arrival.js';

/** An endpoint of a tenant, of MCP or of A2A, open for as long as the tenant's files stay as they are. */
export type Endpoint = {
  readonly seller: Seller;
  /** Answers one HTTP request; never rejects. */
  readonly serve: (edge: Edge, request: IncomingMessage, response: ServerResponse) => Promise<void>;
};
