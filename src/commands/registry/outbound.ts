import { createOutbound, type Outbound } from '../../platform/net/fetch.js';
import { AdServerModules } from '../../seller/adserver/adapters.js';
import type { Environment } from '../../seller/config/draft.js';
import { inspectFormats } from '../../seller/config/formats.js';
import { inspectTenants } from '../../seller/config/load.js';
import type { Settings } from '../../seller/config/settings.js';
import { inspectedFiles } from '../check/inspected-files.js';

/** The guarded way out of a command, and the hosts that stand for an origin on this machine. */
type CommandOutbound = { readonly outbound: Outbound; readonly localHosts: ReadonlySet<string> };

/** Opens the way out for a command; in development mode with the stand-ins of the tenant files. */
export async function openOutbound(settings: Settings, env: Environment): Promise<CommandOutbound> {
  const { development } = settings;
  const resolve = new Map(development ? await localHostsOf(settings, env) : []);
  return { outbound: createOutbound({ development, resolve }), localHosts: new Set(resolve.keys()) };
}

async function localHostsOf(settings: Settings, env: Environment): Promise<readonly (readonly [string, string])[]> {
  const { tenants } = await inspectTenants({
    ...inspectedFiles(settings, env, new AdServerModules()),
    formatIds: (await inspectFormats(settings)).named,
  });
  return tenants.flatMap(({ outboundResolve }) => Object.entries(outboundResolve));
}
