import type { LimitName, RegistryPolicy } from '../../settings.js';
import type { RegistryCaller } from '../auth/caller.js';
import type { RegistryLimits } from '../auth/limits.js';
import { RegistryProblem } from '../service/problem.js';
import type { RouteLimit } from './route.js';

/** The counters that a route's limit is counted by, and under which key. */
type Counters = (caller: RegistryCaller, ip: string) => readonly (readonly [name: LimitName, key: string])[];

const COUNTERS: Readonly<Record<RouteLimit, Counters>> = {
  bulk: (_caller, ip) => [['bulk', ip]],
  bulk_read: (_caller, ip) => [['bulk_read', ip]],
  probe: (_caller, ip) => [['probe', ip]],
  live: (_caller, ip) => [['resolve_live', ip]],
  doctor: (caller, ip) => [['doctor_user', userKey(caller, ip)]],
  ownership: (caller, ip) => [['ownership', userKey(caller, ip)]],
  save: (caller, ip) => [
    ['save_user', userKey(caller, ip)],
    ...(caller.kind !== 'anonymous' && caller.organization !== undefined
      ? ([
          ['save_organization_hour', caller.organization.org_id],
          ['save_organization_day', caller.organization.org_id],
        ] as const)
      : []),
    ['save_ip', ip],
  ],
};

/** Counts a request by every limit that its route names. Throws rate_limited. */
export async function countRequest(
  limits: RegistryLimits,
  names: readonly RouteLimit[],
  caller: RegistryCaller,
  ip: string,
): Promise<void> {
  for (const name of names) {
    for (const [counter, key] of COUNTERS[name](caller, ip)) await limits.take(counter, key);
  }
}

/** Refuses more domains at once than the registry's settings allow. Throws invalid_request. */
export function requireBulk({ bulkDomains }: Pick<RegistryPolicy, 'bulkDomains'>, domains: readonly string[]): void {
  if (domains.length <= bulkDomains) return;
  throw new RegistryProblem('invalid_request', `/domains: has to be at most ${bulkDomains} domains on this registry`, {
    field: '/domains',
    suggestion: `Send them in parts of ${bulkDomains}.`,
    details: { max_domains: bulkDomains },
  });
}

function userKey(caller: RegistryCaller, ip: string): string {
  return caller.kind === 'anonymous' ? ip : caller.id;
}
