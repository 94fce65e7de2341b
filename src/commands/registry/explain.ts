import type { Outbound } from '../../platform/net/fetch.js';
import { isUrl } from '../../platform/net/url.js';
import { TaskError } from '../../protocol/errors.js';
import { discoverAdagents, type EffectiveAdagents } from '../../registry/adagents/discovery.js';
import { IDENTIFIER_TYPES, type IdentifierType } from '../../registry/adagents/types.js';
import { isAuthorized } from '../../registry/authorization/authorize.js';
import type { Decision } from '../../registry/authorization/evaluate.js';
import type { AuthorizationQuestion } from '../../registry/authorization/question.js';
import { discoverBrand } from '../../registry/brand/discovery.js';
import type { BrandContent } from '../../registry/brand/types.js';
import { walkSteps } from '../../registry/documents/walk.js';
import { registrableDomain, typedDomain } from '../../registry/model/domains.js';
import type { Environment } from '../../seller/config/draft.js';
import type { Settings } from '../../seller/config/settings.js';
import { plain } from '../terminal.js';
import { openOutbound } from './outbound.js';

/** Options of `registry explain`. */
export type ExplainOptions = {
  /** As buyers call it. */
  readonly agent: string;
  /** `news.example`, `ios_bundle:example.news@news.example` or `front_page@news.example`. */
  readonly property: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  readonly strict?: boolean | undefined;
  /** Milliseconds. */
  readonly now: number;
};

/** Says whether an agent may sell a property and why, from what publisher and operator serve now. */
export async function explainAuthorization(
  settings: Settings,
  env: Environment,
  options: ExplainOptions,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const { publisher, reference } = splitProperty(options.property);
  if (publisher === undefined) {
    throw new TaskError('VALIDATION_ERROR', `Nothing says whose property "${options.property}" is.`, {
      suggestion: `Add the publisher: ${options.property}@news.example.`,
    });
  }
  const { outbound, localHosts } = await openOutbound(settings, env);
  try {
    const local = localHosts.has(publisher);
    const effective = await publisherFile(publisher, { outbound, local, now: options.now });
    const answer = await answerFrom(options, reference, { effective, outbound, local });
    return { ok: answer.authorized, text: explainDecision(options, answer) };
  } finally {
    await outbound.close();
  }
}

/** A property as it is typed, in parts. */
type SplitProperty = {
  /** Undefined where nothing says whose it is. */
  readonly publisher: string | undefined;
  readonly reference: Pick<AuthorizationQuestion, 'property' | 'domain'>;
};

/** Reads `domain`, `type:value@domain` or `id@domain`. Throws VALIDATION_ERROR for an unknown type. */
export function splitProperty(text: string): SplitProperty {
  const at = text.lastIndexOf('@');
  const [name, owner] = at < 0 ? [text, undefined] : [text.slice(0, at), typedDomain(text.slice(at + 1))];
  const [, type, value = ''] = /^([a-z_]+):(?!\/\/)(.+)$/.exec(name) ?? [];
  if (type !== undefined) {
    if (!isIdentifierType(type)) {
      throw new TaskError('VALIDATION_ERROR', `"${type}" is no type of identifier.`, {
        suggestion: `Use one of: ${IDENTIFIER_TYPES.join(', ')}.`,
      });
    }
    const isHost = type === 'domain' || type === 'subdomain';
    return { publisher: owner ?? (isHost ? typedDomain(value) : undefined), reference: { property: { type, value } } };
  }
  const domain = typedDomain(name);
  if (domain !== undefined) return { publisher: owner ?? domain, reference: { domain } };
  return { publisher: owner, reference: { property: { property_id: name } } };
}

function isIdentifierType(text: string): text is IdentifierType {
  return (IDENTIFIER_TYPES as readonly string[]).includes(text);
}

type Lookup = { readonly outbound: Pick<Outbound, 'fetch'>; readonly local: boolean };

/** Returns the file that counts for a host: its own, else that of the domain it is part of. */
async function publisherFile(host: string, { local, now, outbound }: Lookup & { readonly now: number }) {
  const own = await walkSteps(discoverAdagents(host, { nowMs: now, local }), outbound, { local });
  const domain = registrableDomain(host);
  if (own.effective !== undefined || domain === undefined || domain === host) return own.effective;
  return (await walkSteps(discoverAdagents(domain, { nowMs: now, local }), outbound, { local })).effective;
}

/** Judges by a publisher's file and by what the agent's operator serves now. Throws VALIDATION_ERROR for what cannot be asked. */
export async function answerFrom(
  { agent, country, now, strict }: ExplainOptions,
  reference: SplitProperty['reference'],
  { effective, local, outbound }: Lookup & { readonly effective: EffectiveAdagents | undefined },
): Promise<Decision> {
  const operator = await operatorOf(agent, { outbound, local });
  const question: AuthorizationQuestion = {
    agent,
    ...reference,
    at: now,
    // Without a country the question is whether there is any that it may be sold in.
    country,
    openLimits: country === undefined ? 'report' : undefined,
    strict,
  };
  return isAuthorized(question, effective, operator);
}

/** Returns the brand.json of an agent's operator: at the agent's own host, else at the domain that it is part of. */
async function operatorOf(agent: string, { local, outbound }: Lookup): Promise<BrandContent | undefined> {
  const host = isUrl(agent) ? typedDomain(new URL(agent).hostname) : undefined;
  if (host === undefined) return undefined;
  const domain = registrableDomain(host);
  const hosts = [...new Set([host, ...(domain === undefined ? [] : [domain])])];
  for (const one of hosts) {
    const { content } = await walkSteps(discoverBrand(one, local), outbound, { local });
    if (content !== undefined) return content;
  }
  return undefined;
}

/** Returns an answer for a person: yes or no, the way to it, and what would change it. */
export function explainDecision({ agent, country, property }: ExplainOptions, answer: Decision): string {
  const where = country === undefined ? '' : ` in ${country.toUpperCase()}`;
  const { authorized, explanation, fix, match, operator_side, publisher_side, reason, steps } = answer;
  return [
    `${authorized ? 'yes' : 'no'}: ${agent} ${authorized ? 'may' : 'may not'} sell ${property}${where} (${reason})`,
    ...steps.map(({ ok, says }) => `  ${ok ? 'ok ' : 'no '} ${plain(says)}`),
    `  publisher: ${publisher_side.authorized ? 'authorizes it' : 'does not authorize it'}${withTerm(publisher_side.delegation_type)}`,
    `  operator: ${operatorText(operator_side)}; the two sides: ${match}`,
    `  ${explanation}`,
    ...(fix === '' ? [] : [`    fix: ${fix}`]),
  ].join('\n');
}

function operatorText(side: Decision['operator_side']): string {
  if (side === undefined) return 'publishes no brand.json that could be read';
  if (!side.lists_agent) return 'does not list the agent';
  return side.declared ? `declares the property${withTerm(side.relationship)}` : 'does not declare the property';
}

function withTerm(term: string | undefined): string {
  return term === undefined ? '' : `, ${term}`;
}
