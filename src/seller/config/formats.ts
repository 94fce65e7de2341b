import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Catalog,
  type CatalogInspection,
  type CatalogSources,
  inspectCatalog,
  type JsonSource,
  loadCatalog,
} from '../../creative/formats/files/load-catalog.js';
import { formatOwnerUrl } from '../../creative/formats/format-id.js';
import { packageFile } from '../../platform/kernel/files/package-files.js';
import { positionOf, readJsonFile, requireFiles } from './json-file.js';
import type { Settings } from './settings.js';

/** The folder of the tenants, and the address that formats are published under. */
type FormatFolder = Pick<Settings, 'tenantsDir' | 'baseUrl'>;

/** Returns every format that a server of these settings has. Throws one ConfigError with every problem of the format folders. */
export function openCatalog(folder: FormatFolder): Promise<Catalog> {
  return loadCatalog(sourcesOf(folder));
}

/** Returns what `openCatalog` does, with its problems instead of an error. */
export function inspectFormats(folder: FormatFolder): Promise<CatalogInspection> {
  return inspectCatalog(sourcesOf(folder));
}

/** Returns a text that changes whenever a file of the seller's own formats is added, removed or written. */
export async function fingerprintFormats({ tenantsDir }: Pick<FormatFolder, 'tenantsDir'>): Promise<string> {
  const folder = ownFolder(tenantsDir);
  const names = await readdir(folder, { recursive: true }).catch((cause: unknown) => {
    requireFiles(cause);
    return [];
  });
  const lines = names.toSorted().map(async (name) => {
    const status = await stat(path.join(folder, name)).catch(() => undefined);
    return `${name}:${status?.size}:${status?.mtimeMs}`;
  });
  return (await Promise.all(lines)).join('\n');
}

function ownFolder(tenantsDir: string): string {
  return path.join(path.dirname(tenantsDir), 'templates');
}

/** Returns the shipped folder of formats, and a `templates` folder beside the tenants. */
function sourcesOf({ tenantsDir, baseUrl }: FormatFolder): CatalogSources {
  const shipped = fileURLToPath(packageFile('templates'));
  const folders = new Set([shipped, ownFolder(tenantsDir)]);
  return {
    agentUrl: formatOwnerUrl(baseUrl),
    templateFolders: [...folders].filter((folder) => existsSync(folder)),
    readJson,
  };
}

async function readJson(file: string): Promise<JsonSource> {
  const json = await readJsonFile(file);
  return { value: json.value, problems: json.problems, positionOf: (at) => positionOf(json, at) };
}
