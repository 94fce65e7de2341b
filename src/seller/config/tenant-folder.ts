import { sha256Hex } from '../../platform/kernel/canonical.js';
import type { ConfigProblem } from '../../platform/kernel/errors.js';
import type { Tenant } from '../domain/tenant/tenant.js';
import { parseJsonFile, readJsonFile, readText } from './json-file.js';
import { departedTenant, type Inspection, inspectJson, type LoadOptions, loadAdServer, loadTenants } from './load.js';
import type { TenantLocation } from './tenant-files.js';

/** A tenant file as it was last read. */
type ReadFile = Pick<TenantLocation, 'size' | 'modifiedMs'> & {
  readonly digest: string;
  readonly inspection: Inspection;
};

/** Stands for the digest of a file that could not be read: it is tried again with the next edit of any file. */
const UNREADABLE = '';

/** The tenants of a folder over its edits: a file is read again when it was written, and judged again when its content changed. */
export class TenantFolder {
  #files: ReadonlyMap<string, ReadFile> = new Map();
  #judgedBy: LoadOptions | undefined;

  /**
   * Returns all tenants of the folder, by path; one whose file did not change is the object that it was. Throws one ConfigError with
   * every problem of every file.
   */
  async load(options: LoadOptions): Promise<readonly Tenant[]> {
    const before = this.#isJudgedBy(options) ? this.#files : new Map<string, ReadFile>();
    const files = new Map<string, ReadFile>();
    this.#judgedBy = options;
    try {
      return await loadTenants(options, async (location) => {
        const file = await readAgain(location, before.get(location.path), options);
        files.set(location.path, file);
        return file.inspection;
      });
    } finally {
      this.#files = files;
    }
  }

  /** Returns what is wrong with a text in the place of a tenant file, judged as the folder was. Throws before it was. */
  async inspect(location: TenantLocation, text: string): Promise<readonly ConfigProblem[]> {
    if (this.#judgedBy === undefined) throw new Error('the tenant files are not loaded yet');
    const json = parseJsonFile(location.file, text);
    await loadAdServer(json, this.#judgedBy);
    return inspectJson(location, json, this.#judgedBy).problems;
  }

  /** Returns the tenant that a removed file leaves, so that its media buys can be stopped. Throws before the folder was loaded. */
  departed(path: string): Tenant {
    if (this.#judgedBy === undefined) throw new Error('the tenant files are not loaded yet');
    return departedTenant(path, this.#judgedBy);
  }

  /** Whether the files were judged by the same formats and publishers; what else they are judged by is fixed while a server runs. */
  #isJudgedBy({ formatIds, publishers }: LoadOptions): boolean {
    return this.#judgedBy?.formatIds === formatIds && this.#judgedBy.publishers === publishers;
  }
}

async function readAgain(
  location: TenantLocation,
  before: ReadFile | undefined,
  options: LoadOptions,
): Promise<ReadFile> {
  const { file, size, modifiedMs } = location;
  if (before?.size === size && before.modifiedMs === modifiedMs && before.digest !== UNREADABLE) return before;
  const text = await readText(file);
  if (typeof text !== 'string')
    return {
      size,
      modifiedMs,
      digest: UNREADABLE,
      inspection: inspectJson(location, await readJsonFile(file), options),
    };
  const digest = sha256Hex(text);
  if (before?.digest === digest) return { ...before, size, modifiedMs };
  const json = parseJsonFile(file, text);
  await loadAdServer(json, options);
  return { size, modifiedMs, digest, inspection: inspectJson(location, json, options) };
}
