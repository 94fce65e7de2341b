import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AdServerModules } from '../../seller/adserver/adapters.js';
import { callWithin } from '../../seller/adserver/call.js';
import type { Connection } from '../../seller/adserver/connection.js';
import type { ImportedProduct } from '../../seller/adserver/port/answers.js';
import type { Settings } from '../../seller/config/settings.js';
import { withAdServers } from '../check/ad-servers.js';
import { inspectAll } from '../check/check.js';
import type { CommandContext, CommandResult } from '../command.js';
import { plain, plainLines } from '../terminal.js';

type ListFlags = { readonly adServer?: string | undefined; readonly out?: string | undefined };

const TIMEOUT_MS = 120_000;
/** Of one network. */
const MAX_DRAFTS = 20_000;
const NEEDED =
  'Each needs a description, publisher_properties, pricing_options, reporting_capabilities and inventory before it can stand there: docs/configuration.md.';

/**
 * Asks the ad server of a tenant what could be sold, and returns drafts of the products that the tenant file does not have yet as JSON, or
 * writes them into a new file. Changes neither the ad server nor the tenant file.
 */
export async function listProducts(
  settings: Settings,
  { cwd, env, err }: Pick<CommandContext, 'cwd' | 'env' | 'err'>,
  tenantPath: string,
  { adServer: module, out }: ListFlags,
): Promise<CommandResult> {
  const modules = new AdServerModules(module === undefined ? undefined : { file: module });
  const { tenants } = await inspectAll(settings, env, undefined, modules);
  const tenant = tenants.find((one) => one.path === tenantPath);
  if (tenant === undefined) return refuseWith(`There is no tenant "${tenantPath}" that can be read. "check" says why.`);
  const listed = await withAdServers([tenant], modules, settings, (find) => askProducts(find(tenantPath))).catch(
    (error: unknown) => `The ad server does not answer: ${messageOf(error)}`,
  );
  if (typeof listed === 'string') return refuseWith(listed);
  const { all, fresh } = listed;
  err(plain(`${fresh.length} of ${all} products of the ad server are not in the tenant file. ${NEEDED}`));
  const text = JSON.stringify(fresh.map(toDraft), undefined, 2);
  if (out === undefined) return { ok: true, text: plainLines(text) };
  try {
    await writeFile(path.resolve(cwd, out), `${text}\n`, { flag: 'wx' });
  } catch (error) {
    return refuseWith(`${out} is not written: ${messageOf(error)}`);
  }
  return { ok: true, text: plain(`${out} is written.`) };
}

/** The products of an ad server: how many, and the drafts of those that the tenant does not sell. */
type Listed = { readonly all: number; readonly fresh: readonly ImportedProduct[] };

/** Returns what an ad server could sell, or why that cannot be said. */
async function askProducts(connection: Connection | undefined): Promise<Listed | string> {
  if (connection === undefined) return 'Live buys of this tenant go to no ad server.';
  const { adapter, mappings } = connection;
  if (adapter.products === undefined) return `The adapter ${adapter.name} cannot list what could be sold.`;
  const listed = await callWithin(TIMEOUT_MS, async (signal) => (await adapter.products?.({ signal })) ?? []);
  if (!Array.isArray(listed) || listed.length > MAX_DRAFTS)
    return `The adapter ${adapter.name} answered no list of at most ${MAX_DRAFTS} products.`;
  const isSold = (draft: ImportedProduct): boolean =>
    mappings.some((sold) => isDeepStrictEqual(sold.adapter, draft.adapter));
  return { all: listed.length, fresh: listed.filter((draft) => !isSold(draft)) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refuseWith(text: string): CommandResult {
  return { ok: false, text: plain(text) };
}

/** Returns a draft in the order of the members of a tenant file. */
function toDraft({ adapter, format_ids, name, product_id }: ImportedProduct): object {
  return { product_id, name, channels: ['display'], format_ids, delivery_type: 'non_guaranteed', adapter };
}
