import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyChange } from '../../../../src/registry/mirror/apply.js';
import { answerOf } from '../../../../src/registry/mirror/index/check.js';
import { readIndexFile, writeIndexFile } from '../../../../src/registry/mirror/index/index-file.js';
import { buildTables, type Tables } from '../../../../src/registry/mirror/index/tables.js';
import type { AuthorizationRecord, PropertyRecord } from '../../../../src/registry/model/records.js';
import { temporaryFolder } from '../../../kit/surroundings.js';
import { ridOf } from '../fake-registry.js';

const AGENT = 'https://sales.example/mcp';
const AT = Date.UTC(2026, 1, 1);

function property(number: number): PropertyRecord {
  return {
    property_rid: ridOf(number),
    publisher_domain: 'news.example',
    property_id: `p${number}`,
    property_type: 'mobile_app',
    name: `App ${number}`,
    classification: 'property',
    source: 'authoritative',
    identifiers: [{ type: 'ios_bundle', value: `app.${number}` }],
    tags: [],
    status: 'active',
  };
}

function row(number: number): AuthorizationRecord {
  return {
    id: ridOf(0x1000 + number),
    agent_url: AGENT,
    agent_url_canonical: AGENT,
    publisher_domain: 'news.example',
    authorization_type: 'property_ids',
    authorized_for: null,
    property_rid: ridOf(number),
    property_id_slug: null,
    evidence: 'adagents_json',
    disputed: false,
    created_by: null,
    expires_at: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  };
}

function filled(count: number): Tables {
  const tables = buildTables(42);
  const record = { domain: 'news.example', standing: 'open', adagents_valid: true } as const;
  applyChange(tables, { noun: 'publisher', id: 'news.example', record });
  for (let number = 0; number < count; number += 1) add(tables, number);
  return tables;
}

function add(tables: Tables, number: number): void {
  applyChange(tables, { noun: 'property', id: ridOf(number), record: property(number) });
  applyChange(tables, { noun: 'authorization', id: ridOf(0x1000 + number), record: row(number) });
}

function isYes(tables: Tables, number: number): boolean {
  return answerOf(tables, { agent: AGENT, property: { type: 'ios_bundle', value: `app.${number}` }, at: AT })
    .authorized;
}

async function written(count = 300): Promise<string> {
  const file = path.join(temporaryFolder('seller-agent-index-'), 'registry.idx');
  expect(await writeIndexFile(file, filled(count), 'cursor 1', () => true)).toBe(true);
  return file;
}

describe('the index file', () => {
  it('answers as what was written, and goes on from there', async () => {
    const tables = await readIndexFile(await written(), 'cursor 1');
    if (tables === undefined) throw new Error('the file was not read');
    expect([0, 299, 300].map((number) => isYes(tables, number))).toEqual([true, true, false]);
    for (let number = 300; number < 900; number += 1) add(tables, number);
    applyChange(tables, { noun: 'authorization', id: ridOf(0x1000), record: undefined });
    expect([0, 1, 299, 300, 899, 900].map((number) => isYes(tables, number))).toEqual([
      ...[false, true, true, true, true, false],
    ]);
  });

  it('is worth nothing beside rows that stand elsewhere, or when it is not there', async () => {
    expect(await readIndexFile(await written(), 'cursor 2')).toBeUndefined();
    expect(await readIndexFile('/nowhere/registry.idx', 'cursor 1')).toBeUndefined();
  });

  it('is worth nothing when a single bit of it has turned, wherever, or its end is missing', async () => {
    const file = await written(20);
    const bytes = readFileSync(file);
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 97)) {
      const spoiled = Buffer.from(bytes);
      spoiled.writeUInt8(spoiled.readUInt8(at) ^ 4, at);
      writeFileSync(file, spoiled);
      expect(await readIndexFile(file, 'cursor 1'), `byte ${at}`).toBeUndefined();
    }
    writeFileSync(file, bytes);
    truncateSync(file, bytes.length - 8);
    expect(await readIndexFile(file, 'cursor 1')).toBeUndefined();
    truncateSync(file, 3);
    expect(await readIndexFile(file, 'cursor 1')).toBeUndefined();
  });

  it('does not take its place when the tables move while it is written', async () => {
    const file = await written();
    const before = readFileSync(file);
    let asked = 0;
    const isCurrent = (): boolean => {
      asked += 1;
      return asked < 5;
    };
    expect(await writeIndexFile(file, filled(400), 'cursor 2', isCurrent)).toBe(false);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
