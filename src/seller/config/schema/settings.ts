import { z } from 'zod';
import { PERIOD_NAMES, PERIODS, type PeriodName } from '../../domain/retention/periods.js';
import { BYTE_QUOTAS, type ByteQuotaName, QUOTA_NAMES, QUOTAS, type QuotaName } from '../../domain/retention/quotas.js';
import { signInSchema } from '../console-sign-in.js';
import type { JsonSchema } from '../explain.js';
import { registryServiceSchema } from './registry-service.js';
import { object } from './shapes.js';

/** The name of the optional settings file, looked for in the working directory. */
export const SETTINGS_FILE = 'seller-agent.json';

/** The periods of the retention, from their table. */
const periodShape = Object.fromEntries(
  PERIOD_NAMES.map((name) => [
    `${name}_days`,
    z.int().optional().describe(`${PERIODS[name].description} ${PERIODS[name].days} unless set.`),
  ]),
) as Readonly<Record<`${PeriodName}_days`, z.ZodOptional<z.ZodInt>>>;

function mebibytes(name: ByteQuotaName): z.ZodOptional<z.ZodInt> {
  const { of, mebibytes: usual } = BYTE_QUOTAS[name];
  return z.int().optional().describe(`Most MiB of one principal, of its ${of}; ${usual} unless set.`);
}

/** The quotas, from their table. */
const quotaShape = {
  ...(Object.fromEntries(
    QUOTA_NAMES.map((name) => [
      name,
      z
        .int()
        .optional()
        .describe(`Most ${name.replaceAll('_', ' ')} of one principal; ${QUOTAS[name].limit} unless set.`),
    ]),
  ) as Readonly<Record<QuotaName, z.ZodOptional<z.ZodInt>>>),
  mebibytes: mebibytes('bytes'),
  preview_mebibytes: mebibytes('preview_bytes'),
};

/** The settings file. It checks types only: values are checked alike wherever they come from. */
export const settingsSchema = object({
  port: z.int().optional().describe('TCP port; 0 lets the system choose.'),
  host: z.string().optional().describe('Address to bind, such as "127.0.0.1" or "0.0.0.0".'),
  admin_port: z
    .int()
    .optional()
    .describe('TCP port of the operator on the loopback, with /metrics; the system chooses unless set.'),
  base_url: z.string().optional().describe('URL under which buyers reach the server, such as "https://ads.example".'),
  tenants: z.string().optional().describe('Folder of the tenant files.'),
  data: z.string().optional().describe('Folder of everything the server must not lose.'),
  store: z
    .string()
    .optional()
    .describe(
      'Where everything is stored: the path of a SQLite file, or "postgres://…"; a file in the data folder unless set, or DATABASE_URL where that is of PostgreSQL.',
    ),
  protocol: object({
    name: z.string().optional().describe("The protocol's name on the wire: 2 to 32 lower-case letters or digits."),
    preview: z
      .boolean()
      .optional()
      .describe(
        'Whether releases that are not final are served too, to callers who ask for exactly one; false unless set.',
      ),
  })
    .optional()
    .describe('The protocol that is spoken.'),
  operator: object({
    domain: z
      .string()
      .optional()
      .describe('Domain of who runs the agents, such as "ads.example"; of base_url unless set.'),
    name: z.string().optional().describe('Name of who runs the agents; of the first tenant unless set.'),
  })
    .optional()
    .describe('Who runs the agents, as brand.json says it.'),
  registry: object({
    url: z.string().optional().describe('Base URL of a registry, such as "https://registry.example"; none unless set.'),
    token: object({
      env: z.string().describe('Name of the environment variable that holds the API key or access token.'),
    })
      .optional()
      .describe('What the registry knows this seller by, as {"env": "NAME"}; SELLER_AGENT_REGISTRY_TOKEN unless set.'),
    max_staleness_seconds: z
      .int()
      .optional()
      .describe(
        'How old the copy of the registry may be before publishers are asked themselves, 60 to 604800 seconds; 3600 unless set.',
      ),
    policy: z
      .string()
      .optional()
      .describe(
        'What happens to products whose publisher does not authorize the agent: "refuse" (the default) sells them to nobody but sandboxes, "warn" only says so.',
      ),
  })
    .optional()
    .describe('A registry that says who may sell what; nothing is asked and nothing is refused without one.'),
  registry_service: registryServiceSchema.optional().describe('How a registry of your own is run.'),
  console_sign_in: signInSchema
    .optional()
    .describe(
      'An identity provider (OpenID Connect) by which people sign in to the console, beside names and passwords.',
    ),
  webhook_key: z
    .string()
    .optional()
    .describe(
      'Purpose of the key that signs webhooks: "by_release" (the default; "webhook-signing" for buyers of 3.0, whose verifiers know no other, else "request-signing"), or one of the two for all.',
    ),
  allowed_hosts: z
    .array(z.string())
    .optional()
    .describe(
      'Host names accepted beside that of base_url: "ads.example", "*.ads.example" for all below it, "any" for all.',
    ),
  cors_origins: z
    .array(z.string())
    .optional()
    .describe(
      'Origins whose pages may call MCP and A2A endpoints from a browser, such as "https://app.example", or "any"; none unless set, in development mode those of this machine.',
    ),
  trusted_proxies: z
    .array(z.string())
    .optional()
    .describe(
      'Addresses and ranges of your own proxies, such as "10.0.0.0/8": X-Forwarded-For is believed from these alone; none unless set.',
    ),
  quotas: object(quotaShape)
    .optional()
    .describe('What one principal may have stored; more is refused with RATE_LIMITED.'),
  clock_jumps: z
    .string()
    .optional()
    .describe(
      'What happens when the wall clock jumps by more than a minute: "hold" (the default) lets time go on without it until it comes back or "clock accept" is run, "follow" goes with it.',
    ),
  lease_seconds: z
    .int()
    .optional()
    .describe(
      'How long others wait for a process that stopped, where several share a PostgreSQL database, before they take over its webhooks and jobs: 1 to 600 seconds; 30 unless set.',
    ),
  rendering: object({
    fonts: z
      .string()
      .optional()
      .describe(
        'Folder of TTF and OTF files that ads are drawn with where their letters are in none of the installed packages.',
      ),
    ffmpeg: z
      .string()
      .optional()
      .describe(
        'Path of ffmpeg, which video and audio are made with; the one on PATH unless set, and "off" makes none.',
      ),
    preview_hosts: z
      .array(z.string())
      .optional()
      .describe(
        'Hosts that creatives made of scripts may reach from their preview, such as "ads.example", "*.ads.example"; none unless set.',
      ),
    preview_hours: z.int().optional().describe('How long previews are kept, 1 to 8760 hours; 24 unless set.'),
  })
    .optional()
    .describe('How ads are drawn and shown, and video and audio made.'),
  retention: object(periodShape).optional().describe('How long what is over stays in the store, in days.'),
  connections: object({
    total: z.int().optional().describe('Most connections at once, 16 to 100000; 2048 unless set.'),
    per_address: z
      .int()
      .optional()
      .describe(
        'Most connections of one address (of version 6: one /64) at once; 256 unless set, any number of a trusted proxy.',
      ),
  })
    .optional()
    .describe('How many connections are taken.'),
  max_body_bytes: z.int().optional().describe('Largest request body, 1024 to 67108864 bytes.'),
});

/** The settings file as it was read. */
export type SettingsFile = z.output<typeof settingsSchema>;

/** Returns the JSON Schema of the settings file. */
export function settingsJsonSchema(): JsonSchema {
  return JSON.parse(JSON.stringify(z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-07' })));
}
