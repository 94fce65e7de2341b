import { systemIds } from '../platform/kernel/ids.js';
import type { Environment } from '../seller/config/draft.js';
import type { Settings } from '../seller/config/settings.js';
import { callForOperator, type OperatorCall } from '../seller/http/operator/operations.js';
import type { CommandContext, CommandResult } from './command.js';
import { asOperator, findBaseUrl, OperatorError } from './operator.js';

/** How a call goes to the server: as the operator, or as a principal over A2A. */
export type CallFlags = {
  readonly principal?: string;
  readonly protocol?: string;
  readonly key?: string;
};

type Surroundings = Pick<CommandContext, 'env' | 'err' | 'readInput'> & { readonly settings: Settings };

/** Calls a task by the protocol that the flags name; the result is its answer as JSON, ok where it is no error. */
export async function callTask(
  surroundings: Surroundings,
  call: OperatorCall,
  flags: CallFlags,
): Promise<CommandResult> {
  const { env, settings } = surroundings;
  if (flags.protocol === 'a2a') return showAnswer(await callAsBuyer(surroundings, call, flags.key));
  if (flags.protocol !== undefined && flags.protocol !== 'mcp')
    throw new OperatorError(`There is no protocol "${flags.protocol}". Protocols: mcp, a2a.`);
  const answer = await callAsOperator(settings, env, call);
  return showAnswer({ ok: !('errors' in answer && 'code' in answer), answer });
}

/** Calls a task as the operator: through the running server when one holds the data folder, else on the store itself. */
function callAsOperator(settings: Settings, env: Environment, call: OperatorCall): Promise<object> {
  return asOperator(settings, env, { path: '/call', body: call }, ({ app, limits }) =>
    callForOperator(app, limits, call),
  );
}

/** Calls a task over A2A as its principal would, at the running server. */
async function callAsBuyer(
  { env, err, readInput, settings }: Surroundings,
  call: OperatorCall,
  given: string | undefined,
) {
  const [{ callOverA2a }, { findPrincipalKey }] = await Promise.all([
    import('./a2a/call-over-a2a.js'),
    import('./a2a/principal-key.js'),
  ]);
  const { arguments: input, tenant, tool } = call;
  const key = given === '-' ? await readInput() : (given ?? (await findPrincipalKey(settings, env, call)));
  const baseUrl = await findBaseUrl(settings);
  return callOverA2a({ baseUrl, tenant, skill: tool, input, key, messageId: systemIds.uuid(), onStatus: err });
}

function showAnswer({ answer, ok }: { readonly answer: object; readonly ok: boolean }): CommandResult {
  return { ok, text: JSON.stringify(answer, null, 2) };
}
