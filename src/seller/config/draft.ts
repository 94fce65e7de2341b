import type { ConfiguredPublisher } from '../../registry/publish/types.js';
import type { AdServerModule } from '../adserver/port/adapter.js';
import type { JsonPath } from './json-file.js';

/** A JSON object that no schema has checked yet. */
export type Draft = Readonly<Record<string, unknown>>;

/** An object of a list, with its path. */
export type Located = { readonly path: JsonPath; readonly draft: Draft };

/** Reports a rule's finding; the line is found from the path. */
export type Report = (path: JsonPath, message: string, fix: string) => void;

/** The process's environment, passed in because only cli.ts reads it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The adapters of ad servers. */
type AdServerLibrary = {
  /** Those that a file can name. */
  readonly names: readonly string[];
  /** Whether there is one for tenants that name none. */
  readonly hasDefault: boolean;
  /** Loads what a file names, so that `find` has it. */
  readonly load: (name: string | undefined, tenantFile: string) => Promise<void>;
  /** Returns a module, or why it cannot be loaded; undefined where there is none of this name. */
  readonly find: (name: string | undefined, tenantFile: string) => AdServerModule | string | undefined;
};

/** The knowledge of the rules beyond the file itself. */
export type RuleOptions = {
  readonly env: Environment;
  readonly baseUrl: string;
  /** The server's protocol name; a tenant may override it. */
  readonly protocolName: string;
  /** Whether the server serves releases that are not final; a tenant may override it. */
  readonly preview: boolean;
  readonly development: boolean;
  /** Ids of the house formats. */
  readonly formatIds: ReadonlySet<string>;
  /** Names of every task, whichever tenants offer it. */
  readonly taskNames: ReadonlySet<string>;
  /** The ad servers that live buys can go to. */
  readonly adServers: AdServerLibrary;
  /** The publishers whose properties are known. */
  readonly publishers?: readonly ConfiguredPublisher[];
};

/** A check over several fields. It must bear any JSON object, since the schema's own faults do not stop it. */
export type Rule = (draft: Draft, report: Report, options: RuleOptions, file: string) => void;

/** Fewest characters of an API key in an environment variable. */
export const MIN_KEY_LENGTH = 16;

/** Whether a value is a JSON object. */
export function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object under a key, or an empty one. */
export function draftAt(draft: Draft, key: string): Draft {
  const value = draft[key];
  return isDraft(value) ? value : {};
}

/** Returns the objects of a list with their paths; whatever else the list holds is left to the schema. */
export function draftsAt(draft: Draft, key: string, path: JsonPath = []): readonly Located[] {
  const list = draft[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index) =>
    isDraft(value) ? [{ path: [...path, key, index], draft: value }] : [],
  );
}

/** Returns the keys of a principal with their paths: `key` is one object or a list of them. */
export function keysOf({ path, draft }: Located): readonly Located[] {
  return isDraft(draft.key) ? [{ path: [...path, 'key'], draft: draft.key }] : draftsAt(draft, 'key', path);
}

/** Returns the strings of a list with their indexes. */
export function stringsAt(draft: Draft, key: string): readonly { readonly index: number; readonly value: string }[] {
  const list = draft[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index) => (typeof value === 'string' ? [{ index, value }] : []));
}

/** Returns the value of a key if it is a string. */
export function textAt(draft: Draft, key: string): string | undefined {
  const value = draft[key];
  return typeof value === 'string' ? value : undefined;
}

/** Reports every object whose id an earlier one has. */
export function reportDuplicates(items: readonly Located[], key: string, report: Report): void {
  const seen = new Set<string>();
  for (const { path, draft } of items) {
    const id = textAt(draft, key);
    if (id !== undefined && seen.has(id)) {
      report([...path, key], `"${id}" is used twice as ${key}`, `Write another ${key} here.`);
    }
    if (id !== undefined) seen.add(id);
  }
}
