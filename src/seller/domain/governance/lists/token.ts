/** How the token of a list begins: no credential of a principal does. */
export const LIST_TOKEN_PREFIX = 'list_';

const TOKEN = /^list_[\w-]{16,128}$/;

/** Whether a credential has the form of a list's token. */
export function isListToken(credential: string): boolean {
  return TOKEN.test(credential);
}
