import { z } from 'zod';
import { CONTENT_DEMANDS } from '../../domain/content/standard.js';
import { market, policyFields } from '../governance/policy-fields.js';
import { channel } from '../pipeline/shapes.js';

const word = z.string().min(1).max(80);
const words = z.array(word).min(1).max(1000);
const country = z.string().regex(/^[A-Za-z]{2}$/);
const language = z.string().regex(/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/);

/** What a policy can be checked by. */
const contentRules = z.strictObject({
  blocked_words: words.optional(),
  required_words: words.optional(),
  blocked_categories: words.optional(),
  languages: z.array(language).min(1).max(100).optional(),
  min_scores: z.record(z.string().min(1).max(64), z.number()).optional(),
  requires: z.array(z.enum(CONTENT_DEMANDS)).min(1).optional(),
});

const scenario = z.strictObject({ scenario: z.string().max(2000), explanation: z.string().max(2000) });

const policy = z.strictObject({
  ...policyFields,
  region_aliases: z.record(z.string().max(64), z.array(market).max(300)).optional(),
  policy_categories: z.array(z.string().min(1).max(128)).max(100).optional(),
  governance_domains: z
    .array(z.enum(['campaign', 'property', 'creative', 'content_standards']))
    .max(20)
    .optional(),
  exemplars: z
    .strictObject({ pass: z.array(scenario).max(20).optional(), fail: z.array(scenario).max(20).optional() })
    .optional(),
  ext: z.looseObject({ content_rules: contentRules.optional() }).optional(),
});

/** The policies of a standard. */
export const contentPolicies = z.array(policy).min(1).max(100).meta({
  brief: true,
  description:
    '[{policy_id, enforcement: must|should|may, policy, policy_categories, channels, ext: {content_rules: {blocked_words, required_words, blocked_categories, languages, min_scores, requires}}, …}]',
});

const scope = {
  countries_all: z.array(country).min(1).max(300).optional(),
  channels_any: z.array(channel).min(1).max(50).optional(),
  languages_any: z.array(language).min(1).max(100),
  description: z.string().max(500).optional(),
};

/** Where a standard applies. */
export const contentScope = z
  .looseObject(scope)
  .meta({ brief: true, description: '{languages_any, channels_any, countries_all}' });

/** Where a standard applies from now on. */
export const changedScope = z
  .looseObject({ ...scope, languages_any: scope.languages_any.optional() })
  .meta({ brief: true, description: '{languages_any, channels_any, countries_all}' });

const asset = z.looseObject({ type: z.enum(['text', 'image', 'video', 'audio']) });

/** A piece of content; the domain reads what is in it. */
export const artifact = z
  .looseObject({
    property_rid: z.string().min(1).max(255),
    artifact_id: z.string().min(1).max(255),
    assets: z.array(asset).max(200),
  })
  .meta({
    brief: true,
    description: '{property_rid, artifact_id, url, assets: [{type: text, role, content, language}], metadata}',
  });

const exemplars = z.array(artifact).max(100);

/** Content about which the buyer has decided. */
export const calibrationExemplars = z
  .looseObject({ pass: exemplars.optional(), fail: exemplars.optional() })
  .meta({ brief: true, description: '{pass: [artifact], fail: [artifact]}' });

/** The id of a standard. */
export const standardsId = z.string().min(1).max(255);

/** Values that lists are narrowed to. */
export const scopeFilters = {
  channels: z.array(channel).min(1).max(50).optional(),
  languages: z.array(language).min(1).max(100).optional(),
  countries: z.array(country).min(1).max(300).optional(),
};
