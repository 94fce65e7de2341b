import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { ConfigError, type ConfigProblem, type FilePosition } from '../../../platform/kernel/errors.js';
import { pointerTo } from '../../check/finding.js';
import { houseFormats } from '../catalog/catalog.js';
import { concreteFormat } from '../catalog/parameters.js';
import { deepFreeze, listFormatMacros } from '../catalog/rows.js';
import type { Format, FormatId, Slot } from '../format.js';
import { templateFaults, withPageSlot } from '../template.js';
import { type FormatFile, formatFile } from './schema.js';

/** A JSON document with the position of each of its values; `problems` when it could not be read. */
export type JsonSource = {
  readonly value: unknown;
  readonly problems: readonly ConfigProblem[];
  readonly positionOf: (path: readonly (string | number)[]) => FilePosition;
};

/** The sources of a format catalog. */
export type CatalogSources = {
  /** The agent that owns every format of the catalog. */
  readonly agentUrl: string;
  /** Folders of folders: each `<id>/format.json` in them is a format. */
  readonly templateFolders: readonly string[];
  /** How a JSON file is read; the default knows no positions. */
  readonly readJson?: (file: string) => Promise<JsonSource>;
};

/** Every format that the agent owns: those of the house and those of template folders. */
export type Catalog = {
  readonly formats: readonly Format[];
  readonly ids: ReadonlySet<string>;
  /**
   * The format that a reference means by its id, whoever owns that; a template with parameters as the concrete format
   * of that size or length. Undefined for an id that is not ours, and for parameters that the format does not come in.
   */
  readonly find: (ref: FormatId) => Format | undefined;
  /** The text of `template.html` of a seller's format, as `fillTemplate` takes it; undefined for a format without one. */
  readonly template: (id: string) => string | undefined;
};

const FORMAT_FILE = 'format.json';
const TEMPLATE_FILE = 'template.html';
const MAX_TEMPLATE_CHARS = 500_000;
const ID = /^[a-zA-Z0-9_-]{1,100}$/;

/** The result of reading the folders of formats. */
export type CatalogInspection = {
  /** The house and what could be read of the folders. */
  readonly catalog: Catalog;
  /** The ids of the catalog and of the folders that could not be read. */
  readonly named: ReadonlySet<string>;
  /** Every problem of every folder, each with file, line, pointer and fix. */
  readonly problems: readonly ConfigProblem[];
};

/** Loads the catalog: a seller adds a format by adding a folder. Throws one ConfigError with every problem of every folder. */
export async function loadCatalog(sources: CatalogSources): Promise<Catalog> {
  const { catalog, problems } = await inspectCatalog(sources);
  if (problems.length > 0) throw new ConfigError(problems);
  return catalog;
}

/** Reads the catalog without stopping at a fault. */
export async function inspectCatalog(sources: CatalogSources): Promise<CatalogInspection> {
  const { agentUrl, templateFolders, readJson = readPlainJson } = sources;
  const house = houseFormats(agentUrl);
  const read = await Promise.all(templateFolders.map((folder) => readFolder(folder, readJson)));
  const drafts = read.flatMap(({ drafts }) => drafts);
  const houseIds = new Set(house.map(({ format_id }) => format_id.id));
  const named = new Set([...houseIds, ...read.flatMap(({ named }) => named)]);
  const problems = [
    ...read.flatMap((each) => each.problems),
    ...findClashes(drafts, houseIds),
    ...drafts.flatMap((draft) => [...findStrayLinks(draft, named), ...brokenTemplate(draft)]),
  ];
  return { catalog: buildCatalog(house, drafts, agentUrl), named, problems };
}

function buildCatalog(house: readonly Format[], drafts: readonly Draft[], agentUrl: string): Catalog {
  const formats = [...house, ...drafts.map((draft) => deepFreeze(buildFolderFormat(draft, agentUrl)))];
  const byId = new Map(formats.map((format) => [format.format_id.id, format]));
  const templates = new Map(drafts.map(({ id, template }) => [id, template]));
  return {
    formats,
    ids: new Set(byId.keys()),
    find: (ref) => {
      const format = byId.get(ref.id);
      return format && concreteFormat(format, ref);
    },
    template: (id) => templates.get(id),
  };
}

/** A format of a folder before it has an owner. */
type Draft = {
  readonly id: string;
  readonly file: string;
  readonly json: JsonSource;
  readonly content: FormatFile;
  readonly template: string | undefined;
};

type Read = {
  readonly drafts: readonly Draft[];
  /** Ids of the folders that are about formats, readable or not. */
  readonly named: readonly string[];
  readonly problems: readonly ConfigProblem[];
};

async function readFolder(folder: string, readJson: (file: string) => Promise<JsonSource>): Promise<Read> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    const message = `the folder of formats cannot be read: ${describeCause(cause)}`;
    return {
      drafts: [],
      named: [],
      problems: [{ ...atStart(folder), line: 0, message, fix: 'Create the folder, or take it out of the settings.' }],
    };
  }
  const names = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  const read = await Promise.all(names.sort().map((name) => readFormat(path.join(folder, name), name, readJson)));
  return {
    drafts: read.flatMap(({ drafts }) => drafts),
    named: read.flatMap(({ named }) => named),
    problems: read.flatMap(({ problems }) => problems),
  };
}

async function readFormat(folder: string, id: string, readJson: (file: string) => Promise<JsonSource>): Promise<Read> {
  const file = path.join(folder, FORMAT_FILE);
  const inside = await readdir(folder).catch((): readonly string[] => []);
  // A folder with neither file is not about a format.
  if (!inside.includes(FORMAT_FILE) && !inside.includes(TEMPLATE_FILE)) return { drafts: [], named: [], problems: [] };
  const failed = (problems: readonly ConfigProblem[]): Read => ({ drafts: [], named: [id], problems });
  if (!ID.test(id)) {
    const message = 'the name of the folder is the id of the format, and this is none';
    return failed([{ ...atStart(file), message, fix: 'Use letters, digits, "_" and "-" only.' }]);
  }
  const json = await readJson(file);
  if (json.problems.length > 0) return failed(json.problems);
  const parsed = formatFile.safeParse(json.value);
  if (!parsed.success) return failed(parsed.error.issues.flatMap((issue) => explainIssue(issue, file, json)));
  const template = inside.includes(TEMPLATE_FILE)
    ? await readFile(path.join(folder, TEMPLATE_FILE), 'utf8')
    : undefined;
  if (template !== undefined && template.length > MAX_TEMPLATE_CHARS) {
    const fix = `Keep it below ${MAX_TEMPLATE_CHARS} characters.`;
    return failed([{ ...atStart(path.join(folder, TEMPLATE_FILE)), message: 'the template is too long', fix }]);
  }
  return { drafts: [{ id, file, json, content: parsed.data, template }], named: [id], problems: [] };
}

function buildFolderFormat({ id, content, template }: Draft, agentUrl: string): Format {
  const {
    $schema: _schema,
    $comment: _comment,
    supported_macros,
    output_format_ids,
    input_format_ids,
    ...rest
  } = content;
  const owned = (ref: string | FormatId): FormatId =>
    typeof ref === 'string' ? { agent_url: agentUrl, id: ref } : ref;
  const assets: readonly Slot[] = template === undefined ? rest.assets : withPageSlot(rest.assets);
  return {
    format_id: { agent_url: agentUrl, id },
    ...rest,
    assets,
    assets_required: assets.filter(({ required }) => required),
    supported_macros: supported_macros ?? listFormatMacros(rest.type),
    output_format_ids: output_format_ids ? output_format_ids.map(owned) : undefined,
    input_format_ids: input_format_ids ? input_format_ids.map(owned) : undefined,
  };
}

function findClashes(drafts: readonly Draft[], house: ReadonlySet<string>): readonly ConfigProblem[] {
  const seen = new Set<string>();
  return drafts.flatMap(({ id, file }) => {
    const isTwice = seen.has(id);
    seen.add(id);
    if (!isTwice && !house.has(id)) return [];
    const conflict = house.has(id) ? 'comes with the server' : 'stands in two folders';
    const message = `the format "${id}" ${conflict}`;
    return [{ ...atStart(file), message, fix: 'Give the folder another name.' }];
  });
}

/** Outputs and inputs without an owner are formats of this catalog. */
function findStrayLinks({ file, json, content }: Draft, ids: ReadonlySet<string>): readonly ConfigProblem[] {
  return (['output_format_ids', 'input_format_ids'] as const).flatMap((field) =>
    (content[field] ?? []).flatMap((ref, index) => {
      if (typeof ref !== 'string' || ids.has(ref)) return [];
      const path = [field, index];
      const fix = 'Name a format of this agent, or write {"agent_url", "id"} for one of another.';
      const message = `there is no format "${ref}"`;
      return [{ file, ...json.positionOf(path), pointer: pointerTo(path), message, fix }];
    }),
  );
}

function brokenTemplate({ file, content, template = '' }: Draft): readonly ConfigProblem[] {
  const templateFile = path.join(path.dirname(file), TEMPLATE_FILE);
  return templateFaults(template, content.assets).map(({ at, message, fix }) => {
    const before = template.slice(0, at).split('\n');
    const position = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
    return { file: templateFile, ...position, pointer: '', message, fix };
  });
}

/** What to do about a fault, by its kind. */
const FIXES: Readonly<Record<string, string>> = {
  unrecognized_keys: 'Take it out, or correct its spelling.',
  invalid_type: 'Give it a value of that type.',
  invalid_value: 'Use one of the values named.',
  invalid_union: 'Use one of the forms that the documentation shows.',
  too_small: 'Give it a larger value.',
  too_big: 'Give it a smaller value.',
};

function explainIssue(issue: z.core.$ZodIssue, file: string, json: JsonSource): readonly ConfigProblem[] {
  const segments = issue.path.filter((segment) => typeof segment !== 'symbol');
  const fix = FIXES[issue.code] ?? 'Correct the value.';
  if (issue.code !== 'unrecognized_keys') {
    return [{ file, ...json.positionOf(segments), pointer: pointerTo(segments), message: issue.message, fix }];
  }
  return issue.keys.map((key) => {
    const at = [...segments, key];
    return { file, ...json.positionOf(at), pointer: pointerTo(at), message: `there is no property "${key}" here`, fix };
  });
}

/** Reads JSON of a file; the message of a syntax error names the place and works out no line. */
async function readPlainJson(file: string): Promise<JsonSource> {
  const positionOf = (): FilePosition => ({ line: 1 });
  const failed = (line: number, message: string, fix: string): JsonSource => {
    return { value: undefined, problems: [{ file, line, pointer: '', message, fix }], positionOf };
  };
  const text = await readFile(file, 'utf8').catch((cause: unknown) => new Error(describeCause(cause)));
  if (text instanceof Error) {
    return failed(
      0,
      `the file cannot be read: ${text.message}`,
      `A format needs a ${FORMAT_FILE} that the server may read.`,
    );
  }
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')), problems: [], positionOf };
  } catch (cause) {
    return failed(1, `not valid JSON: ${describeCause(cause)}`, 'Correct the text there.');
  }
}

function atStart(file: string): { readonly file: string; readonly line: number; readonly pointer: string } {
  return { file, line: 1, pointer: '' };
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
