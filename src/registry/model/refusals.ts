/** The next step of a body that breaks its schema; where it is no request that people send, `inWordsOfForms` puts another in its place. */
export const CORRECT_THE_BODY = 'Correct the body and send it again; the API page lists it.';

/** Returns a refusal of a body for who filled in a form or a command: without its pointer, and with a next step of theirs. */
export function inWordsOfForms(text: string, step: string): string {
  return text
    .replace(/^\/(\w+)(?:\/\d+)?: /, '$1: ')
    .replace(CORRECT_THE_BODY, step)
    .trim();
}
