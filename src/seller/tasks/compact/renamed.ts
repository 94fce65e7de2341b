import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';

/** The beginnings of fields as another task names them, and what they are called here; the first that fits counts. */
type Names = readonly (readonly [from: RegExp, to: string])[];

/** Returns what `run` returns. What it throws names the fields of this task's request in place of the other's. */
export async function withFieldNames<Result>(names: Names, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    const error = taskErrorOrThrow(cause);
    const { field } = error.extras;
    const renaming = field === undefined ? undefined : names.find(([from]) => from.test(field));
    if (field === undefined || renaming === undefined) throw error;
    throw new TaskError(error.code, error.message, {
      ...error.extras,
      field: field.replace(...renaming),
      issues: undefined,
    });
  }
}
