import { onTestFinished } from 'vitest';
import { getCurrentTest } from 'vitest/suite';

const actions: (() => unknown)[] = [];

/**
 * Does something when what was opened is used no more, before what was asked for earlier: when the test that opens it has ended, or the
 * test file for what is opened outside of a test. A server that is left open goes on polling its database.
 */
export function afterUse(action: () => unknown): void {
  const test = getCurrentTest();
  // Of tests that run beside one another it is not known which one asks.
  if (test === undefined || test.concurrent === true) actions.push(action);
  else onTestFinished(async () => void (await action()));
}

/** Does all that was asked for outside of tests. */
export async function endFile(): Promise<void> {
  for (let action = actions.pop(); action !== undefined; action = actions.pop()) await action();
}
