import type { Settings } from '../seller/config/settings.js';
import { callForOperator, type OperatorCall } from '../seller/http/operator/operations.js';
import { asOperator } from './operator.js';

/** Calls a task as the operator: through the running server when one holds the data folder, else on the store itself. */
export function callAsOperator(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  call: OperatorCall,
): Promise<object> {
  return asOperator(settings, env, { path: '/call', body: call }, ({ app, limits }) =>
    callForOperator(app, limits, call),
  );
}
