import { onTestFinished, TestRunner } from 'vitest';

const actions: (() => unknown)[] = [];

/**
 * Does something when what was opened is used no more, before what was asked for earlier: when the test that opens it has ended, or the
 * test file for what is opened outside of a test. A server that is left open goes on polling its database.
 */
export function afterUse(action: () => unknown): void {
  const test = TestRunner.getCurrentTest();
  // Of tests that run beside one another it is not known which one asks.
  if (test === undefined || test.concurrent === true) afterFile(action);
  else onTestFinished(async () => void (await action()));
}

/** Does something when the test file has ended: for what one test opens and the next one goes on with. */
export function afterFile(action: () => unknown): void {
  actions.push(action);
}

/** Does all that was asked for at the end of the file. */
export async function endFile(): Promise<void> {
  for (let action = actions.pop(); action !== undefined; action = actions.pop()) await action();
}
