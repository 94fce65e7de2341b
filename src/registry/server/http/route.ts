import type { z } from 'zod';
import type { RegistryCaller } from '../auth/caller.js';
import type { Registry } from '../service/registry.js';
import type { WrittenAnswer, WrittenJson } from './written-json.js';

/**
 * Who may call: everybody (`none`; a token is not even looked at), everybody with more shown to the proven (`optional`; a bad token
 * counts as none), the proven (`bearer`), members of an organization (`member`), moderators and admins (`admin`).
 */
export type RouteAuth = 'none' | 'optional' | 'bearer' | 'member' | 'admin';

/** The limits that routes name. */
export type RouteLimit = 'bulk' | 'bulk_read' | 'save' | 'ownership' | 'probe' | 'live' | 'doctor';

/** A parameter object, a body or an answer as zod knows it. */
type Shape = z.ZodType;

/** One answer that a route may give, as OpenAPI says it. */
export type RouteAnswer = {
  readonly description: string;
  /** Absent for an answer without a body. */
  readonly body?: Shape;
  /** `application/json` unless given. */
  readonly type?: string;
};

/** The parts of a request, parsed and validated. */
export type RouteCall<Query, Body> = {
  readonly registry: Registry;
  readonly caller: RegistryCaller;
  /** Of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Address of the caller, for limits. */
  readonly ip: string;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
};

/** A text as it is; `again` returns the reply to the same question while what it rests on has not changed. */
export type WrittenReply = {
  readonly text: string;
  readonly type: string;
  readonly etag?: string;
  readonly again?: (() => WrittenReply | undefined) | undefined;
};

/** The answer of a route: a JSON value, a text as it is, or a stream that is written no faster than it is read. */
export type Reply = {
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
} & (
  | { readonly json: object }
  | WrittenReply
  | { readonly stream: AsyncIterable<string | Uint8Array>; readonly type: string }
  | { readonly empty: true }
);

/** A route as it is written down; `run` is given what query and body were read to. */
export type RouteSpec<Query extends Shape, Body extends Shape> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As OpenAPI writes it: `/api/registry/lookup/domain/{domain}`. */
  readonly path: string;
  /** The name in the OpenAPI document, such as `resolveBrand`. */
  readonly operation_id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: RouteAuth;
  readonly limits?: readonly RouteLimit[];
  /** An object of fields.ts; parameters that it does not name are passed over. */
  readonly query?: Query;
  readonly body?: Body;
  /** Whether the body is a form and not JSON. */
  readonly form?: boolean;
  /** Bytes of a body; 64 KiB unless given. */
  readonly maxBodyBytes?: number;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  /** Whether `/mcp` offers it as a tool; reads only. */
  readonly tool?: boolean;
  readonly deprecated?: boolean;
  /** Left out of the OpenAPI document, such as a page. */
  readonly hidden?: boolean;
  readonly run: (call: RouteCall<z.output<Query>, z.output<Body>>) => Promise<Reply>;
};

/** A route of the table. */
export type Route = RouteSpec<Shape, Shape>;

/** Writes a route down, so that `run` knows the types of its query and body. */
export function route<Query extends Shape = z.ZodUndefined, Body extends Shape = z.ZodUndefined>(
  spec: RouteSpec<Query, Body>,
): Route {
  // A table holds routes of many types; the dispatcher gives each what its own schemas made.
  return spec as Route;
}

/** Answers a JSON value that was written before with 200. */
export function okWritten({ again, written }: WrittenAnswer): WrittenReply {
  if (again === undefined) return replyOf(written);
  return {
    ...replyOf(written),
    again: () => {
      const next = again();
      return next && replyOf(next);
    },
  };
}

function replyOf({ etag, text }: WrittenJson): WrittenReply {
  return { text, type: 'application/json', etag };
}

/** Answers a JSON value with 200. */
export function ok(json: object, headers?: Readonly<Record<string, string>>): Reply {
  return headers === undefined ? { json } : { json, headers };
}
