import { describe, expect, it } from 'vitest';
import { ConfigError, describeProblem } from '../../../src/platform/kernel/errors.js';

describe('errors', () => {
  it('a ConfigError lists every problem with file, line, pointer and fix', () => {
    const problem = { file: 'sales.json', line: 12, pointer: '/products/0', message: 'is odd', fix: 'make it even' };
    expect(describeProblem(problem)).toBe('sales.json:12 /products/0: is odd\n    fix: make it even');
    expect(describeProblem({ ...problem, column: 5 })).toBe(
      'sales.json:12:5 /products/0: is odd\n    fix: make it even',
    );
    const { message } = new ConfigError([problem, { ...problem, line: 13, pointer: '' }]);
    expect(message).toContain('sales.json:12 /products/0: is odd');
    expect(message).toContain('sales.json:13: is odd');
  });
});
