import { ConfigError, type ConfigProblem, describeProblem } from '../../platform/kernel/errors.js';
import { RELEASE_TABLE } from '../../protocol/releases.js';
import { AdServerModules } from '../../seller/adserver/adapters.js';
import type { Environment } from '../../seller/config/draft.js';
import { inspectFormats } from '../../seller/config/formats.js';
import { inspectTenants } from '../../seller/config/load.js';
import { inspectPublishers } from '../../seller/config/publishers.js';
import type { Settings } from '../../seller/config/settings.js';
import { hasSimulatedBuys } from '../../seller/domain/tenant/callers.js';
import type { Tenant } from '../../seller/domain/tenant/tenant.js';
import { type OnlineFindings, pingAdServers } from './ad-servers.js';
import { tryAlerts } from './alerts.js';
import { inspectedFiles } from './inspected-files.js';
import { judgePublishers } from './publishers.js';

/** The ad server of `--ad-server`, and whether ad servers are asked. */
type CheckedAdServers = { readonly adServer?: string | undefined; readonly isOnline?: boolean };

/** Whether the tenants could be served, and what a person should read about it. */
type CheckResult = { readonly ok: boolean; readonly text: string };

/**
 * Reads all format folders, tenant files and publishers as `serve` would and tells every problem, or one line per tenant.
 * `now` (milliseconds) is what expired products and proposals are judged by; without it they are not mentioned.
 */
export async function check(
  settings: Settings,
  env: Environment,
  now?: number,
  { adServer: file, isOnline = false }: CheckedAdServers = {},
): Promise<CheckResult> {
  const adServers = new AdServerModules(file === undefined ? undefined : { file });
  const { problems, tenants, warnings } = await inspectAll(settings, env, now, adServers);
  const remarks = warnings.map((warning) => `warning: ${describeProblem(warning)}`);
  const lines = problems.length > 0 ? problems.map(describeProblem) : tenants.map(describeTenant);
  const tried =
    isOnline && problems.length === 0
      ? [await pingAdServers(tenants, adServers, settings), await tryAlerts(tenants, settings)]
      : [];
  const online: OnlineFindings = {
    lines: tried.flatMap((one) => one.lines),
    problems: tried.flatMap((one) => one.problems),
  };
  return {
    ok: problems.length + online.problems.length === 0,
    text: [
      ...lines,
      ...online.lines,
      ...remarks,
      ...online.problems,
      writeClosing(tenants, problems, warnings) + closingOnline(online),
    ].join('\n'),
  };
}

/** The tenants that can be read, and what is wrong with the files. */
type Inspected = {
  readonly tenants: readonly Tenant[];
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
};

/** Reads all format folders, tenant files and publishers as `serve` would. */
export async function inspectAll(
  settings: Settings,
  env: Environment,
  now?: number,
  adServers: AdServerModules = new AdServerModules(),
): Promise<Inspected> {
  const formats = await inspectFormats(settings);
  const listed = await inspectPublishers(settings.tenantsDir);
  const inspected = await inspectTenants({
    ...inspectedFiles(settings, env, adServers),
    // A product of a format that cannot be read is no second fault.
    formatIds: formats.named,
    publishers: listed.publishers,
    now,
  }).catch(asProblems);
  const { tenants } = inspected;
  const judged = judgePublishers(listed, tenants, settings, now ?? 0);
  const problems = [...formats.problems, ...inspected.problems, ...listed.problems, ...judged.problems];
  // Who sells a publisher is in the tenant files: while one cannot be read, nobody seems to.
  const remarks = inspected.problems.length === 0 ? judged.warnings : [];
  return { tenants, problems, warnings: [...inspected.warnings, ...remarks] };
}

/** Returns an environment in which every variable that is asked for is set, each to a text of its own that may be a key, a secret or an address. */
export function pretendSet(env: Environment): Environment {
  return new Proxy(env, {
    get: (set, name) =>
      typeof name === 'string' && name !== '' ? (set[name] ?? `https://is-set-elsewhere.invalid/${name}`) : undefined,
  });
}

function asProblems(cause: unknown) {
  if (!(cause instanceof ConfigError)) throw cause;
  return { tenants: [], problems: cause.problems, warnings: [] };
}

function describeTenant(tenant: Tenant): string {
  const counts = [
    countNoun(tenant.principals.length, 'principal'),
    countNoun(tenant.accounts.length, 'account'),
    countNoun(tenant.products.length, 'product'),
    ...(tenant.kinds.includes('signals') ? [countNoun(tenant.signals.length, 'signal')] : []),
  ];
  const sandbox = tenant.publicSandbox ? '  public sandbox: anybody may call it' : '';
  const simulated = hasSimulatedBuys(tenant) ? '  simulated: delivery of live buys is made up' : '';
  const previews = tenant.releases.filter((release) => RELEASE_TABLE[release].isPreview);
  const preview = previews.length > 0 ? `  preview: ${previews.join(', ')} may change at any time` : '';
  return `/${tenant.path}/mcp  ${tenant.kinds.join(', ')}  ${counts.join(', ')}${sandbox}${simulated}${preview}`;
}

function writeClosing(
  tenants: readonly Tenant[],
  problems: readonly ConfigProblem[],
  warnings: readonly ConfigProblem[],
) {
  const counted =
    problems.length > 0
      ? `${countNoun(problems.length, 'problem')} in ${countNoun(new Set(problems.map(({ file }) => file)).size, 'file')}`
      : `${countNoun(tenants.length, 'tenant')}, no problems`;
  return warnings.length > 0 ? `${counted}, ${countNoun(warnings.length, 'warning')}.` : `${counted}.`;
}

function closingOnline({ problems }: OnlineFindings): string {
  if (problems.length === 0) return '';
  return problems.length === 1 ? ' 1 answers not as it should.' : ` ${problems.length} answer not as they should.`;
}

function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
