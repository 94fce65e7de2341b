import { describe, expect, it } from 'vitest';
import { systemIds } from '../../src/kernel/ids.js';

describe('systemIds', () => {
  it('are unique, and later ones sort after earlier ones', () => {
    const ids = Array.from({ length: 2000 }, () => systemIds.next('mb'));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.every((id) => /^mb_[0-9a-f]{32}$/.test(id))).toBe(true);
  });

  it('UUIDs are of version 4 and no two are the same', () => {
    const uuids = Array.from({ length: 100 }, () => systemIds.uuid());
    expect(new Set(uuids).size).toBe(100);
    const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(uuids.every((uuid) => pattern.test(uuid))).toBe(true);
  });

  it('secrets are 32 bytes that no two share', () => {
    const secrets = Array.from({ length: 100 }, () => systemIds.secret());
    expect(new Set(secrets).size).toBe(100);
    expect(secrets.every((secret) => Buffer.from(secret, 'base64url').length === 32)).toBe(true);
  });
});
