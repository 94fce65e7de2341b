import { join } from 'node:path';
import { ConfigError, type ConfigProblem } from '../../platform/kernel/errors.js';
import { isThere } from '../../platform/kernel/files/whole-file.js';
import type { ConfiguredPublisher } from '../../registry/publish/types.js';
import { withoutRemarks } from './build.js';
import { isDraft, type Report } from './draft.js';
import { type JsonFile, problemAt, readJsonFile } from './json-file.js';
import { judgeJson, mergeProblems } from './judge-json.js';
import { checkPublishers } from './rules/publishers.js';
import { publishersJsonSchema, publishersSchema } from './schema/publishers.js';
import { PUBLISHERS_FILE } from './tenant-files.js';

/** The content of the file of publishers: the valid ones, the problems, and the position of each. */
export type PublishersInspection = {
  readonly publishers: readonly ConfiguredPublisher[];
  readonly problems: readonly ConfigProblem[];
  /** Returns a problem at a path of the file; `path` begins below `publishers`. */
  readonly problemAt: (path: readonly (string | number)[], message: string, fix: string) => ConfigProblem;
};

/** Returns the publishers of a tenant folder; none without the file. Throws one ConfigError with every problem of it. */
export async function loadPublishers(directory: string): Promise<readonly ConfiguredPublisher[]> {
  const { problems, publishers } = await inspectPublishers(directory);
  if (problems.length > 0) throw new ConfigError(problems);
  return publishers;
}

/** Reads the file of the publishers without stopping at a fault. */
export async function inspectPublishers(directory: string): Promise<PublishersInspection> {
  const file = join(directory, PUBLISHERS_FILE);
  const json = (await isThere(file)) ? await readJsonFile(file) : undefined;
  if (json === undefined) return { publishers: [], problems: [], problemAt: problemMaker(undefined, file) };
  const inspected = json.tree === undefined ? { publishers: [], problems: json.problems } : judgePublishers(json);
  return { ...inspected, problemAt: problemMaker(json, file) };
}

function judgePublishers(json: JsonFile): Pick<PublishersInspection, 'publishers' | 'problems'> {
  const judged = judgeJson(json, { schema: publishersSchema, publish: publishersJsonSchema });
  const { meant, parsed } = judged;
  const ruleProblems: ConfigProblem[] = [];
  const report: Report = (path, message, fix) => ruleProblems.push(problemAt(meant, path, message, fix));
  if (isDraft(meant.value)) checkPublishers(meant.value, report);
  const problems = mergeProblems(judged, ruleProblems);
  const isSound = parsed.success && problems.length === 0;
  return {
    publishers: isSound ? withoutRemarks(parsed.data.publishers) : [],
    problems,
  };
}

function problemMaker(json: JsonFile | undefined, file: string): PublishersInspection['problemAt'] {
  return (path, message, fix) => {
    const at = ['publishers', ...path];
    if (json === undefined) return { file, line: 0, pointer: '', message, fix };
    return problemAt(json, at, message, fix);
  };
}
