import { callAfter } from '../../platform/kernel/loop.js';
import { UnknownOutcomeError } from './errors.js';

/** Returns what a call of an ad server answers. Throws UnknownOutcomeError where that takes longer than `timeoutMs`. */
export function callWithin<T>(timeoutMs: number, call: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const calling = new AbortController();
  return new Promise((resolve, reject) => {
    const cancel = callAfter(timeoutMs, () => {
      const late = new UnknownOutcomeError(`The ad server did not answer within ${timeoutMs} ms.`);
      calling.abort(late);
      reject(late);
    });
    Promise.resolve()
      .then(() => call(calling.signal))
      .then(resolve, reject)
      .finally(cancel);
  });
}
