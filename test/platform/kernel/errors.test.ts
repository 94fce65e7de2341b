import { describe, expect, it } from 'vitest';
import { ConfigError, describeProblem, ERROR_CODES, TaskError } from '../../../src/platform/kernel/errors.js';

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

  it('a ConfigError lists every problem with file, line, pointer and fix', () => {
    const problem = { file: 'sales.json', line: 12, pointer: '/products/0', message: 'is odd', fix: 'make it even' };
    expect(describeProblem(problem)).toBe('sales.json:12 /products/0: is odd\n    fix: make it even');
    const { message } = new ConfigError([problem, { ...problem, line: 13, pointer: '' }]);
    expect(message).toContain('sales.json:12 /products/0: is odd');
    expect(message).toContain('sales.json:13: is odd');
  });
});
