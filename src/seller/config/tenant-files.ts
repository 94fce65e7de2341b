import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ConfigError, type ConfigProblem } from '../../platform/kernel/errors.js';
import { requireFiles } from './json-file.js';

/** A tenant file and the URL path its agent is served at. */
export type TenantLocation = {
  readonly file: string;
  /** `acme/sales` for `acme/sales.json`. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
};

/** The names of files among the tenant files that are none: the published schemas, and the publishers with their schema. */
export const SCHEMA_FILE = 'tenant.schema.json';
export const PUBLISHERS_FILE = 'publishers.json';
export const PUBLISHERS_SCHEMA_FILE = 'publishers.schema.json';

const SCHEMAS: ReadonlySet<string> = new Set([SCHEMA_FILE, PUBLISHERS_SCHEMA_FILE]);

/** First segments that the server answers itself. */
const RESERVED = new Set(['healthz', 'readyz', 'metrics', 'api', 'operator', 'mcp']);
const SEGMENT = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/;
const MAX_DEPTH = 8;

/** Returns all tenant files below a directory, by path: every `.json` but schemas, publishers and what begins with a dot. Links are followed. */
export async function listTenantFiles(directory: string): Promise<readonly TenantLocation[]> {
  const locations = await listFiles(directory);
  return locations.filter(({ path }) => `${path}.json` !== PUBLISHERS_FILE);
}

/** Returns the problems of a file's path: segments that do not fit a URL, reserved paths, paths that differ in case only. */
export function pathProblems(locations: readonly TenantLocation[]): readonly ConfigProblem[] {
  const seen = new Map<string, string>();
  return locations.flatMap(({ file, path }) => {
    const segments = path.split('/');
    const problems: (readonly [message: string, fix: string])[] = [];
    const bad = segments.find((segment) => !SEGMENT.test(segment));
    if (bad !== undefined) {
      problems.push([
        `"${bad}" cannot be part of a URL path`,
        'Rename it with lower-case letters, digits, "-" and "_".',
      ]);
    }
    if (RESERVED.has(segments[0] ?? '') || segments.at(-1) === 'mcp') {
      problems.push([`/${path}/mcp collides with a path of the server itself`, 'Rename the file or its folder.']);
    }
    const twin = seen.get(path.toLowerCase());
    if (twin !== undefined) problems.push([`${twin} is served at the same path`, 'Rename one of the two files.']);
    seen.set(path.toLowerCase(), file);
    return problems.map(([message, fix]) => ({ file, line: 0, pointer: '', message, fix }));
  });
}

/** Endings of files that were meant for tenants and are read by nobody. */
const STRAY = /\.(?:ya?ml|toml|json5|jsonc|jsonl|jsn|json\.txt)$|\.json$/i;

/** Returns the files beside the tenant files that look like some and are not served: another format, or another spelling of `.json`. */
export async function listStrayFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  const stray = names.filter((name) => isVisible(name) && STRAY.test(name) && !name.endsWith('.json'));
  return stray.sort().map((name) => join(directory, name));
}

/** Returns what is said of a file that looks like a tenant's and is not served. */
export function describeStray(file: string): ConfigProblem {
  return {
    file,
    line: 0,
    pointer: '',
    message: 'this file is not served: tenant files are JSON, and their names end in .json',
    fix: 'Write it as JSON into a file whose name ends in .json, or move it out of the folder.',
  };
}

/** Texts that change whenever one of their files is added, removed or written. */
export type Fingerprints = { readonly tenants: string; readonly publishers: string };

/** Returns the fingerprints of the tenant files and of that of the publishers. */
export async function fingerprintTenants(directory: string): Promise<Fingerprints> {
  const files = await listFiles(directory);
  const isPublishers = ({ path }: TenantLocation): boolean => `${path}.json` === PUBLISHERS_FILE;
  return {
    tenants: [fingerprint(files.filter((file) => !isPublishers(file))), ...(await listStrayFiles(directory))].join(
      '\n',
    ),
    publishers: fingerprint(files.filter(isPublishers)),
  };
}

function fingerprint(files: readonly TenantLocation[]): string {
  return files.map(({ path, size, modifiedMs }) => `${path}:${size}:${modifiedMs}`).join('\n');
}

async function listFiles(directory: string): Promise<readonly TenantLocation[]> {
  const locations = await walkFolder(directory, '', 0);
  return locations.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

async function walkFolder(directory: string, below: string, depth: number): Promise<TenantLocation[]> {
  const names = await readdir(join(directory, below)).catch((cause: unknown) => {
    requireFiles(cause);
    if (depth > 0) return [];
    throw createUnreadable(directory, cause);
  });
  const locations = await Promise.all(
    names.filter(isVisible).map((name) => visitEntry(directory, join(below, name), depth)),
  );
  return locations.flat();
}

async function visitEntry(directory: string, relative: string, depth: number): Promise<TenantLocation[]> {
  const file = join(directory, relative);
  const status = await stat(file).catch(() => undefined);
  if (status?.isDirectory()) return depth < MAX_DEPTH ? walkFolder(directory, relative, depth + 1) : [];
  if (!status?.isFile() || !relative.endsWith('.json')) return [];
  const path = relative.slice(0, -'.json'.length).replaceAll(sep, '/');
  return [{ file, path, size: status.size, modifiedMs: status.mtimeMs }];
}

function isVisible(name: string): boolean {
  return !name.startsWith('.') && !SCHEMAS.has(name);
}

function createUnreadable(directory: string, cause: unknown): ConfigError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message =
    (cause as NodeJS.ErrnoException).code === 'ENOENT'
      ? 'there is no such folder'
      : `the tenant folder cannot be read: ${reason}`;
  const fix = 'Name a folder with --tenants, or write a first set with "init".';
  return new ConfigError([{ file: directory, line: 0, pointer: '', message, fix }]);
}
