import { ConfigError, type ConfigProblem } from '../../platform/kernel/errors.js';
import { startPace } from '../../platform/kernel/event-loop.js';
import type { Tenant } from '../domain/tenant/tenant.js';
import { buildTenant } from './build.js';
import { type Draft, draftAt, draftsAt, isDraft, type Report, type Rule, type RuleOptions, textAt } from './draft.js';
import { type JsonFile, problemAt, readJsonFile } from './json-file.js';
import { judgeJson, mergeProblems } from './judge-json.js';
import { ALERT_RULES } from './rules/alerts.js';
import { APPROVAL_RULES } from './rules/approvals.js';
import { BILLING_RULES } from './rules/billing.js';
import { BRAND_RULES } from './rules/brand.js';
import { FULFILLMENT_RULES } from './rules/fulfillment.js';
import { PRODUCT_RULES } from './rules/products.js';
import { PROPOSAL_RULES } from './rules/proposals.js';
import { SIGNAL_REMARKS, SIGNAL_RULES } from './rules/signals.js';
import { SIGNING_RULES } from './rules/signing.js';
import { TENANT_RULES } from './rules/tenants.js';
import { tenantJsonSchema, tenantSchema } from './schema/tenant.js';
import { describeStray, listStrayFiles, listTenantFiles, pathProblems, type TenantLocation } from './tenant-files.js';

/** The folder of the tenants, and everything that is known outside their files. */
export type LoadOptions = RuleOptions & {
  readonly directory: string;
  /** Milliseconds since 1970; without it nothing is reported as expired. */
  readonly now?: number;
};

/** The content of a tenant folder: its valid tenants, and the problems of the others. */
export type Inspection = {
  readonly tenants: readonly Tenant[];
  readonly problems: readonly ConfigProblem[];
  /** Not wrong, but hardly meant: products that expired, signals without a price. */
  readonly warnings: readonly ConfigProblem[];
};

const RULES = [
  ...TENANT_RULES,
  ...PRODUCT_RULES,
  ...PROPOSAL_RULES,
  ...SIGNAL_RULES,
  ...BRAND_RULES,
  ...ALERT_RULES,
  ...APPROVAL_RULES,
  ...BILLING_RULES,
  ...FULFILLMENT_RULES,
  ...SIGNING_RULES,
];

/** Returns all tenants of a folder, by path. Throws one ConfigError with every problem of every file. */
export async function loadTenants(options: LoadOptions, inspect?: InspectFile): Promise<readonly Tenant[]> {
  const { tenants, problems } = await inspectTenants(options, inspect);
  if (problems.length > 0) throw new ConfigError(problems);
  return tenants;
}

/** Returns the content of one tenant file. */
type InspectFile = (location: TenantLocation, options: LoadOptions) => Promise<Inspection>;

/** Reads a whole tenant folder without stopping at a fault. Throws ConfigError only when the folder cannot be read. */
export async function inspectTenants(options: LoadOptions, inspect: InspectFile = inspectFile): Promise<Inspection> {
  const locations = await listTenantFiles(options.directory);
  const inspections: Inspection[] = [];
  const pace = startPace();
  for (const location of locations) {
    inspections.push(await inspect(location, options));
    if (pace.isDue()) await pace.rest();
  }
  return {
    tenants: inspections.flatMap(({ tenants }) => tenants),
    problems: [
      ...emptyFolder(options.directory, locations),
      ...pathProblems(locations),
      ...inspections.flatMap(({ problems }) => problems),
    ],
    warnings: [
      ...(await listStrayFiles(options.directory)).map(describeStray),
      ...inspections.flatMap(({ warnings }) => warnings),
    ],
  };
}

async function inspectFile(location: TenantLocation, options: LoadOptions): Promise<Inspection> {
  const json = await readJsonFile(location.file);
  await loadAdServer(json, options);
  return inspectJson(location, json, options);
}

/** Loads the adapter that a tenant file names, so that its rules can ask it. */
export async function loadAdServer({ file, value }: JsonFile, { adServers }: LoadOptions): Promise<void> {
  if (isDraft(value)) await adServers.load(textAt(draftAt(value, 'ad_server'), 'adapter'), file);
}

/** Returns a tenant of no file any more as far as its media buys need one to be stopped: it sells nothing, and nobody calls it. */
export function departedTenant(path: string, options: LoadOptions): Tenant {
  const file = tenantSchema.parse({
    kinds: ['sales'],
    name: path,
    description: 'This tenant is served no more.',
    publisher_domains: [],
  });
  return buildTenant({ file: '', path, size: 0, modifiedMs: 0 }, file, options);
}

/** Returns the content of a tenant file that was read. */
export function inspectJson(location: TenantLocation, json: JsonFile, options: LoadOptions): Inspection {
  if (json.tree === undefined) return { tenants: [], problems: json.problems, warnings: [] };
  const judged = judgeJson(json, { schema: tenantSchema, publish: tenantJsonSchema });
  const { meant, parsed } = judged;
  const problems = mergeProblems(judged, brokenRules(RULES, meant, options));
  const tenants = parsed.success && problems.length === 0 ? [buildTenant(location, parsed.data, options)] : [];
  const warnings = [
    ...(isDraft(meant.value) ? findExpired(meant, meant.value, options.now) : []),
    ...brokenRules(SIGNAL_REMARKS, meant, options),
  ];
  return { tenants, problems, warnings };
}

function brokenRules(rules: readonly Rule[], json: JsonFile, options: RuleOptions): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const draft = json.value;
  if (!isDraft(draft)) return problems;
  const report: Report = (path, message, fix) => problems.push(problemAt(json, path, message, fix));
  for (const rule of rules) rule(draft, report, options, json.file);
  return problems;
}

/** The lists of what is offered until a date. */
const OFFERS = { products: 'product', proposals: 'proposal' } as const;

function findExpired(json: JsonFile, draft: Draft, now: number | undefined): ConfigProblem[] {
  return Object.entries(OFFERS).flatMap(([list, offer]) =>
    draftsAt(draft, list).flatMap(({ path, draft: offered }) => {
      const expiry = textAt(offered, 'expires_at');
      if (expiry === undefined || now === undefined || !(Date.parse(expiry) <= now)) return [];
      const fix = `Move the date, or remove the ${offer}.`;
      return [problemAt(json, [...path, 'expires_at'], `the ${offer} has expired and can no longer be bought`, fix)];
    }),
  );
}

function emptyFolder(directory: string, locations: readonly TenantLocation[]): ConfigProblem[] {
  if (locations.length > 0) return [];
  const fix = 'Add a file such as sales.json, or write a first set with "init".';
  return [{ file: directory, line: 0, pointer: '', message: 'there is no tenant file in the folder', fix }];
}
