import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RegistryCaller } from '../auth/caller.js';
import { LIMIT_RULES, type LimitName, type LimitRule, type RegistryLimits } from '../auth/limits.js';
import { RegistryProblem } from '../service/problem.js';
import type { RouteLimit } from './route.js';

/** What an operator changes about a limit: other numbers, or none at all. */
export type LimitChanges = Readonly<Partial<Record<LimitName, LimitRule | false>>>;

/** Counts in memory: a restart forgets, and what is durable is bounded by the rest of the rules. `off` lifts every limit. */
export function createRegistryLimits(changes: LimitChanges | 'off' = {}): RegistryLimits {
  const limiters = new Map<LimitName, RateLimiterMemory>();
  return {
    take: async (name, key, text) => {
      const rule = changes === 'off' ? false : (changes[name] ?? LIMIT_RULES[name]);
      if (rule === false) return;
      const limiter =
        limiters.get(name) ??
        new RateLimiterMemory({ keyPrefix: name, points: rule.points, duration: rule.windowMs / 1000 });
      limiters.set(name, limiter);
      try {
        await limiter.consume(key);
      } catch (refused) {
        throw tooMany(refused as RateLimiterRes, rule, text);
      }
    },
  };
}

/** The counters that a route's limit takes a turn of, and whose turn it is. */
type Counters = (caller: RegistryCaller, ip: string) => readonly (readonly [name: LimitName, key: string])[];

const COUNTERS: Readonly<Record<RouteLimit, Counters>> = {
  bulk: (_caller, ip) => [['bulk', ip]],
  probe: (_caller, ip) => [['probe', ip]],
  live: (_caller, ip) => [['resolve_live', ip]],
  ownership: (caller, ip) => [['ownership', whoOf(caller, ip)]],
  save: (caller, ip) => [
    ['save_user', whoOf(caller, ip)],
    ...(caller.kind !== 'anonymous' && caller.organization !== undefined
      ? ([
          ['save_organization_hour', caller.organization.org_id],
          ['save_organization_day', caller.organization.org_id],
        ] as const)
      : []),
    ['save_ip', ip],
  ],
};

/** Takes the turns that a route asks for. Throws rate_limited. */
export async function takeTurns(
  limits: RegistryLimits,
  names: readonly RouteLimit[],
  caller: RegistryCaller,
  ip: string,
): Promise<void> {
  for (const name of names) {
    for (const [counter, key] of COUNTERS[name](caller, ip)) await limits.take(counter, key);
  }
}

function whoOf(caller: RegistryCaller, ip: string): string {
  return caller.kind === 'anonymous' ? ip : caller.id;
}

function tooMany({ msBeforeNext }: RateLimiterRes, { points, windowMs }: LimitRule, text?: string): RegistryProblem {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new RegistryProblem('rate_limited', text ?? 'Too many requests', {
    retryAfter,
    suggestion: `Wait ${retryAfter} seconds and send the request again.`,
    details: {
      message: `At most ${points} of these requests are taken in ${windowMs / 1000} seconds.`,
      limit: points,
      window_seconds: windowMs / 1000,
    },
  });
}
