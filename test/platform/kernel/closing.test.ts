import { expect, it } from 'vitest';
import { Closing } from '../../../src/platform/kernel/closing.js';

it('closes the last opened first, each before the next, and only once', async () => {
  const closed: string[] = [];
  const closing = new Closing();
  closing.add(() => closed.push('first'));
  closing.add(async () => {
    await Promise.resolve();
    closed.push('second');
  });
  await Promise.all([closing.close(), closing.close()]);
  expect(closed).toEqual(['second', 'first']);
});

it('closes the rest where one fails, and then throws the first failure', async () => {
  const closed: string[] = [];
  const closing = new Closing();
  closing.add(() => closed.push('first'));
  closing.add(() => Promise.reject(new Error('the disk is gone')));
  await expect(closing.close()).rejects.toThrow('the disk is gone');
  expect(closed).toEqual(['first']);
});
