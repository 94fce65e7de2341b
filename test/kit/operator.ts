import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Booted } from './boot.js';
import { type HttpAnswer, send } from './http.js';

/** One thing in the operator's list of what waits. */
export type WireWaiting = {
  readonly kind: string;
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly account_id: string;
  readonly what: string;
  readonly since: string;
  readonly because?: string;
  readonly acts_at?: string;
  /** The address of the page where it can be decided. */
  readonly link: string;
  readonly preview?: string;
  readonly creative?: { readonly creative_id: string; readonly name: string; readonly format_id: object };
};

/** The seller's person at a running server. */
export type Operator = {
  readonly get: (path: string, token?: string) => Promise<HttpAnswer>;
  readonly post: (path: string, body: unknown) => Promise<HttpAnswer>;
  /** What waits, longest first. */
  readonly waiting: () => Promise<readonly WireWaiting[]>;
  /** Decides about a creative that waits; throws when none of that id does. */
  readonly approve: (creativeId: string) => Promise<HttpAnswer>;
  readonly reject: (creativeId: string, reason: string) => Promise<HttpAnswer>;
};

/** The operator of a server, with the token of its data folder. */
export function operatorOf(server: Pick<Booted, 'dataDir'>): Operator {
  const read = () =>
    JSON.parse(readFileSync(path.join(server.dataDir, 'operator.json'), 'utf8')) as { url: string; token: string };
  const get: Operator['get'] = (route, token = read().token) =>
    send(`${read().url}${route}`, { headers: { authorization: `Bearer ${token}` } });
  const post: Operator['post'] = (route, body) =>
    send(`${read().url}${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${read().token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const waiting: Operator['waiting'] = async () =>
    ((await get('/approvals')).json() as { approvals: readonly WireWaiting[] }).approvals;
  const idOf = async (creativeId: string): Promise<string> => {
    const found = (await waiting()).find(({ creative }) => creative?.creative_id === creativeId);
    if (found === undefined) throw new Error(`the creative ${creativeId} does not wait`);
    return found.id;
  };
  return {
    get,
    post,
    waiting,
    approve: async (creativeId) => post(`/approvals/${await idOf(creativeId)}`, { decision: 'approve' }),
    reject: async (creativeId, reason) => post(`/approvals/${await idOf(creativeId)}`, { decision: 'reject', reason }),
  };
}
