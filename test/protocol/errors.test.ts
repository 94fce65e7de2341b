import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/platform/kernel/errors.js';
import { asTaskError, ERROR_CODES, TaskError, taskErrorOrThrow } from '../../src/protocol/errors.js';

describe('the table of error codes', () => {
  it.each(Object.entries(ERROR_CODES))('%s has a recovery and a status that fit', (code, { recovery, status }) => {
    expect(code).toMatch(/^[A-Z][A-Z_]{1,63}$/);
    expect(['transient', 'correctable', 'terminal']).toContain(recovery);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    if (code.endsWith('_NOT_FOUND')) expect(status).toBe(404);
    if (status === 429 || status === 503) expect(recovery).toBe('transient');
  });
});

describe('errors', () => {
  it('a TaskError is an Error with its code and extras', () => {
    const error = new TaskError('BUDGET_TOO_LOW', 'too little', { field: 'a.b' });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'TaskError',
      code: 'BUDGET_TOO_LOW',
      message: 'too little',
      extras: { field: 'a.b' },
    });
    expect(new TaskError('CONFLICT', 'x').extras).toEqual({});
  });

  it('an InputError is answered as the TaskError of its code, and anything else is thrown on', () => {
    const known = asTaskError(new InputError('REFERENCE_NOT_FOUND', 'no such key', { field: 'kid' }));
    expect(known).toMatchObject({
      name: 'TaskError',
      code: 'REFERENCE_NOT_FOUND',
      message: 'no such key',
      extras: { field: 'kid' },
    });
    const other = new Error('x');
    expect(asTaskError(other)).toBeUndefined();
    expect(() => taskErrorOrThrow(other)).toThrow(other);
  });
});
