import { describe, expect, it } from 'vitest';
import { isUuid7, systemIds, uuidAfter } from '../../../src/platform/kernel/ids.js';

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

describe('uuidAfter', () => {
  it('sorts after the one before it, within a millisecond and when the clock is turned back', () => {
    let last: string | undefined;
    const made = [5, 5, 5, 9, 9, 2, 2, 10].flatMap((ms) =>
      Array.from({ length: 300 }, () => {
        last = uuidAfter(last, ms);
        return last;
      }),
    );
    expect(new Set(made).size).toBe(made.length);
    expect(made.toSorted()).toEqual(made);
    expect(made.every(isUuid7)).toBe(true);
  });

  it('goes on in the next millisecond when one is full', () => {
    const full = '00000000-0005-7fff-bfff-fcffffffffff';
    expect(uuidAfter(full, 1) > full).toBe(true);
    expect(uuidAfter(full, 1).slice(0, 13)).toBe('00000000-0006');
  });

  it('tells its own spelling from any other', () => {
    expect(
      ['', 'x', '00000000-0005-4fff-bfff-fcffffffffff', '00000000-0005-7FFF-bfff-fcffffffffff'].some(isUuid7),
    ).toBe(false);
  });
});
