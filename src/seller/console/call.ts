import { isObject } from '../../platform/kernel/json/json.js';
import { TaskError } from '../../protocol/errors.js';
import { callForOperator, type OperatorCall } from '../http/operator/operations.js';
import type { Visit } from './visit.js';

/** Calls a task as a buyer would and returns its answer. Throws INVALID_STATE with what it is refused for. */
export async function callInName(
  { app, limits }: Pick<Visit, 'app' | 'limits'>,
  call: OperatorCall,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await callForOperator(app, limits, call);
  const refused = Array.isArray(answer.errors) ? answer.errors.find(isObject) : undefined;
  if (refused === undefined) return answer;
  if (refused.code === 'CONFLICT')
    throw new TaskError('CONFLICT', 'Somebody changed it meanwhile, so nothing was done.', {
      suggestion: 'This is how it is now: look whether it still has to be done.',
    });
  const suggestion = typeof refused.suggestion === 'string' ? refused.suggestion : undefined;
  throw new TaskError('INVALID_STATE', String(refused.message ?? 'The call was refused.'), { suggestion });
}
