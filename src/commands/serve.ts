import path from 'node:path';
import { styleText } from 'node:util';
import type { Settings, SettingsFlags } from '../seller/config/settings.js';
import { hasSimulatedBuys } from '../seller/domain/tenant/callers.js';
import type { Seller } from '../seller/domain/tenant/seller.js';
import { createServer } from '../seller/server.js';
import type { CommandContext } from './command.js';
import { FIRST_CALLS } from './first-calls.js';
import { snippetsFor } from './mcp/snippets.js';

/** The facts that the banner shows. */
type BannerFacts = {
  readonly version: string;
  readonly baseUrl: string;
  readonly settings: Settings;
  readonly sellers: readonly Seller[];
  readonly color: boolean;
  /** Signs this machine's user in to the console, once. */
  readonly signInLink: string;
};

/** Returns the greeting of `serve`: every tenant's address, a token and account that work, and snippets to paste. */
export function banner({ version, baseUrl, settings, sellers, color, signInLink }: BannerFacts): string {
  const bold = (text: string): string => (color ? styleText('bold', text) : text);
  const open = sellers.filter((seller) => sandboxAccess(seller) !== undefined);
  const first = open.find((seller) => seller.tenant.kinds.includes('sales')) ?? open[0];
  return [
    bold(`seller-agent ${version} is serving ${sellers.length === 1 ? '1 tenant' : `${sellers.length} tenants`}`),
    '',
    ...sellers.map((seller) => `  ${seller.url}   ${seller.tenant.kinds.join(', ')}   ${seller.tenant.name}`),
    '',
    `  data      ${settings.dataDir}`,
    `  tenants   ${settings.tenantsDir}`,
    `  health    ${baseUrl}/healthz   ${baseUrl}/readyz`,
    `  console   ${signInLink}`,
    '            this link signs you in once; `seller-agent console link` prints another',
    ...simulatedLines(sellers),
    ...modeLines(settings, sellers),
    ...(first === undefined
      ? ['  No sandbox principal with a public_token: use a key of your own.']
      : snippets(first, bold)),
    '',
  ].join('\n');
}

/** Says who may use the sandboxes: this machine in development mode, else everybody where a tenant says so. */
function modeLines({ development }: Settings, sellers: readonly Seller[]): readonly string[] {
  if (development) return [DEVELOPMENT];
  const open = sellers.filter(({ tenant }) => tenant.publicSandbox).map(({ tenant }) => `/${tenant.path}/mcp`);
  return open.length === 0 ? [''] : [`  public    anybody may use the sandbox of ${open.join(', ')}`];
}

/** Names the tenants whose live buys nobody serves. */
function simulatedLines(sellers: readonly Seller[]): readonly string[] {
  const paths = sellers.filter(({ tenant }) => hasSimulatedBuys(tenant)).map(({ tenant }) => `/${tenant.path}/mcp`);
  return paths.length === 0 ? [] : [`  simulated delivery of live buys is made up at ${paths.join(', ')}`];
}

const DEVELOPMENT =
  '  mode      development (only this machine reaches it): sandbox principals may use http and loopback\n            callbacks, public test keys (demo-<kit>-v<n>) and the outbound.resolve map';

type Access = { readonly token: string; readonly account: string };

/** Returns a sandbox principal's public token and an active account of it. */
function sandboxAccess({ tenant }: Seller): Access | undefined {
  for (const { id, credentials } of tenant.principals) {
    const shown = credentials.find((credential) => credential.kind === 'public_token');
    const account = tenant.accounts.find((candidate) => candidate.principal === id && candidate.status === 'active');
    if (shown?.kind === 'public_token' && account !== undefined)
      return { token: shown.token, account: account.account_id };
  }
  return undefined;
}

function snippets(seller: Seller, bold: (text: string) => string): string[] {
  const { token, account } = sandboxAccess(seller) ?? { token: '', account: '' };
  const { url, names, tenant } = seller;
  const kind = tenant.kinds.includes('sales') ? 'sales' : (tenant.kinds[0] ?? 'sales');
  const call = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: names.capabilitiesTool, arguments: {} },
  });
  const models = snippetsFor({ name: tenant.path.replaceAll('/', '-'), url, token });
  return [
    `  sandbox   token ${bold(token)}   account ${bold(account)}`,
    '',
    bold('curl'),
    `  curl -s ${url} -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -H 'Accept: application/json' \\`,
    `    -d '${call}'`,
    '',
    ...models.flatMap(({ program, text }) => [bold(program), `  ${text}`, '']),
    bold('the public buyer client'),
    `  npx -p @adcp/sdk adcp ${url} ${FIRST_CALLS[kind]} --auth ${token} --allow-http`,
  ];
}

const HANGUP =
  'SIGHUP changes nothing: an edit of the tenant files is served within a second, and settings are read at a start';

/** Serves the tenants until the process is told to end, then drains. Calls `onListening` once it can be called. */
export async function serve(
  { cwd, env, hasColor, log, out, settings: readSettings, untilStopped, version }: CommandContext,
  { registry, adServer: file, ...flags }: SettingsFlags & { readonly registry?: true; readonly adServer?: string },
  onListening: () => void,
): Promise<undefined> {
  const settings = await readSettings(flags);
  const adServer = file === undefined ? undefined : { file: path.resolve(cwd, file) };
  const lines = await log('info');
  const server = await createServer({
    settings,
    env,
    version,
    log: lines,
    registry: registry === true,
    adServer,
  });
  const stopped = untilStopped(() => lines.warn(HANGUP));
  const baseUrl = await server.listen();
  onListening();
  const sellers = [...server.app.sellers().values()];
  out(banner({ version, settings, color: hasColor, baseUrl, sellers, signInLink: server.signInLink() }));
  await stopped;
  out('Draining: calls in hand are finished, then the store is closed.');
  await server.retire();
  await server.close();
}
