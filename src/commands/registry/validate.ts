import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isObject, readJson } from '../../platform/kernel/json/json.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { TaskError } from '../../protocol/errors.js';
import { readAdagents } from '../../registry/adagents/adagents.js';
import { type AdagentsDiscovery, discoverAdagents, type EffectiveAdagents } from '../../registry/adagents/discovery.js';
import type { AdagentsFile } from '../../registry/adagents/types.js';
import { readBrandJson } from '../../registry/brand/brand-json.js';
import { type BrandDiscovery, discoverBrand } from '../../registry/brand/discovery.js';
import { type Finding, isValid } from '../../registry/documents/finding.js';
import type { Hop } from '../../registry/documents/steps.js';
import { walkSteps } from '../../registry/documents/walk.js';
import { domainName, typedDomain } from '../../registry/model/domains.js';
import type { Environment } from '../../seller/config/draft.js';
import type { Settings } from '../../seller/config/settings.js';
import { plainLines } from '../terminal.js';
import { answerFrom, type ExplainOptions, explainDecision, splitProperty } from './explain.js';
import { openOutbound } from './outbound.js';
import { shownFinding } from './publish.js';

/** Options of `registry validate`. */
type ValidateOptions = {
  /** A domain, or a file of this machine. */
  readonly subject: string;
  /** Whose file it is, where its folder does not say. */
  readonly domain?: string | undefined;
  /** Also says whether this agent may sell `property`, the publisher's site unless given. */
  readonly agent?: string | undefined;
  readonly property?: string | undefined;
} & Pick<ExplainOptions, 'country' | 'strict' | 'now'>;

/** Whether all is well, and what a person should read. */
type ValidateResult = { readonly ok: boolean; readonly text: string };

/** The outcome for one file, and the file as it counts. */
type CommandReport = ValidateResult & { readonly effective?: EffectiveAdagents | undefined };

/**
 * Checks anybody's adagents.json and brand.json by the rules of the protocol: what a domain serves, along
 * pointers and managers, or a file. A domain may do without brand.json; all else that is missing or wrong is reported with its fix.
 */
export async function validateSubject(
  settings: Settings,
  env: Environment,
  options: ValidateOptions,
): Promise<ValidateResult> {
  const { outbound, localHosts } = await openOutbound(settings, env);
  try {
    const source = await readFile(options.subject).catch(() => undefined);
    const report =
      source === undefined
        ? await ofDomain(options, outbound, localHosts)
        : ofFile(source, options, settings.development);
    if (options.agent === undefined) return { ok: report.ok, text: plainLines(report.text) };
    const { effective } = report;
    const question = {
      ...options,
      agent: options.agent,
      property: options.property ?? effective?.publisherDomain ?? options.subject,
    };
    const property = splitProperty(question.property).reference;
    const local = effective !== undefined && localHosts.has(effective.publisherDomain);
    const answer = await answerFrom(question, property, { effective, outbound, local });
    return {
      ok: report.ok && answer.authorized,
      text: `${plainLines(report.text)}\n\n${explainDecision(question, answer)}`,
    };
  } finally {
    await outbound.close();
  }
}

async function ofDomain(
  options: ValidateOptions,
  outbound: Outbound,
  localHosts: ReadonlySet<string>,
): Promise<CommandReport> {
  const { now, subject } = options;
  const domain = typedDomain(subject);
  if (domain === undefined) {
    throw new TaskError('VALIDATION_ERROR', `"${subject}" is neither a file nor a domain.`, {
      suggestion: 'Name a file of this machine, or a domain such as news.example.',
    });
  }
  // What stands in for a domain on this machine may serve agents of this machine too.
  const local = localHosts.has(domain);
  const adagents = await walkSteps(discoverAdagents(domain, { nowMs: now, local }), outbound, { local });
  const brand = await walkSteps(discoverBrand(domain, local), outbound, { local });
  const isWithoutBrand = brand.reason === 'not_found';
  const isSound = adagents.effective !== undefined && isValid(adagents.findings);
  const parts = [
    ...documentLines('adagents.json', adagents, adagents.effective?.url),
    ...(adagents.effective === undefined ? [] : [`  ${summary(adagents.effective.file)}`]),
    ...documentLines('brand.json', brand, brand.url),
  ];
  const ok = isSound && (isWithoutBrand || (brand.content !== undefined && isValid(brand.findings)));
  return { ok, text: parts.join('\n'), effective: adagents.effective };
}

function documentLines(
  name: string,
  { findings, fix, message, path: hops }: AdagentsDiscovery | BrandDiscovery,
  url: string | undefined,
): readonly string[] {
  const verdict = url === undefined ? message : `${isValid(findings) ? 'valid' : 'not valid'}, at ${url}`;
  return [
    `${name}: ${verdict}`,
    ...(url === undefined ? [`  fix: ${fix}`] : []),
    ...hops.map(({ says, url: at }: Hop) => `  ${at} ${says}`),
    ...findings.map(inFile),
  ];
}

function inFile(finding: Finding): string {
  return `  ${finding.file}\n  ${shownFinding(finding)}`;
}

/** Judges a file of this machine; in development mode it may name agents of this machine. */
function ofFile(source: Uint8Array, { domain: given, now, subject }: ValidateOptions, local: boolean): CommandReport {
  const domain = given ?? folderDomain(subject) ?? 'localhost';
  if (isBrand(source)) {
    const { content, findings } = readBrandJson(source, { file: subject, local });
    const ok = content !== undefined && isValid(findings);
    return { ok, text: [`brand.json: ${ok ? 'valid' : 'not valid'}`, ...findings.map(inFile)].join('\n') };
  }
  const { content, findings } = readAdagents(source, { file: subject, domain, nowMs: now, local });
  const ok = content !== undefined && isValid(findings);
  const head = `adagents.json: ${ok ? 'valid' : 'not valid'}${domain === 'localhost' ? '' : `, as the file of ${domain}`}`;
  if (content?.kind !== 'file') {
    const points = content === undefined ? [] : [`  it points to ${content.location}`];
    return { ok, text: [head, ...points, ...findings.map(inFile)].join('\n') };
  }
  const effective = { publisherDomain: domain, method: 'direct', url: subject, file: content.file } as const;
  return { ok, text: [head, `  ${summary(content.file)}`, ...findings.map(inFile)].join('\n'), effective };
}

/** Returns the domain that a path is of: `news.example` of `out/news.example/.well-known/adagents.json`. */
function folderDomain(file: string): string | undefined {
  const folders = path.dirname(path.resolve(file)).split(path.sep);
  const folder = folders.at(-1) === '.well-known' ? folders.at(-2) : undefined;
  return folder === undefined ? undefined : domainName(folder);
}

const BRAND_MEMBERS = ['house', 'house_domain', 'brands', 'brand_refs', 'brand_agent', 'agents', 'names'];

/** Whether a file is meant as a brand.json. The reader of the other kind reports what is no JSON. */
function isBrand(source: Uint8Array): boolean {
  const value = readJson(source);
  return isObject(value) && !('authorized_agents' in value) && BRAND_MEMBERS.some((member) => member in value);
}

function summary({ agents, placements, properties }: AdagentsFile): string {
  return `agents: ${agents.length}, properties: ${properties.length}, placements: ${placements.length}`;
}
