import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../platform/kernel/json/json.js';
import type { AdServerAdapter, AdServerModule } from './port/adapter.js';

/** An ad server that this version connects to; its code is loaded when a tenant names it. */
type AdapterRow = { readonly name: string; readonly load: () => Promise<AdServerModule> };

/** The ad servers that this version connects to, by the name that a tenant file gives as `ad_server.adapter`: `load` imports their module. */
const ADAPTERS: readonly AdapterRow[] = [
  { name: 'gam', load: async () => (await import('./gam/module.js')).gamModule },
  { name: 'kevel', load: async () => (await import('./kevel/kevel.js')).kevelModule },
];

/** An ad server that a program or a command brought: an adapter as it is, its module, or the file of one. */
export type BroughtAdServer = AdServerAdapter | AdServerModule | { readonly file: string };

/** Whether a name is that of a file and not of the table. */
function isFile(name: string): boolean {
  return name.startsWith('./') || name.startsWith('../') || path.isAbsolute(name);
}

/** The modules of the adapters that tenant files name, and of the one that was brought for those that name none. */
export class AdServerModules {
  readonly #brought: BroughtAdServer | undefined;
  /** By their names in the table or their files; a text says why one cannot be loaded. */
  readonly #loaded = new Map<string, AdServerModule | string>();

  constructor(brought?: BroughtAdServer) {
    this.#brought = brought;
  }

  /** Returns the names of the table; `manual` stands for people. */
  get names(): readonly string[] {
    return ADAPTERS.map(({ name }) => name);
  }

  /** Whether there is an ad server for tenants that name none. */
  get hasDefault(): boolean {
    return this.#brought !== undefined;
  }

  /** Loads the adapter that a tenant file names, or the one that was brought, so that `find` has it. */
  async load(name: string | undefined, tenantFile: string): Promise<void> {
    const key = this.#keyOf(name, tenantFile);
    if (key === undefined || this.#loaded.has(key)) return;
    const row = ADAPTERS.find((one) => one.name === key);
    if (row !== undefined) this.#loaded.set(key, await row.load());
    else if (path.isAbsolute(key)) this.#loaded.set(key, await loadFile(key));
  }

  /** Returns a module that was loaded, or why it cannot be; undefined where there is none of this name. */
  find(name: string | undefined, tenantFile: string): AdServerModule | string | undefined {
    const brought = this.#brought;
    if (name === undefined && brought !== undefined && !('file' in brought)) return asModule(brought);
    const key = this.#keyOf(name, tenantFile);
    return key === undefined ? undefined : this.#loaded.get(key);
  }

  #keyOf(name: string | undefined, tenantFile: string): string | undefined {
    const brought = this.#brought;
    if (name === undefined) return brought !== undefined && 'file' in brought ? path.resolve(brought.file) : undefined;
    return isFile(name) ? path.resolve(path.dirname(tenantFile), name) : name;
  }
}

function asModule(brought: AdServerAdapter | AdServerModule): AdServerModule {
  if ('open' in brought) return brought;
  return { name: brought.name, declare: () => brought.declaration, open: () => brought };
}

async function loadFile(file: string): Promise<AdServerModule | string> {
  try {
    const loaded: unknown = await import(pathToFileURL(file).href);
    const module = isObject(loaded) ? loaded.default : undefined;
    return isModule(module) ? module : `${file} has no default export with "name", "declare" and "open"`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${file} cannot be loaded: ${existsSync(file) ? why : 'there is no such file'}`;
  }
}

function isModule(value: unknown): value is AdServerModule {
  if (!isObject(value)) return false;
  const { name, declare, open } = value;
  return typeof name === 'string' && typeof declare === 'function' && typeof open === 'function';
}
