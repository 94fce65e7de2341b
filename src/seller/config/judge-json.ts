import type { z } from 'zod';
import type { ConfigProblem } from '../../platform/kernel/errors.js';
import { explainIssues, findMisspelledKeys, type JsonSchema } from './explain.js';
import { type JsonFile, pointerOf, renameKey } from './json-file.js';

/** The two forms of one schema: the one that judges, and how the published one is made, whose descriptions explain what is wrong. */
type JudgedBy<Schema extends z.ZodType> = { readonly schema: Schema; readonly publish: () => JsonSchema };

/** A JSON document that a schema has judged. */
type JudgedJson<Schema extends z.ZodType> = {
  /** The document with the misspelled keys as they were meant, at the positions of the text. */
  readonly meant: JsonFile;
  readonly parsed: z.ZodSafeParseResult<z.infer<Schema>>;
  /** Every problem of the text, its keys and its values. */
  readonly problems: readonly ConfigProblem[];
  /** The pointers of the misspelled keys as they were meant. */
  readonly guessed: ReadonlySet<string>;
};

/** Most rounds of reading misspelled keys as meant: a round for each level that has some. */
const MAX_ROUNDS = 20;

/** Judges a JSON document by a schema. A misspelled key is reported and read as the one it means, so that nothing else seems missing. */
export function judgeJson<Schema extends z.ZodType>(
  json: JsonFile,
  { publish, schema }: JudgedBy<Schema>,
): JudgedJson<Schema> {
  const problems: ConfigProblem[] = [...json.problems];
  const guessed = new Set<string>();
  let meant = json;
  let parsed = schema.safeParse(meant.value);
  // Making the published form takes longer than all the rest, and nothing of a faultless file is explained.
  if (parsed.success) return { meant, parsed, guessed, problems: mergeProblems({ problems, guessed }, []) };
  const published = publish();
  for (let round = 0; round < MAX_ROUNDS && !parsed.success; round += 1) {
    const misspelled = findMisspelledKeys(meant, parsed.error.issues, published);
    if (misspelled.length === 0) break;
    for (const { path, means, problem } of misspelled) {
      problems.push(problem);
      guessed.add(pointerOf([...path.slice(0, -1), means]));
      meant = renameKey(meant, path, means);
    }
    parsed = schema.safeParse(meant.value);
  }
  const schemaProblems = explainIssues(meant, parsed.error?.issues ?? [], published);
  return { meant, parsed, guessed, problems: mergeProblems({ problems, guessed }, schemaProblems) };
}

/** Returns the problems of a document with others that were found in it, in the order of its text; a misspelled key is one problem. */
export function mergeProblems(
  { problems, guessed }: Pick<JudgedJson<z.ZodType>, 'problems' | 'guessed'>,
  found: readonly ConfigProblem[],
): readonly ConfigProblem[] {
  return [...problems, ...found.filter(({ pointer }) => !guessed.has(pointer))].toSorted(
    (one, other) => one.line - other.line || (one.column ?? 0) - (other.column ?? 0),
  );
}
