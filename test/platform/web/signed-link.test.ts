import { describe, expect, it } from 'vitest';
import { createSignedLinks } from '../../../src/platform/web/signed-link.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const links = createSignedLinks('approval', () => 'a secret');

describe('a signed link', () => {
  it('says what it was made for until it expires', () => {
    const token = links.write('task-task_1', NOW + 1000);
    expect(token).toMatch(/^[\w.-]+$/);
    expect(links.read(token, NOW)).toEqual({ subject: 'task-task_1', isExpired: false });
    expect(links.read(token, NOW + 999)).toEqual({ subject: 'task-task_1', isExpired: false });
    expect(links.read(token, NOW + 1000)).toEqual({ subject: 'task-task_1', isExpired: true });
  });

  it('is none with any character changed, taken away or added', () => {
    const token = links.write('task-task_1', NOW + 1000);
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(links.read(`${token.slice(0, at)}${other}${token.slice(at + 1)}`, NOW)).toBeUndefined();
      expect(links.read(token.slice(0, at), NOW)).toBeUndefined();
      expect(links.read(`${token.slice(0, at)}A${token.slice(at)}`, NOW)).toBeUndefined();
    }
  });

  it('is none with another secret, for another purpose, or with another link’s signature', () => {
    const token = links.write('task-task_1', NOW + 1000);
    expect(createSignedLinks('approval', () => 'another').read(token, NOW)).toBeUndefined();
    expect(createSignedLinks('preview', () => 'a secret').read(token, NOW)).toBeUndefined();
    const [, signature] = token.split('.');
    const [content] = links.write('task-task_2', NOW + 1000).split('.');
    expect(links.read(`${content}.${signature}`, NOW)).toBeUndefined();
  });

  it.each(['', '.', 'a.b', `${'a'.repeat(5000)}.${'b'.repeat(43)}`, '../../etc/passwd'])('%j is none', (token) => {
    expect(links.read(token, NOW)).toBeUndefined();
  });

  it('asks for its secret once, and not before it is needed', () => {
    let asked = 0;
    const lazy = createSignedLinks('approval', () => {
      asked += 1;
      return 'a secret';
    });
    expect(asked).toBe(0);
    expect(lazy.read(lazy.write('x', NOW + 1), NOW)).toEqual({ subject: 'x', isExpired: false });
    expect(asked).toBe(1);
  });
});
