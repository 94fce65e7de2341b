import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../platform/kernel/clock.js';
import { isObject, readJson } from '../../platform/kernel/json/json.js';
import { readCertificate } from '../../platform/net/certificate.js';
import { pluralize } from '../../platform/web/humanize.js';
import { hasSimulatedBuys } from '../domain/tenant/callers.js';
import type { Check, CheckedServer, Finding, ServerFacts } from './finding.js';
import { freeBytes } from './free-bytes.js';

const SEE_FILES = 'Run "seller-agent check", and correct what it lists.';
const SEE_ADDRESS =
  'Start the server, see that DNS and the proxy lead to it from the address of "base_url", and try that address with curl.';
const SEE_OPERATOR = 'Run this command on the machine of the server, as the user that runs it, with its --data folder.';

/** The checks of what has to be done before real buyers come; of what is known of a server without asking anybody. */
export const GO_LIVE_CHECKS: readonly Check<ServerFacts>[] = [
  { name: 'tenants', run: checkTenants, fix: SEE_FILES },
  { name: 'exposure', run: checkExposure, fix: SEE_FILES },
  { name: 'operator', run: checkOperator, fix: SEE_FILES },
  { name: 'buyers', run: checkBuyers, fix: SEE_FILES },
  { name: 'delivery', run: checkDelivery, fix: SEE_FILES },
  { name: 'keys', run: checkKeys, fix: SEE_ADDRESS },
];

/** Every check of `doctor`: what has to be done before real buyers come, and then in the order in which a server comes to life. */
export const CHECKS: readonly Check<CheckedServer>[] = [
  { name: 'config', run: checkFiles, fix: 'Make the files readable for the user that runs the server.' },
  ...GO_LIVE_CHECKS,
  { name: 'disk', run: checkSpace, fix: 'Make the data folder readable for the user that runs the server.' },
  { name: 'running', run: checkRunning, fix: SEE_OPERATOR },
  { name: 'version', run: checkVersion, fix: SEE_OPERATOR },
  { name: 'health', run: checkHealth, fix: SEE_ADDRESS },
  { name: 'clock', run: checkClock, fix: SEE_ADDRESS },
  { name: 'tls', run: checkTls, fix: SEE_ADDRESS },
  { name: 'agents', run: checkAgents, fix: SEE_ADDRESS },
  { name: 'well-known files', run: checkWellKnown, fix: SEE_ADDRESS },
  { name: 'adagents.json', run: checkAdagents, fix: 'See that this machine reaches the sites of the publishers.' },
  { name: 'webhooks', run: checkWebhooks, fix: SEE_OPERATOR },
];

/** Returns what a check finds; what it throws is a failure, with what to do about it. */
export async function runCheck<Server>({ fix, run }: Check<Server>, server: Server): Promise<Finding> {
  try {
    return await run(server);
  } catch (error) {
    return { status: 'fail', message: error instanceof Error ? error.message : String(error), fix };
  }
}

async function checkFiles({ checkFiles: read }: CheckedServer): Promise<Finding> {
  const { ok, text } = await read();
  const lines = text.split('\n');
  if (!ok)
    return { status: 'fail', message: text, fix: 'Correct the files; "seller-agent check" shows this list again.' };
  if (!text.includes('warning: ')) return { status: 'ok', message: lines.at(-1) ?? '' };
  return {
    status: 'warn',
    message: text,
    fix: 'See whether each is meant; "seller-agent check" shows this list again.',
  };
}

async function checkTenants({ settings, tenants }: ServerFacts): Promise<Finding> {
  if (settings.hasExampleTenants)
    return {
      status: 'warn',
      message: 'the shipped examples are served, whose tokens everybody knows',
      fix: 'Write tenants of your own with "seller-agent init".',
    };
  return { status: 'ok', message: `${pluralize(tenants.length, 'tenant')} of ${settings.tenantsDir}` };
}

async function checkExposure({ baseUrl, settings }: ServerFacts): Promise<Finding> {
  const { development, host } = settings;
  if (development)
    return {
      status: 'warn',
      message: `only this machine reaches ${baseUrl}: development mode`,
      fix: 'Set "base_url" to the https address that buyers use, and "trusted_proxies" to your proxy.',
    };
  if (!baseUrl.startsWith('https://'))
    return {
      status: 'fail',
      message: `base_url is ${baseUrl}`,
      fix: 'Buyers need https: set "base_url" to it, and put a proxy with a certificate before the server.',
    };
  if (settings.trustedProxies.length > 0)
    return { status: 'ok', message: `${baseUrl} by way of a proxy to ${host}:${settings.port}` };
  return {
    status: 'warn',
    message: 'no proxy is trusted: all callers that come by way of one share its address and its limits',
    fix: 'Set "trusted_proxies" to the address of your proxy, such as ["127.0.0.1"].',
  };
}

async function checkOperator({ settings: { operator } }: ServerFacts): Promise<Finding> {
  if (operator.name !== undefined) return { status: 'ok', message: `${operator.name} runs the agents` };
  return {
    status: 'warn',
    message: 'nobody is named who runs the agents',
    fix: 'Set "operator" with "domain" and "name", which brand.json and the console show.',
  };
}

async function checkBuyers({ tenants }: ServerFacts): Promise<Finding> {
  const live = tenants.flatMap(({ principals }) => principals.filter(({ sandbox }) => !sandbox)).length;
  if (live > 0) return { status: 'ok', message: `${pluralize(live, 'buyer')} may buy with real money` };
  return {
    status: 'warn',
    message: 'every buyer is a sandbox one',
    fix: 'Add a live one to a tenant file, and give it a key with "seller-agent keys new".',
  };
}

async function checkDelivery({ tenants }: ServerFacts): Promise<Finding> {
  const madeUp = tenants.filter(hasSimulatedBuys).map(({ name }) => name);
  if (madeUp.length === 0) return { status: 'ok', message: 'no delivery of live buys is made up' };
  return {
    status: 'warn',
    message: `delivery of live buys is made up at ${madeUp.join(', ')}`,
    fix: 'Set "fulfillment" to "adserver" or "manual" in the tenant file.',
  };
}

async function checkKeys({ countKeys }: ServerFacts): Promise<Finding> {
  const published = await countKeys();
  if (published > 0) return { status: 'ok', message: `${pluralize(published, 'key')} to sign webhooks with` };
  return {
    status: 'fail',
    message: 'no key is published at /.well-known/jwks.json',
    fix: 'Make one with "seller-agent keys signing generate".',
  };
}

const LOW_BYTES = 2 * 1024 ** 3;

async function checkSpace({ settings }: CheckedServer): Promise<Finding> {
  const free = await freeBytes(settings.dataDir);
  const { dataDir } = settings;
  if (free === undefined)
    return { status: 'warn', message: `${dataDir} is not there yet`, fix: 'The first start makes it.' };
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB are free at ${dataDir}`;
  if (free >= LOW_BYTES) return { status: 'ok', message };
  return { status: 'warn', message, fix: 'Make room: below 256 MiB the server is not ready.' };
}

const NOT_RUNNING: Finding = { status: 'skip', message: 'no server runs on this data folder' };

async function checkRunning({ askOperator, settings }: CheckedServer): Promise<Finding> {
  const status = await askOperator('/status');
  if (status !== undefined) return { status: 'ok', message: `a server runs on ${settings.dataDir}` };
  return {
    status: 'fail',
    message: `no server runs on ${settings.dataDir}`,
    fix: 'Start it with "seller-agent serve", or name its folder with --data.',
  };
}

async function checkVersion({ askOperator, version }: CheckedServer): Promise<Finding> {
  const status = await askOperator('/status');
  if (status === undefined) return NOT_RUNNING;
  const running = 'version' in status ? String(status.version) : 'unknown';
  if (running === version) return { status: 'ok', message: `${version} is installed and runs` };
  return { status: 'warn', message: `${running} runs, ${version} is installed`, fix: 'Restart the server.' };
}

async function checkHealth({ baseUrl, get }: CheckedServer): Promise<Finding> {
  const { status, text } = await get(`${baseUrl}/readyz`);
  const report = readJson(Buffer.from(text));
  if (!isObject(report))
    return {
      status: 'fail',
      message: `${baseUrl}/readyz answers ${status}, and no JSON`,
      fix: 'Look where the address leads: another program answers there.',
    };
  const parts = isObject(report.parts) ? Object.entries(report.parts) : [];
  const faulty = parts.flatMap(([name, part]) =>
    isObject(part) && part.status !== 'ok' ? [`${name}: ${String(part.message)}`] : [],
  );
  if (status === 200 && faulty.length === 0) return { status: 'ok', message: 'every part is well' };
  return {
    status: status === 200 ? 'warn' : 'fail',
    message: faulty.join('\n') || `/readyz answers ${status}`,
    fix: 'Do what each part asks for; docs/operations.md says what they mean.',
  };
}

const MAX_DRIFT_MS = 30 * SECOND_MS;

async function checkClock({ baseUrl, get, nowMs }: CheckedServer): Promise<Finding> {
  const asked = await get(`${baseUrl}/healthz`);
  const theirs = Date.parse(asked.headers.date ?? '');
  if (Number.isNaN(theirs)) return { status: 'skip', message: 'the answer has no date' };
  const driftMs = Math.abs(theirs - nowMs);
  if (driftMs < MAX_DRIFT_MS) return { status: 'ok', message: 'the clock here and that of the address agree' };
  return {
    status: 'fail',
    message: `the clocks differ by ${Math.round(driftMs / SECOND_MS)} seconds`,
    fix: 'Run NTP on every machine: signatures hold for minutes.',
  };
}

const RENEW_MS = 14 * DAY_MS;

async function checkTls({ baseUrl, nowMs }: CheckedServer): Promise<Finding> {
  const { hostname, port, protocol } = new URL(baseUrl);
  if (protocol !== 'https:') return { status: 'skip', message: `${baseUrl} has no TLS` };
  const certificate = await readCertificate(hostname, port === '' ? 443 : Number(port));
  if ('fault' in certificate)
    return {
      status: 'fail',
      message: `no TLS at ${hostname}: ${certificate.fault}`,
      fix: 'See that DNS leads to your proxy, and that 443 is open.',
    };
  if (certificate.distrusted !== undefined)
    return {
      status: 'fail',
      message: `the certificate of ${hostname} is not trusted: ${certificate.distrusted}`,
      fix: 'Get one of a public authority for this name, and serve the whole chain.',
    };
  const leftMs = certificate.validToMs - nowMs;
  const message = `${hostname} has a certificate for ${Math.floor(leftMs / DAY_MS)} more days`;
  return leftMs > RENEW_MS
    ? { status: 'ok', message }
    : { status: 'warn', message, fix: 'See why it was not renewed.' };
}

async function checkAgents({ agents, get }: CheckedServer): Promise<Finding> {
  if (agents.length === 0) return { status: 'skip', message: 'no tenant can be read' };
  const answers = await Promise.all(agents.map(async (url) => ({ url, status: (await get(url)).status })));
  // An agent takes POST alone, and says so.
  const wrong = answers.filter(({ status }) => status !== 405);
  if (wrong.length === 0) return { status: 'ok', message: `${agents.length} of ${agents.length} answer` };
  return {
    status: 'fail',
    message: wrong.map(({ status, url }) => `${url} answers ${status}`).join('\n'),
    fix: 'Let the proxy hand every path on as it is, with the host that was called.',
  };
}

const WELL_KNOWN = ['/.well-known/adagents.json', '/.well-known/brand.json'];

async function checkWellKnown({ baseUrl, get }: CheckedServer): Promise<Finding> {
  const wrong: string[] = [];
  for (const path of WELL_KNOWN) {
    const { status, text } = await get(`${baseUrl}${path}`);
    if (status !== 200 || !isObject(readJson(Buffer.from(text)))) wrong.push(`${path} answers ${status}`);
  }
  if (wrong.length === 0) return { status: 'ok', message: WELL_KNOWN.join(', ') };
  return { status: 'fail', message: wrong.join('\n'), fix: 'Let the proxy hand /.well-known on to the server.' };
}

async function checkAdagents({ agents, get, publisherDomains, settings }: CheckedServer): Promise<Finding> {
  if (settings.development) return { status: 'skip', message: 'publishers need not name an agent in development mode' };
  const missing: string[] = [];
  for (const domain of publisherDomains.slice(0, MAX_DOMAINS)) {
    const url = `https://${domain}/.well-known/adagents.json`;
    const asked = await get(url).catch(() => undefined);
    if (asked?.status !== 200) missing.push(`${url} is not there`);
    else if (!agents.some((agent) => asked.text.includes(JSON.stringify(agent).slice(1, -1))))
      missing.push(`${url} names none of these agents`);
  }
  if (missing.length === 0) return { status: 'ok', message: `${publisherDomains.length} publishers name these agents` };
  return {
    status: 'warn',
    message: missing.join('\n'),
    fix: 'Have the publisher put the file of "seller-agent registry publish" there.',
  };
}

const MAX_DOMAINS = 50;
const OLD_MS = 10 * MINUTE_MS;

async function checkWebhooks({ askOperator, nowMs }: CheckedServer): Promise<Finding> {
  const answer = await askOperator('/webhooks');
  if (answer === undefined) return NOT_RUNNING;
  const backlog = 'backlog' in answer && isObject(answer.backlog) ? answer.backlog : {};
  const { dead, oldestPendingAt, pending } = backlog;
  const ageMs = typeof oldestPendingAt === 'number' ? nowMs - oldestPendingAt : 0;
  const message = `${String(pending)} wait, ${String(dead)} were given up`;
  if (ageMs < OLD_MS && dead === 0) return { status: 'ok', message };
  return {
    status: 'warn',
    message: ageMs < OLD_MS ? message : `${message}; the oldest waits for ${Math.round(ageMs / MINUTE_MS)} minutes`,
    fix: '"seller-agent webhooks list" says why; "webhooks recover" sends what was given up again.',
  };
}
