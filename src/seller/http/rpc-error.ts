import { type Written, writeOnce } from '../../platform/kernel/json/json.js';
import type { Answer } from '../tasks/pipeline/receive.js';

/** Codes of JSON-RPC for failures that are not of the parameters. */
const CODES: Readonly<Record<string, number>> = {
  RATE_LIMITED: -32000,
  UNAUTHORIZED: -32000,
  SERVICE_UNAVAILABLE: -32603,
};
const INVALID_PARAMS = -32602;

type RpcError = { readonly code: number; readonly message: string; readonly data: Written };

/** Returns a failed answer as the error of a JSON-RPC message, the whole answer its data: where clients look for the error object. */
export function rpcErrorOf({ payload }: Answer): RpcError {
  const data = writeOnce(payload);
  const { code = '', message = '' } = JSON.parse(data.plain) as { readonly code?: string; readonly message?: string };
  return { code: CODES[code] ?? INVALID_PARAMS, message, data };
}
