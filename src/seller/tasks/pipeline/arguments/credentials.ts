import { isObject } from '../../../../platform/kernel/json/json.js';
import { TaskError } from '../../../../protocol/errors.js';

/** Members of any object whose text only somebody who sends a secret would send. */
const SECRETS =
  /^(?:api_?key|(?:.+_)?access_token|bearer(?:_token)?|client_secret|authorization|password|private_key)$/i;
/** Members by which somebody would have its own keys trusted. */
const TRUST = /^jwks?(?:_uri)?$/i;
/** Most values that are looked at, those of the upper levels first: what is to be read is there, and long lists are no hiding place for it. */
const MAX_VALUES = 2000;

/** Refuses credentials and keys within a value of a request at a path, empty for the request itself. Throws CREDENTIAL_IN_ARGS with the member, never what it holds. */
export function checkCredentials(value: object, path: string): void {
  const left: { readonly path: string; readonly value: object }[] = [{ path, value }];
  let visited = 0;
  for (const one of left) {
    for (const [name, member] of Object.entries(one.value)) {
      visited += 1;
      if (visited > MAX_VALUES) return;
      const isSecret = typeof member === 'string' && member !== '' && SECRETS.test(name);
      if (isSecret || TRUST.test(name)) throw inArguments(memberPath(one, name));
      if (isObject(member) || Array.isArray(member)) left.push({ path: memberPath(one, name), value: member });
    }
  }
}

function memberPath({ path, value }: { readonly path: string; readonly value: object }, name: string): string {
  if (Array.isArray(value)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function inArguments(field: string): TaskError {
  return new TaskError('CREDENTIAL_IN_ARGS', 'Credentials and keys are no part of a request.', {
    field,
    suggestion: 'Take it out, and change the secret: whatever carried this request may have kept it.',
  });
}
