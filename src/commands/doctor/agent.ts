import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemIds } from '../../platform/kernel/ids.js';
import { readPublicCertificate } from '../../platform/net/certificate.js';
import { isUrl } from '../../platform/net/url.js';
import { TaskError } from '../../protocol/errors.js';
import { protocolNames } from '../../protocol/names.js';
import { assessAgent } from '../../registry/assessment/assess.js';
import { assessmentJson } from '../../registry/assessment/report/json.js';
import { assessmentPage } from '../../registry/assessment/report/page.js';
import { assessmentText, isSound } from '../../registry/assessment/report/text.js';
import type { SandboxAccount } from '../../registry/assessment/sandbox-account.js';
import { domainName } from '../../registry/model/domains.js';
import type { Settings } from '../../seller/config/settings.js';
import type { CommandContext, CommandResult } from '../command.js';
import { KEY_VARIABLE } from '../mcp/variables.js';
import { openOutbound } from '../registry/outbound.js';
import { PublicSuite } from './public-suite.js';
import { openWebhookAddress } from './webhook-address.js';

/** How `doctor` looks at anybody's agent. */
export type DoctorFlags = {
  readonly json?: true;
  readonly html?: string;
  readonly key?: string;
  readonly sandbox?: string;
  readonly webhookUrl?: string;
  readonly webhookPort?: string;
  readonly suite?: true;
};

/**
 * Looks at the agent of a URL, anyone's, and says what is wrong with it: ok unless it breaks what the protocol demands.
 * Throws TaskError for what is no URL.
 */
export async function examineAgent(
  { cwd, env, now, readInput }: Pick<CommandContext, 'cwd' | 'env' | 'now' | 'readInput'>,
  settings: Settings,
  url: string,
  flags: DoctorFlags,
): Promise<CommandResult> {
  if (!isUrl(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TaskError('INVALID_REQUEST', `"${url}" is no URL of an agent.`, {
      suggestion: 'Name its MCP endpoint, such as https://sales.example/mcp.',
    });
  }
  const suite = flags.suite === true ? requireSuite(cwd) : undefined;
  const key = flags.key === '-' ? await readInput() : (flags.key ?? env[KEY_VARIABLE]);
  const address = readWebhookAddress(flags);
  const { localHosts, outbound } = await openOutbound(settings, env);
  const { development: local, protocolName } = settings;
  let webhooks: Awaited<ReturnType<typeof openWebhookAddress>> | undefined;
  try {
    webhooks = address && (await openWebhookAddress({ ...address, outbound, agentUrl: url, protocolName, local }));
    const seen = await assessAgent({
      outbound,
      clock: { now },
      names: protocolNames(settings.protocolName),
      url,
      key,
      sandbox: flags.sandbox === undefined ? undefined : readSandbox(flags.sandbox),
      webhooks,
      local: settings.development,
      // A host that stands for a server of this machine has no certificate.
      readCertificate: localHosts.has(new URL(url).host)
        ? undefined
        : (host, port) => readPublicCertificate(host, port, { local }),
      uuid: systemIds.uuid,
    });
    const run = { url, key, local: settings.development };
    const assessment = suite === undefined ? seen : { ...seen, badge: await suite.forecast(seen, run) };
    if (flags.html !== undefined) await writeFile(path.resolve(cwd, flags.html), assessmentPage(assessment));
    const text = flags.json === true ? JSON.stringify(assessmentJson(assessment), null, 2) : assessmentText(assessment);
    return { ok: isSound(assessment), text };
  } finally {
    await webhooks?.close();
    await outbound.close();
  }
}

function requireSuite(cwd: string): PublicSuite {
  const suite = PublicSuite.find(cwd);
  if (suite !== undefined) return suite;
  throw new TaskError('INVALID_REQUEST', 'The public suite is not installed here.', {
    field: '--suite',
    suggestion:
      'Install it in this folder with "npm install @adcp/sdk", or leave --suite out: then its storyboards are predicted.',
  });
}

/**
 * Reads the account that `--sandbox` names: its id, or the domains of its brand and its operator with a comma between.
 */
function readSandbox(text: string): SandboxAccount {
  if (!text.includes(',')) return { account_id: text };
  const [domain, operator, ...rest] = text.split(',').map((name) => domainName(name));
  if (domain === undefined || operator === undefined || rest.length > 0) {
    throw new TaskError('INVALID_REQUEST', `"${text}" names no account.`, {
      field: '--sandbox',
      suggestion: 'Send its account_id, or the domains of brand and operator, such as brand.example,agency.example.',
    });
  }
  return { brand: { domain }, operator, sandbox: true };
}

/** Returns the address for webhooks, and the port here: that of the address unless another is given, as behind a proxy. */
function readWebhookAddress({
  webhookPort,
  webhookUrl: url,
}: DoctorFlags): { readonly url: string; readonly port: number } | undefined {
  if (url === undefined) return undefined;
  const text = webhookPort ?? (isUrl(url) ? new URL(url).port : '');
  if (!isUrl(url) || !/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new TaskError('INVALID_REQUEST', 'The address for webhooks and its port cannot be read.', {
      field: '--webhook-url',
      suggestion:
        'Send what the agent calls, such as https://buyer.example/hooks, and with --webhook-port the port that this leads to here.',
    });
  }
  return { url, port: Number(text) };
}
