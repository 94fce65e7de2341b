import { z } from 'zod';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import {
  BADGE_HOURS,
  CRAWL_CONCURRENCY,
  type IdentityProvider,
  LIMIT_RULES,
  type LimitName,
  type LimitRule,
  MAX_BULK_DOMAINS,
  type RegistryServiceSettings,
  STRANGER_RULES,
  type StrangerLimitName,
  TOKEN_ALGORITHMS,
} from '../../../registry/settings.js';
import { distinct, domainName, object, webAddress } from './shapes.js';

const limit = z.union([
  z.literal(false),
  object({
    points: z.int().min(1).max(1_000_000_000).describe('How often in a window.'),
    window_seconds: z.int().min(1).max(86_400).describe('Length of the window.'),
  }),
]);

function describeUsual(rule: LimitRule | false): string {
  return rule === false
    ? 'None unless set.'
    : `${rule.points} in ${rule.windowMs / SECOND_MS} s unless set; false for none.`;
}

// Every name of the tables, each of the same shape.
const limits = Object.fromEntries(
  Object.entries({ ...LIMIT_RULES, ...STRANGER_RULES }).map(([name, rule]) => [
    name,
    limit.optional().describe(describeUsual(rule)),
  ]),
) as Record<LimitName | StrangerLimitName, z.ZodOptional<typeof limit>>;

/** How a registry of one's own is run, in the settings file. */
export const registryServiceSchema = object({
  identity_provider: z
    .union([
      z.literal('development'),
      object({
        issuer: z.url().describe('As its tokens and its metadata write it, to the letter.'),
        audience: z
          .array(z.string().min(1))
          .min(1)
          .optional()
          .describe('Of tokens for this registry; its own addresses unless set.'),
        jwks_uri: z.url().optional().describe('Where its keys are; what its metadata says unless set.'),
        algorithms: z
          .array(z.enum(TOKEN_ALGORITHMS))
          .min(1)
          .optional()
          .describe('Signature algorithms that are taken.'),
      }),
    ])
    .optional()
    .describe(
      'Who vouches for users: an OAuth 2.1 provider, or "development", which lets anybody sign in under any name and works in development mode only.',
    ),
  ownership: z
    .enum(['required', 'off'])
    .optional()
    .describe('Whether a save needs the proof that the domain is in the organization’s hands; "required" unless set.'),
  proof_days: z.int().min(1).max(3650).optional().describe('Days that a proof stands; 90 unless set.'),
  look_alikes: z
    .enum(['reject', 'review', 'off'])
    .optional()
    .describe(
      'What becomes of names that read like another one’s: "reject" (the default), "review" by a person, or "off".',
    ),
  protected_names: distinct(domainName('A name that no other may be mistaken for.'))
    .optional()
    .describe('Names that no other may be mistaken for, beside those of the catalog.'),
  live_lookups: z
    .boolean()
    .optional()
    .describe('Whether unknown domains are looked up on the internet; true unless set.'),
  limits: z
    .union([z.literal(false), object(limits)])
    .optional()
    .describe('Other limits than those of the specification; false for none.'),
  bulk_domains: z
    .int()
    .min(1)
    .max(MAX_BULK_DOMAINS)
    .optional()
    .describe(`Most domains of one bulk look-up; ${MAX_BULK_DOMAINS} unless set.`),
  badge_hours: z
    .int()
    .min(1)
    .max(BADGE_HOURS.most)
    .optional()
    .describe(`Hours that a signed badge is valid; ${BADGE_HOURS.usual} unless set.`),
  brand_data: object({
    url: webAddress('Address that answers GET ?domain= with the data of a brand as JSON.'),
    key: object({
      env: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
        .describe('Name of the environment variable.'),
    })
      .optional()
      .describe('The key that is sent as a bearer token, as {"env": "NAME"}.'),
  })
    .optional()
    .describe('Who is asked by GET /api/brands/enrich; nobody unless set.'),
  crawl_concurrency: z
    .int()
    .min(1)
    .max(CRAWL_CONCURRENCY.most)
    .optional()
    .describe(`How many publishers are read at once; ${CRAWL_CONCURRENCY.usual} unless set.`),
});

/** Reads the section, with the key of the brand-data provider; everything has a default. */
export function registryServiceOf(
  file: z.output<typeof registryServiceSchema> | undefined,
  brandKey: string | undefined,
): RegistryServiceSettings {
  const { identity_provider, live_lookups, look_alikes, ownership, proof_days, protected_names = [] } = file ?? {};
  return {
    policy: {
      ...(ownership === undefined ? {} : { ownership }),
      ...(look_alikes === undefined ? {} : { lookAlikes: look_alikes }),
      ...(live_lookups === undefined ? {} : { liveLookups: live_lookups }),
      ...(file?.bulk_domains === undefined ? {} : { bulkDomains: file.bulk_domains }),
      ...(file?.badge_hours === undefined ? {} : { badgeLastsMs: file.badge_hours * HOUR_MS }),
      ...(proof_days === undefined ? {} : { proofLastsMs: proof_days * DAY_MS }),
    },
    identityProvider: identity_provider === undefined ? undefined : providerOf(identity_provider),
    protectedNames: protected_names,
    limits: limitsOf(file?.limits),
    crawlConcurrency: file?.crawl_concurrency,
    brandData: file?.brand_data === undefined ? undefined : { url: file.brand_data.url, key: brandKey },
  };
}

type Section = z.output<typeof registryServiceSchema>;

function providerOf(section: NonNullable<Section['identity_provider']>): IdentityProvider | 'development' {
  if (section === 'development') return section;
  const { issuer, audience, jwks_uri, algorithms } = section;
  return { issuer, audience, jwks_uri, algorithms };
}

function limitsOf(section: Section['limits']): RegistryServiceSettings['limits'] {
  if (section === false) return 'off';
  const { $schema: _schema, $comment: _comment, ...rules } = section ?? {};
  return Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) =>
      rule === undefined
        ? []
        : [[name, rule === false ? false : { points: rule.points, windowMs: rule.window_seconds * SECOND_MS }]],
    ),
  );
}
