import { z } from 'zod';
import { DELEGATION_TYPES, IDENTIFIER_TYPES, PROPERTY_TYPES } from '../../../registry/adagents/types.js';
import type { JsonSchema } from '../explain.js';
import { country, distinct, domainName, identifier, object } from './shapes.js';

const CODE = /^[a-z0-9_]{1,128}$/;
const code = z.string().regex(CODE).describe('A name of lower-case letters, digits and "_", such as "front_page".');
const words = z.string().min(1).max(500);
function instant(description: string) {
  return z.iso
    .datetime({ offset: true })
    .describe(`${description} An instant with its offset, such as "2026-01-01T00:00:00Z".`);
}

const property = object({
  property_id: code.describe('Unique within the publisher; products and entries name it.').optional(),
  property_type: z.enum(PROPERTY_TYPES).describe('What it is: website, mobile_app, ctv_app, podcast, dooh and so on.'),
  name: words.describe('Name for people.'),
  identifiers: z
    .array(
      object({
        type: z.enum(IDENTIFIER_TYPES).describe('What the value is: domain, ios_bundle, rss_url and so on.'),
        value: words.describe('The domain, bundle, address or number, exactly as bid requests carry it.'),
      }),
    )
    .min(1)
    .describe('What it is known by in bid requests.'),
  tags: distinct(code).optional().describe('Words that group properties; products may select by them.'),
  supported_channels: distinct(z.string().min(1)).optional().describe('Channels that run on it, such as "display".'),
});

const meaning = object({
  name: words.describe('Name for people.'),
  description: words.describe('What it stands for, in a sentence.'),
});

const placement = object({
  placement_id: identifier('Unique within the publisher.'),
  name: words.describe('Name for people.'),
  description: words.optional().describe('Where it appears.'),
  tags: distinct(code).optional().describe('Words that group placements.'),
  property_ids: distinct(code, 1).optional().describe('Properties that have it; or property_tags.'),
  property_tags: distinct(code, 1).optional().describe('Tags of the properties that have it; or property_ids.'),
});

const limits = object({
  exclusive: z.boolean().optional().describe('true: nobody else may sell the same.'),
  countries: distinct(country, 1).optional().describe('Where it may be sold; everywhere unless set.'),
  placement_ids: distinct(z.string().min(1), 1).optional().describe('Placements that may be sold; all unless set.'),
  placement_tags: distinct(code, 1).optional().describe('Tags of the placements that may be sold; all unless set.'),
  collections: z
    .array(
      object({
        publisher_domain: domainName('Whose collections.'),
        collection_ids: distinct(z.string().min(1), 1).describe('Ids of the collections.'),
      }),
    )
    .min(1)
    .optional()
    .describe('Collections that may be sold; all unless set.'),
  effective_from: instant('From when on it may be sold; now unless set.').optional(),
  effective_until: instant('Until when it may be sold; with no end unless set.').optional(),
});

const publisher = object({
  domain: domainName('Domain of the publisher, whose /.well-known/adagents.json is written.'),
  contact: object({
    name: words.describe('Who answers questions about the file.'),
    email: z.email().optional().describe('Address for them.'),
    domain: domainName('Domain of whoever answers.').optional(),
    seller_id: words.optional().describe('Id in other registries.'),
    privacy_policy_url: z.url().optional().describe('Address of the privacy policy.'),
  })
    .optional()
    .describe('Who answers questions about the file; the domain itself unless set.'),
  properties: z.array(property).min(1).optional().describe('What the publisher has; its site alone unless set.'),
  tags: z.record(code, meaning).optional().describe('What the tags of the properties mean.'),
  placements: z.array(placement).min(1).optional().describe('Named places on the properties.'),
  placement_tags: z.record(code, meaning).optional().describe('What the tags of the placements mean.'),
  collections: z
    .array(
      z.looseObject({
        collection_id: z.string().min(1).describe('Unique within the publisher.'),
        name: words.describe('Name for people.'),
      }),
    )
    .min(1)
    .optional()
    .describe('Programmes, publications and series, in the words of the protocol.'),
  delegation_type: z
    .enum(DELEGATION_TYPES)
    .default('direct')
    .describe(
      'How our agents come to sell it: "direct" (the default; it is ours), "delegated" (for the publisher), "ad_network".',
    ),
  property_ids: distinct(code, 1)
    .optional()
    .describe(
      'Properties that our agents may sell: authorization_type property_ids. All unless this or property_tags is set.',
    ),
  property_tags: distinct(code, 1)
    .optional()
    .describe('Tags of the properties that our agents may sell: authorization_type property_tags.'),
  limits: limits.optional().describe('Where, when and of what our agents may sell.'),
  authorized_for: words.optional().describe('What our agents may do, in words; from their names unless set.'),
  pin_signing_keys: z
    .boolean()
    .default(true)
    .describe('Whether the file pins the keys that our agents sign with, the next one too; true unless set.'),
  other_agents: z
    .array(
      z.looseObject({
        url: z.url().describe('Address of the agent.'),
        authorized_for: words.describe('What it may do, in words.'),
        authorization_type: z.string().describe('What the entry selects by.'),
      }),
    )
    .optional()
    .describe('Entries of other sellers, which the file keeps as they are written here.'),
});

/** The file of the publishers: for each one its properties, and which of them our agents may sell. Strict like a tenant file. */
export const publishersSchema = object({
  publishers: z.array(publisher).describe('The publishers that are sold here, each by its domain.'),
});

/** Returns the published JSON Schema (draft-07, which editors understand best) of the file. */
export function publishersJsonSchema(): JsonSchema & Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(publishersSchema, { io: 'input', target: 'draft-07' });
  return JSON.parse(JSON.stringify({ $schema, title: 'Publishers of a seller agent', ...schema }));
}
