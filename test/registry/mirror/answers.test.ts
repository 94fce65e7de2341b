import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/registry/mirror/lookup/answer.js';
import type { AuthorizationRecord, RecordChange } from '../../../src/registry/model/records.js';
import { grantOf, openIndexed } from './indexed.js';

const PUBLISHER = 'news.example';
const AGENT = 'https://sales.example/mcp';
const FROM = Date.UTC(2026, 1, 1);
const UNTIL = Date.UTC(2026, 2, 1);

const publisher: RecordChange = {
  noun: 'publisher',
  id: PUBLISHER,
  record: { domain: PUBLISHER, standing: 'open', adagents_valid: true, property_count: 1, agent_count: 1 },
};

const property: RecordChange = {
  noun: 'property',
  id: 'rid',
  record: {
    property_rid: 'rid',
    publisher_domain: PUBLISHER,
    property_id: 'app',
    property_type: 'mobile_app',
    name: 'App',
    classification: 'property',
    source: 'authoritative',
    identifiers: [{ type: 'bundle_id', value: 'com.news' }],
    tags: [],
    status: 'active',
  },
};

const grant = (rest: Partial<AuthorizationRecord> = {}): RecordChange =>
  grantOf(PUBLISHER, { agent_url: AGENT, ...rest, id: 'grant' });

describe('an answer that was given before', async () => {
  const { clear, index, store, write } = await openIndexed();
  const ask = (at: number, more: { readonly country?: string; readonly strict?: boolean } = {}): Answer =>
    index.isAuthorized({ agent: AGENT, property: { type: 'bundle_id', value: 'com.news' }, at, ...more });
  const isRecalled = (at: number): boolean =>
    index.recall({ agent: AGENT, property: { type: 'bundle_id', value: 'com.news' }, at }) !== undefined;

  beforeEach(clear);

  it('holds until an entry begins or ends, and for the time that it was asked for', async () => {
    const effective = { effective_from: '2026-02-01T00:00:00Z', effective_until: '2026-03-01T00:00:00Z' };
    await write([publisher, property, grant(effective)]);
    for (const [at, reason, isYes] of [
      [FROM - 1, 'not_yet_effective', false],
      [FROM, 'operator_unknown', true],
      [UNTIL - 1, 'operator_unknown', true],
      [UNTIL, 'expired', false],
      [FROM, 'operator_unknown', true],
      [FROM - 1, 'not_yet_effective', false],
    ] as const) {
      expect(ask(at), String(at)).toMatchObject({ authorized: isYes, reason });
      expect(isRecalled(at)).toBe(true);
    }
    expect(isRecalled(UNTIL)).toBe(false);
  });

  it('is forgotten when the publisher, another one or the brand of an operator changes, and stays when a transaction is undone', async () => {
    await write([publisher, property, grant()]);
    expect(ask(FROM)).toMatchObject({ authorized: true });
    await expect(
      store.transact(async (tx) => {
        await tx.authorization.remove('grant');
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(isRecalled(FROM)).toBe(true);
    await write([{ ...grant(), record: undefined } as RecordChange]);
    expect(ask(FROM)).toMatchObject({ authorized: false, reason: 'agent_not_listed' });
    const claimed = { ...property.record, property_rid: 'rid2', publisher_domain: 'other.example' };
    await write([grant()]);
    expect(ask(FROM)).toMatchObject({ authorized: true });
    await write([{ noun: 'property', id: 'rid2', record: claimed } as RecordChange]);
    expect(ask(FROM)).toMatchObject({ authorized: false, reason: 'property_ambiguous' });
    await write([{ noun: 'property', id: 'rid2', record: undefined }]);
    expect(ask(FROM)).toMatchObject({ authorized: true });
    const brand_json = {
      house: { domain: 'sales.example', name: 'Sales' },
      brands: [{ id: 'sales', names: [{ en: 'Sales' }], properties: [] }],
    };
    const brand = {
      domain: 'sales.example',
      canonical_id: 'sales.example',
      canonical_domain: 'sales.example',
      brand_name: 'Sales',
      source: 'brand_json',
      brand_json,
    };
    const other = { ...brand, domain: 'shoes.example', canonical_id: 'shoes.example' };
    await write([{ noun: 'brand', id: 'shoes.example', record: other } as RecordChange]);
    expect(isRecalled(FROM)).toBe(true);
    await write([{ noun: 'brand', id: 'sales.example', record: brand } as RecordChange]);
    expect(isRecalled(FROM)).toBe(false);
    expect(ask(FROM)).toMatchObject({ reason: 'operator_silent' });
  });

  it('holds for who has it exactly as long as it is recalled', async () => {
    await write([publisher, property, grant({ effective_until: '2026-03-01T00:00:00Z' })]);
    const asked = { agent: AGENT, property: { type: 'bundle_id', value: 'com.news' }, at: FROM } as const;
    const held = index.answer(asked);
    expect([FROM, UNTIL - 1, UNTIL].map((at) => index.holds(held, AGENT, at))).toEqual([true, true, false]);
    expect(index.holds(held, 'https://other.example/mcp', FROM)).toBe(false);
    await write([{ ...grant(), record: undefined } as RecordChange]);
    expect(index.holds(held, AGENT, FROM)).toBe(false);
    expect(index.holds(index.answer(asked), AGENT, FROM)).toBe(true);
  });

  it('is one of the same question', async () => {
    await write([publisher, property, grant({ countries: ['DE'] })]);
    expect(ask(FROM, { country: 'DE' })).toMatchObject({ authorized: true });
    expect(ask(FROM, { country: 'FR' })).toMatchObject({ authorized: false });
    expect(ask(FROM, { country: 'DE', strict: true })).toMatchObject({ authorized: false });
    expect(ask(FROM, { country: 'DE' })).toMatchObject({ authorized: true });
  });
});
