import { REPLICATION_ADMIN_ROUTES } from '../replication/routes.js';
import { ADMIN_ROUTES } from '../routes/admin/routes.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';
import { PLAIN } from './plain-issues.js';
import { invalidRequest } from './problems.js';
import type { RouteCall } from './route.js';

/** One of the operator's requests: a POST where there is a body, else a GET. */
export type AdminRequest = { readonly path: string; readonly body?: object };

/** Calls an admin route within the process, as the operator. Throws RegistryProblem. */
export async function callAdmin(registry: Registry, { path, body }: AdminRequest): Promise<object> {
  const method = body === undefined ? 'GET' : 'POST';
  const route = [...ADMIN_ROUTES, ...REPLICATION_ADMIN_ROUTES].find(
    (one) => one.path === path && one.method === method,
  );
  if (route === undefined)
    throw new RegistryProblem('not_found', `There is no admin route ${method} ${path}.`, {
      suggestion: 'Use a path of /openapi/registry.yaml that begins with /api/admin.',
    });
  if (body !== undefined) registry.replication.requireOwn(route.operation_id);
  const read = route.body?.safeParse(body, PLAIN);
  if (read?.success === false) throw invalidRequest(read.error.issues, 'body');
  const call: RouteCall<unknown, unknown> = {
    registry,
    caller: { kind: 'key', id: 'operator', name: 'operator', role: 'admin' },
    params: {},
    query: {},
    body: read?.data,
    headers: {},
    ip: '',
    signal: new AbortController().signal,
  };
  const reply = await route.run(call);
  return 'json' in reply ? reply.json : {};
}
