import { isObject } from '../../platform/kernel/json/json.js';

/** One fault of a request in parts, of which each surface writes its own sentence. */
export type RequestIssue = {
  /** An RFC 6901 pointer into the body, or the name of the parameter; empty for the whole. */
  readonly field: string;
  /** What is wrong there, to be read behind its name. */
  readonly message: string;
  /** The next step, where there is a better one than to correct it. */
  readonly suggestion?: string | undefined;
};

/** Returns the first fault of a request that a refusal names, in the details of its error or in its body. */
export function readIssue({ issues }: Readonly<Record<string, unknown>>): RequestIssue | undefined {
  const [first]: readonly unknown[] = Array.isArray(issues) ? issues : [];
  if (!isObject(first) || typeof first.field !== 'string' || typeof first.message !== 'string') return undefined;
  const { field, message, suggestion } = first;
  return { field, message, suggestion: typeof suggestion === 'string' ? suggestion : undefined };
}

/** Returns the name of the member of a body that a fault is in. */
export function memberOf({ field }: RequestIssue): string {
  return field.split('/')[1] ?? field;
}
