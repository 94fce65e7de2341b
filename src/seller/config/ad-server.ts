import { AdServerSettingsError } from '../adserver/errors.js';
import type { AdServerModule, SettingsFault } from '../adserver/port/adapter.js';
import type { AdServerDeclaration } from '../adserver/port/declaration.js';
import { kindsOfDimensions } from '../domain/targeting/check.js';
import { TARGETING_OFFERS } from '../domain/targeting/offer.js';
import { type Draft, draftAt, type Environment, isDraft, type RuleOptions, textAt } from './draft.js';

/** The word for people as ad server. */
export const BY_PEOPLE = 'manual';

/** Returns what the adapter of a tenant's ad server reads, with the values of environment variables, and the variables that are not set. */
export function readAdServerSettings(
  { check: _ours, ...settings }: Draft,
  env: Environment,
): { readonly settings: Draft; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (!isDraft(value)) return value;
    const name = textAt(value, 'env');
    if (name === undefined || Object.keys(value).length !== 1)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
    const secret = env[name];
    if (secret === undefined || secret === '') missing.push(name);
    return secret ?? '';
  };
  const filled = fill(settings);
  return { settings: isDraft(filled) ? filled : {}, missing };
}

/** An ad server's module, with its abilities under a tenant's settings. */
export type Declared = { readonly module: AdServerModule; readonly declaration: AdServerDeclaration };

/** Returns what the ad server of a tenant file can do; why not, where it cannot say; undefined where live buys go to none. */
export function declareAdServer(
  draft: Draft,
  { adServers, env }: Pick<RuleOptions, 'adServers' | 'env'>,
  file: string,
): Declared | readonly SettingsFault[] | undefined {
  if (!goesToAdServer(draft)) return undefined;
  const own = draftAt(draft, 'ad_server');
  const module = adServers.find(textAt(own, 'adapter'), file);
  if (module === undefined || typeof module === 'string') return undefined;
  try {
    return { module, declaration: module.declare(readAdServerSettings(own, env).settings) };
  } catch (error) {
    if (error instanceof AdServerSettingsError) return error.faults;
    const message = `the adapter ${module.name} cannot read its settings: ${error instanceof Error ? error.message : String(error)}`;
    return [{ field: '', message, fix: 'Mend the adapter, or the settings that it names.' }];
  }
}

/** Whether the live buys of a tenant file go to an ad server. */
export function goesToAdServer(draft: Draft): boolean {
  if (!isDraft(draft.ad_server)) return draft.fulfillment === 'adapter';
  return textAt(draft.ad_server, 'adapter') !== BY_PEOPLE;
}

/** Returns the kinds of targeting that reach an ad server, as a product offers them that says nothing of targeting itself. */
export function reachingTargeting({ targeting }: AdServerDeclaration): Readonly<Record<string, true>> {
  const kinds = kindsOfDimensions(targeting);
  return Object.fromEntries(TARGETING_OFFERS.filter((kind) => kinds.has(kind)).map((kind) => [kind, true as const]));
}
