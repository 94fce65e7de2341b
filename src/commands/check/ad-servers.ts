import { systemClock } from '../../platform/kernel/clock.js';
import { createLog } from '../../platform/kernel/log.js';
import { outboundOnDemand } from '../../platform/net/outbound.js';
import type { AdServerModules } from '../../seller/adserver/adapters.js';
import { callWithin } from '../../seller/adserver/call.js';
import type { Connection } from '../../seller/adserver/connection.js';
import { Connections } from '../../seller/adserver/connections.js';
import type { Settings } from '../../seller/config/settings.js';
import type { Tenant } from '../../seller/domain/tenant/tenant.js';

/** The ad servers that tenants reach: a line for each that answers, and what is wrong. */
export type OnlineFindings = { readonly lines: readonly string[]; readonly problems: readonly string[] };

const TIMEOUT_MS = 60_000;

/** Runs with what finds the ad server of a tenant by its path; all that was opened is closed after that. */
export async function withAdServers<T>(
  tenants: readonly Tenant[],
  modules: AdServerModules,
  { development }: Pick<Settings, 'development'>,
  run: (find: (tenantPath: string) => Connection | undefined) => Promise<T>,
): Promise<T> {
  const outbound = outboundOnDemand({ development });
  const connections = new Connections(modules, { outbound, clock: systemClock, log: createLog('silent') });
  try {
    await connections.update(tenants);
    return await run((tenantPath) => connections.find(tenantPath));
  } finally {
    await connections.close();
    await outbound.close();
  }
}

/** Asks the ad server of every tenant whether it answers, and whether it has what the products name. Nothing is changed there. */
export async function pingAdServers(
  tenants: readonly Tenant[],
  modules: AdServerModules,
  settings: Pick<Settings, 'development'>,
): Promise<OnlineFindings> {
  return withAdServers(tenants, modules, settings, async (find) => {
    const findings: OnlineFindings[] = [];
    for (const { path } of tenants) {
      const connection = find(path);
      if (connection !== undefined) findings.push(await pingOne(`/${path}/mcp`, connection));
    }
    return {
      lines: findings.flatMap(({ lines }) => lines),
      problems: findings.flatMap(({ problems }) => problems),
    };
  });
}

async function pingOne(at: string, { adapter, mappings }: Connection): Promise<OnlineFindings> {
  const { declaration, name } = adapter;
  if (adapter.ping === undefined) return { lines: [`${at}  ad server ${name}: it cannot be tried`], problems: [] };
  try {
    const ping = await callWithin(TIMEOUT_MS, (signal) => adapter.ping?.(mappings, { signal }));
    if (ping === undefined) return { lines: [], problems: [] };
    const differing = (['currency', 'time_zone'] as const).flatMap((member) => {
      const there = ping[member];
      if (there === undefined || there === declaration[member]) return [];
      return [
        `${at} ad_server: the ${member} of ${ping.network} is ${there}, not ${declaration[member]}\n  Correct it.`,
      ];
    });
    const problems = ping.problems.map(({ product_id, message, fix }) => {
      const product = product_id === undefined ? 'ad_server' : `product ${product_id}`;
      return `${at} ${product}: ${message}\n  ${fix}`;
    });
    return { lines: [`${at}  ad server ${name}: ${ping.network} answers`], problems: [...differing, ...problems] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      lines: [],
      problems: [
        `${at} ad_server: ${name} cannot be asked: ${message}\n  If it is busy or down, try again in some minutes; else correct "ad_server" in the tenant file.`,
      ],
    };
  }
}
