import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { CountTables } from '../schema/counts.js';
import type { LookupTables } from '../schema/lookups.js';
import type { RegistryTables } from '../schema/schema.js';

type Edition = { edition: number };
type PropertyRow = LookupTables['lookup_property'];
/** A property before it is written anew. */
type StoredProperty = Pick<PropertyRow, 'id' | 'publisher' | 'type' | 'identifiers'>;
type GrantRow = LookupTables['lookup_grant'];

/** The tables whose rows belong to an edition, and go with it. */
export const EDITION_TABLES = [
  'lookup_identifier',
  'lookup_grant',
  'lookup_property',
  'lookup_property_type',
  'lookup_publisher',
  'lookup_agent',
  'lookup_term',
] as const;

/** Returns the statements that write what authorizations are looked up in. */
export function lookupWriteStatements(db: Builder<RegistryTables>) {
  return { ...editionStatements(db), ...nameStatements(db), ...propertyStatements(db), ...grantStatements(db) };
}

function editionStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    live: prepare<object, Edition>((q) => q.selectFrom('lookup_edition').select('edition').where('is_live', '=', 1)),
    editions: prepare<object, Edition>((q) => q.selectFrom('lookup_edition').select('edition')),
    addEdition: prepare<Edition>((q, slot) =>
      q.insertInto('lookup_edition').values({
        edition: slot('edition'),
        is_live: 0,
        publishers: 0,
        properties: 0,
        identifiers: 0,
        authorizations: 0,
        agents: 0,
      }),
    ),
    goLive: prepare<Edition>((q, slot) =>
      q.updateTable('lookup_edition').set((e) => ({
        is_live: e.case().when('edition', '=', slot('edition')).then(1).else(0).end(),
      })),
    ),
    dropEdition: prepare<Edition>((q, slot) =>
      q.deleteFrom('lookup_edition').where('edition', '=', slot('edition')).where('is_live', '=', 0),
    ),
    count: prepare<LookupTables['lookup_edition']>((q, slot) =>
      q
        .updateTable('lookup_edition')
        .set((e) => ({
          publishers: e('publishers', '+', slot('publishers')),
          properties: e('properties', '+', slot('properties')),
          identifiers: e('identifiers', '+', slot('identifiers')),
          authorizations: e('authorizations', '+', slot('authorizations')),
          agents: e('agents', '+', slot('agents')),
        }))
        .where('edition', '=', slot('edition')),
    ),
    countType: prepare<CountTables['lookup_property_type']>((q, slot) =>
      q
        .insertInto('lookup_property_type')
        .values(slot.each('edition', 'type', 'properties'))
        .onConflict((c) =>
          c.columns(['edition', 'type']).doUpdateSet((e) => ({
            properties: e('lookup_property_type.properties', '+', e.ref('excluded.properties')),
          })),
        ),
    ),
    dropType: prepare<Edition & { type: string }>((q, slot) =>
      q
        .deleteFrom('lookup_property_type')
        .where('edition', '=', slot('edition'))
        .where('type', '=', slot('type'))
        .where('properties', '=', 0),
    ),
  };
}

function nameStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    publisher: prepare<Edition & { domain: string }, { id: number }>((q, slot) =>
      q
        .selectFrom('lookup_publisher')
        .select('id')
        .where('edition', '=', slot('edition'))
        .where('domain', '=', slot('domain')),
    ),
    addPublisher: prepare<Edition & { id: number; domain: string }>((q, slot) =>
      q
        .insertInto('lookup_publisher')
        .values({ ...slot.each('id', 'edition', 'domain'), standing: null, placements: null }),
    ),
    standing: prepare<{ id: number }, { standing: string | null }>((q, slot) =>
      q.selectFrom('lookup_publisher').select('standing').where('id', '=', slot('id')),
    ),
    setPublisher: prepare<{ id: number; standing: string | null; placements: string | null }>((q, slot) =>
      q.updateTable('lookup_publisher').set(slot.each('standing', 'placements')).where('id', '=', slot('id')),
    ),
    agent: prepare<Edition & { url: string }, { id: number }>((q, slot) =>
      q.selectFrom('lookup_agent').select('id').where('edition', '=', slot('edition')).where('url', '=', slot('url')),
    ),
    addAgent: prepare<LookupTables['lookup_agent']>((q, slot) =>
      q.insertInto('lookup_agent').values(slot.each('id', 'edition', 'url', 'careless')),
    ),
    term: prepare<Edition & { digest: string }, { id: number }>((q, slot) =>
      q
        .selectFrom('lookup_term')
        .select('id')
        .where('edition', '=', slot('edition'))
        .where('digest', '=', slot('digest')),
    ),
    addTerm: prepare<LookupTables['lookup_term']>((q, slot) =>
      q.insertInto('lookup_term').values(slot.each('id', 'edition', 'digest', 'doc')),
    ),
    canonicalRid: prepare<{ rid: string }, { canonical: string }>((q, slot) =>
      q.selectFrom('alias').select('canonical').where('id', '=', slot('rid')),
    ),
  };
}

function propertyStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    property: prepare<Edition & { rid: string }, StoredProperty>((q, slot) =>
      q
        .selectFrom('lookup_property')
        .select(['id', 'publisher', 'type', 'identifiers'])
        .where('edition', '=', slot('edition'))
        .where('rid', '=', slot('rid')),
    ),
    addProperty: prepare<PropertyRow>((q, slot) =>
      q
        .insertInto('lookup_property')
        .values(slot.each('id', 'edition', 'rid', 'publisher', 'property_id', 'inline', 'type', 'tags', 'identifiers'))
        .onConflict((c) => c.doNothing()),
    ),
    setProperty: prepare<PropertyRow>((q, slot) =>
      q
        .updateTable('lookup_property')
        .set(slot.each('publisher', 'property_id', 'inline', 'type', 'tags', 'identifiers'))
        .where('id', '=', slot('id')),
    ),
    dropProperty: prepare<{ id: number }>((q, slot) => q.deleteFrom('lookup_property').where('id', '=', slot('id'))),
    addIdentifier: prepare<LookupTables['lookup_identifier']>((q, slot) =>
      q
        .insertInto('lookup_identifier')
        .values(slot.each('edition', 'value', 'type', 'property', 'own_host'))
        .onConflict((c) => c.doNothing()),
    ),
    dropIdentifier: prepare<Omit<LookupTables['lookup_identifier'], 'own_host'>>((q, slot) =>
      q
        .deleteFrom('lookup_identifier')
        .where('edition', '=', slot('edition'))
        .where('value', '=', slot('value'))
        .where('type', '=', slot('type'))
        .where('property', '=', slot('property')),
    ),
  };
}

function grantStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    publisherOfGrant: prepare<Edition & { row_id: string }, { publisher: number }>((q, slot) =>
      q
        .selectFrom('lookup_grant')
        .select('publisher')
        .where('edition', '=', slot('edition'))
        .where('row_id', '=', slot('row_id')),
    ),
    addGrant: prepare<GrantRow>((q, slot) =>
      q
        .insertInto('lookup_grant')
        .values(slot.each('edition', 'row_id', 'publisher', 'agent', 'rid', 'term', 'exclusive'))
        .onConflict((c) => c.doNothing()),
    ),
    setGrant: prepare<GrantRow>((q, slot) =>
      q
        .updateTable('lookup_grant')
        .set(slot.each('publisher', 'agent', 'rid', 'term', 'exclusive'))
        .where('edition', '=', slot('edition'))
        .where('row_id', '=', slot('row_id')),
    ),
    dropGrant: prepare<Edition & { row_id: string }>((q, slot) =>
      q.deleteFrom('lookup_grant').where('edition', '=', slot('edition')).where('row_id', '=', slot('row_id')),
    ),
    mergeRid: prepare<{ publisher: number; rid: string; canonical: string }>((q, slot) =>
      q
        .updateTable('lookup_grant')
        .set({ rid: slot('canonical') })
        .where('publisher', '=', slot('publisher'))
        .where('rid', '=', slot('rid')),
    ),
  };
}
