import { z } from 'zod';
import type { Payload } from '../../../protocol/envelope.js';
import { catchTaskError, type ErrorCode, TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import type { Account } from '../../domain/account/account.js';
import type { Seller } from '../../domain/tenant/seller.js';
import type { Writer } from '../../store/store.js';
import { findAccount } from '../../tasks/pipeline/resolve-account.js';
import { type AccountArgument, accountRef, envelopeFields } from '../../tasks/pipeline/shapes.js';
import { mutation, type Tool } from '../../tasks/pipeline/tool.js';
import type { Scenario, ScenarioContext } from './action.js';
import { findScenario, listScenarios, type ScenarioName } from './scenarios.js';

const input = z.looseObject({
  scenario: z.string().min(1).max(100).describe('list_scenarios names them'),
  params: z.unknown().optional().meta({ type: 'object', unlisted: true }),
  account: accountRef.optional(),
  ...envelopeFields,
});

/** The controller's codes for refusals by the seller's own rules; everything else is INVALID_PARAMS. */
const CODES: Partial<Record<ErrorCode, string>> = {
  INVALID_STATE: 'INVALID_TRANSITION',
  NOT_CANCELLABLE: 'INVALID_TRANSITION',
  MEDIA_BUY_NOT_FOUND: 'NOT_FOUND',
  CREATIVE_NOT_FOUND: 'NOT_FOUND',
  ACCOUNT_NOT_FOUND: 'NOT_FOUND',
  PRODUCT_NOT_FOUND: 'NOT_FOUND',
  REFERENCE_NOT_FOUND: 'NOT_FOUND',
  UNSUPPORTED_FEATURE: 'UNKNOWN_SCENARIO',
  PERMISSION_DENIED: 'FORBIDDEN',
};

/** The result of the preparation outside the transaction, or why something could not be prepared; undefined for a live principal. */
type Prepared = {
  readonly handlers: Readonly<Record<ScenarioName, Scenario>>;
  readonly complete?: ScenarioContext['complete'] | TaskError;
};

/**
 * Returns the task comply_test_controller: it brings a sandbox into a state that a test needs, by the rules of the real thing. `findTool` finds a
 * task of the agent by its name.
 */
export function complyTestController(findTool: (seller: Seller, name: string) => Tool | undefined): Tool {
  return mutation({
    name: 'comply_test_controller',
    title: 'Arrange the sandbox',
    description:
      'Sandbox only. Forces states, simulates delivery and spend, seeds fixtures: {scenario: "list_scenarios"} names the scenarios.',
    kinds: ['sales', 'creative', 'signals', 'governance', 'brand'],
    sandboxOnly: true,
    keyOptional: true,
    input,
    prepare: async ({ app, call, args, db }): Promise<Prepared | undefined> => {
      if (call.principal?.sandbox !== true) return undefined;
      // A seller whose buyers never arrange anything never loads what does it.
      const { HANDLERS, readyToComplete } = await import('./handlers.js');
      if (args.scenario !== 'force_task_completion') return { handlers: HANDLERS };
      const complete = await catchTaskError(() => readyToComplete(app, call, db, args.params));
      return { handlers: HANDLERS, complete };
    },
    run: async ({ app, call, args, db, prepared }) => {
      if (prepared === undefined) return writeFailure(refuseLive());
      if (args.scenario === 'list_scenarios')
        return { success: true, scenarios: listScenarios(call.seller.tenant.kinds) };
      const find = (task: string) => findTool(call.seller, task);
      const outcome = await db.rehearse<Payload | TaskError>(
        () => catchTaskError(() => runScenario({ app, call, db, findTool: find }, args, prepared)),
        (answer) => !(answer instanceof TaskError),
      );
      return outcome instanceof TaskError ? writeFailure(outcome) : outcome;
    },
  });
}

/** Runs the scenario that a call names. Throws the refusal. */
async function runScenario(
  parts: Omit<ScenarioContext, 'account' | 'complete'>,
  args: z.output<typeof input>,
  { handlers, complete }: Prepared,
): Promise<Payload> {
  const { call, db } = parts;
  if (args.account?.sandbox === false) throw notSandbox();
  const name = findScenario(args.scenario, call.seller.tenant.kinds);
  if (name === undefined) throw unknownScenario();
  if (complete instanceof TaskError) throw complete;
  const account = await accountOf(call, args.account, db);
  return { success: true, ...(await handlers[name]({ ...parts, account, complete }, args.params)) };
}

/** Returns the account of a call, of which a caller may say no more than that it is a sandbox's. */
async function accountOf(call: Call, argument: AccountArgument | undefined, db: Writer): Promise<Account | undefined> {
  const isNamed =
    argument?.account_id !== undefined || (argument?.brand !== undefined && argument.operator !== undefined);
  return argument !== undefined && isNamed ? findAccount(call, argument, db) : undefined;
}

/** Returns a refusal as the controller says it: a plain answer with a plain code. */
function writeFailure({ code, message, extras }: TaskError): Payload {
  const { field, suggestion, details } = extras;
  return {
    success: false,
    error: CODES[code] ?? 'INVALID_PARAMS',
    error_detail: suggestion === undefined ? message : `${message} ${suggestion}`,
    field,
    current_state: details?.current_state,
  };
}

function refuseLive(): TaskError {
  return new TaskError('PERMISSION_DENIED', 'The things of this caller are real, and nothing of them is arranged.', {
    suggestion: 'Call with the key of a sandbox principal.',
  });
}

function notSandbox(): TaskError {
  return new TaskError('PERMISSION_DENIED', 'Only a sandbox account can be arranged.', {
    field: 'account.sandbox',
    suggestion: 'Name a sandbox account, or leave the account out.',
  });
}

function unknownScenario(): TaskError {
  return new TaskError('UNSUPPORTED_FEATURE', 'There is no such scenario.', {
    field: 'scenario',
    suggestion: 'Use one that list_scenarios names.',
  });
}
