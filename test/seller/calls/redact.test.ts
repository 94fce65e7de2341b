import { describe, expect, it } from 'vitest';
import { redact } from '../../../src/seller/calls/redact.js';

describe('what a person of the seller reads of arguments', () => {
  it('has no secrets and names no persons, however deep', () => {
    const members = [{ hashed_email: 'a'.repeat(64), uids: [{ type: 'maid', value: 'm' }], external_id: 'e' }];
    const authentication = { credentials: 'secret' };
    expect(redact({ add: members, config: [{ authentication, token: 't', access_token: 'u' }], n: 1 })).toEqual({
      add: [{ hashed_email: '[redacted]', uids: '[redacted]', external_id: 'e' }],
      config: [{ authentication: '[redacted]', token: '[redacted]', access_token: '[redacted]' }],
      n: 1,
    });
  });

  it('shows addresses without their user and their query', () => {
    expect(redact('at https://me:pw@host.example/a?key=1#f and http://b.example/')).toBe(
      'at https://[redacted]@host.example/a?[redacted]#f and http://b.example/',
    );
  });

  it('is cut where it is long, wide or deep', () => {
    const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown;
    expect(JSON.stringify(redact(deep))).toContain('[cut]');
    expect(redact(Array.from({ length: 60 }, () => 1))).toEqual([...Array.from({ length: 50 }, () => 1), '[10 more]']);
    expect(redact('x'.repeat(5000))).toHaveLength(1001);
  });
});
