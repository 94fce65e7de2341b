import { z } from 'zod';
import type { Payload } from '../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import type { Account } from '../../domain/account/account.js';
import type { Task } from '../../domain/task/task.js';
import type { Writer } from '../../store/store.js';
import { readArguments } from '../../tasks/pipeline/arguments/read-arguments.js';
import type { Tool } from '../../tasks/pipeline/tool.js';

/** The context of a scenario of the test controller. */
export type ScenarioContext = {
  readonly app: App;
  readonly call: Call;
  readonly db: Writer;
  /** The account that the call names, where it is the caller's. */
  readonly account: Account | undefined;
  /** The task of this agent that goes by a name. */
  readonly findTool: (name: string) => Tool | undefined;
  /** Ends the task that the parameters name; there for the scenario that does. */
  readonly complete: ((tx: Writer) => Promise<Task>) | undefined;
};

/** One scenario, from its parameters as they came to what it answers beside `success`. Throws TaskErrors; what it wrote is undone then. */
export type Scenario = (context: ScenarioContext, params: unknown) => Promise<Payload>;

/** Returns a scenario with the schema of its parameters. */
export function scenario<Params>(
  schema: ParamsSchema<Params>,
  run: (context: ScenarioContext, params: Params) => Promise<Payload>,
): Scenario {
  return async (context, params) => run(context, readParams(schema, params));
}

/** The schema of a scenario's parameters: an object, whose members an error can name. */
type ParamsSchema<Params> = z.ZodType<Params> & { readonly shape: Readonly<Record<string, unknown>> };

/** Reads the parameters of a scenario. Throws INVALID_REQUEST with the first wrong field, as `params.status`. */
export function readParams<Params>(schema: ParamsSchema<Params>, params: unknown): Params {
  try {
    return readArguments(z.object({ params: schema }), { params: params ?? {} }, 'comply_test_controller').args.params;
  } catch (thrown) {
    const error = taskErrorOrThrow(thrown);
    const suggestion = `The scenario takes ${Object.keys(schema.shape).join(', ')}.`;
    throw new TaskError(error.code, `${error.message}.`, { ...error.extras, suggestion });
  }
}
