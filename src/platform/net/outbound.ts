import type { FetchOptions, Outbound, OutboundOptions } from './fetch.js';

/** Returns a guarded fetch that is loaded when something first goes out. */
export function outboundOnDemand(options: OutboundOptions): Outbound {
  let made: Promise<Outbound> | undefined;
  const outbound = (): Promise<Outbound> => {
    made ??= import('./fetch.js').then(({ createOutbound }) => createOutbound(options));
    return made;
  };
  return {
    fetch: async (...request) => (await outbound()).fetch(...request),
    leadsInside: async (...request) => (await outbound()).leadsInside(...request),
    resolves: async (...request) => (await outbound()).resolves(...request),
    close: async () => (await made)?.close(),
  };
}

/** Returns a guarded fetch whose requests also end when `signal` aborts. */
export function outboundUntil<Guarded extends Pick<Outbound, 'fetch'>>(
  outbound: Guarded,
  signal: AbortSignal,
): Guarded {
  return {
    ...outbound,
    fetch: (url: string, options: FetchOptions) => {
      const ending = options.signal === undefined ? signal : AbortSignal.any([signal, options.signal]);
      return outbound.fetch(url, { ...options, signal: ending });
    },
  };
}

/** Loads the HTTP client ahead of the first request that needs it. */
export async function loadOutbound(): Promise<void> {
  await (await import('./connections.js')).loadClient();
}

/** Returns a guarded fetch that asks for the present one each time, for those who outlive one. */
export function outboundThrough(present: () => Outbound): Outbound {
  return {
    fetch: (...request) => present().fetch(...request),
    leadsInside: (...request) => present().leadsInside(...request),
    resolves: (...request) => present().resolves(...request),
    close: async () => undefined,
  };
}
