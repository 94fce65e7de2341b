import type { Outbound, OutboundOptions } from './fetch.js';

/** The way out, loaded when something first goes out. */
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

/** Loads what goes out ahead of the first request that needs it. */
export async function loadOutbound(): Promise<void> {
  await (await import('./connections.js')).loadClient();
}

/** A way out that is another one each time it is taken, for those who outlive it. */
export function outboundOf(present: () => Outbound): Outbound {
  return {
    fetch: (...request) => present().fetch(...request),
    leadsInside: (...request) => present().leadsInside(...request),
    resolves: (...request) => present().resolves(...request),
    close: async () => undefined,
  };
}
