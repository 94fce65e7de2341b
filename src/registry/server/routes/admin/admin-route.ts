import { z } from 'zod';
import type { RegistryCaller } from '../../auth/caller.js';
import { problemsOf } from '../../http/answers.js';
import { type Route, type RouteSpec, route } from '../../http/route.js';
import { TAGS } from '../../openapi/tags.js';
import { carryOutAct } from '../../service/acts.js';
import { RegistryProblem } from '../../service/problem.js';

/** A change; its path lies below /api/admin. */
type ChangeSpec<Body extends z.ZodType> = Pick<
  RouteSpec<z.ZodUndefined, Body>,
  'operation_id' | 'summary' | 'description' | 'body' | 'maxBodyBytes' | 'run'
> & { readonly path: string };

/** A list; its path lies below /api/admin. */
type ListSpec<Query extends z.ZodType> = Pick<
  RouteSpec<Query, z.ZodUndefined>,
  'operation_id' | 'summary' | 'query' | 'run'
> & { readonly path: string };

const anything = z.looseObject({});

/** Returns a change that the operator and admins make, over the API too. */
export function adminRoute<Body extends z.ZodType>(spec: ChangeSpec<Body>): Route {
  return changeRoute(spec, requireAdmin);
}

/** Returns a change that moderators make as well. */
export function moderatorRoute<Body extends z.ZodType>(spec: ChangeSpec<Body>): Route {
  // Who is no moderator is refused by `auth` already.
  return changeRoute(spec, () => undefined);
}

/** Returns a list for admins and moderators. */
export function adminList<Query extends z.ZodType>(spec: ListSpec<Query>): Route {
  return route<Query, z.ZodUndefined>({
    ...spec,
    method: 'GET',
    path: `/api/admin/${spec.path}`,
    tag: TAGS.operation,
    auth: 'admin',
    answers: { 200: { description: 'The list.', body: anything }, ...problemsOf(400, 401, 403) },
  });
}

/** Returns the name that the history and the feed show of a caller. */
export function editorName(caller: RegistryCaller): string {
  return caller.kind === 'anonymous' ? 'operator' : caller.name;
}

/** Returns a change that goes on the list of acts. */
function changeRoute<Body extends z.ZodType>(
  spec: ChangeSpec<Body>,
  requireRole: (caller: RegistryCaller) => void,
): Route {
  return route<z.ZodUndefined, Body>({
    ...spec,
    method: 'POST',
    path: `/api/admin/${spec.path}`,
    tag: TAGS.operation,
    auth: 'admin',
    answers: { 200: { description: 'Done.', body: anything }, ...problemsOf(400, 401, 403, 404, 405, 409) },
    run: async (call) => {
      requireRole(call.caller);
      const act = { by: actorName(call.caller), action: spec.operation_id, request: call.body };
      return carryOutAct(call.registry, act, (registry) => spec.run({ ...call, registry }));
    },
  });
}

/** Refuses a moderator what only admins may do. */
function requireAdmin(caller: RegistryCaller): void {
  if (caller.kind !== 'anonymous' && caller.role === 'admin') return;
  throw new RegistryProblem('forbidden', 'This needs the standing of an admin.', {
    suggestion: 'Ask the operator of this registry.',
  });
}

/** Returns who did something, for the list of acts: an organization may have many keys. */
function actorName(caller: RegistryCaller): string {
  const name = editorName(caller);
  return caller.kind === 'anonymous' || caller.id === name ? name : `${name} (${caller.id})`;
}
