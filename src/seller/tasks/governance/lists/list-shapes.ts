import { z } from 'zod';
import { HOST_NAME } from '../../../../platform/net/url.js';
import {
  COLLECTION_KINDS,
  DISTRIBUTION_ID_TYPES,
  GENRE_TAXONOMIES,
  IDENTIFIER_TYPES,
  PRODUCTION_QUALITIES,
  PROPERTY_TYPES,
  RATING_SYSTEMS,
} from '../../../../protocol/inventory-words.js';
import { type ListRules, MAX_NAMED } from '../../../domain/governance/lists/inventory-list.js';
import { LIST_WORDS } from '../../../domain/governance/lists/wire.js';
import type { ListKind } from '../../../domain/targeting/lists.js';
import { channel } from '../../pipeline/shapes.js';

const domain = z.string().regex(HOST_NAME).max(253);
const code = z
  .string()
  .regex(/^[a-z0-9_]+$/)
  .max(255);
const word = z.string().min(1).max(255);

/** An identifier of a property. */
export const identifier = z.strictObject({ type: z.enum(IDENTIFIER_TYPES), value: z.string().min(1).max(1024) });
const distributionId = z.strictObject({ type: z.enum(DISTRIBUTION_ID_TYPES), value: z.string().min(1).max(1024) });
const rating = z.looseObject({ system: z.enum(RATING_SYSTEMS), rating: z.string().min(1).max(64) });

const some = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(MAX_NAMED);
/** Filters name fewer things than sources. */
const few = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(1000).optional();

const propertySource = z.discriminatedUnion('selection_type', [
  z.strictObject({ selection_type: z.literal('publisher_tags'), publisher_domain: domain, tags: some(code) }),
  z.strictObject({ selection_type: z.literal('publisher_ids'), publisher_domain: domain, property_ids: some(code) }),
  z.strictObject({ selection_type: z.literal('identifiers'), identifiers: some(identifier) }),
]);

const collectionSource = z.discriminatedUnion('selection_type', [
  z.strictObject({ selection_type: z.literal('distribution_ids'), identifiers: some(distributionId) }),
  z.strictObject({
    selection_type: z.literal('publisher_collections'),
    publisher_domain: domain,
    collection_ids: some(word),
  }),
  z.strictObject({
    selection_type: z.literal('publisher_genres'),
    publisher_domain: domain,
    genres: some(word),
    genre_taxonomy: z.enum(GENRE_TAXONOMIES),
  }),
]);

/** Most sources of one list. */
const MAX_SOURCES = 1000;

/** What a list of each kind is made of: `base` its sources, `filters` what they leave. */
export const RULE_SHAPES = {
  property: {
    base: z.array(propertySource).max(MAX_SOURCES).meta({
      brief: true,
      description:
        '[{selection_type: publisher_tags, publisher_domain, tags} | {publisher_ids, publisher_domain, property_ids} | {identifiers, identifiers: [{type, value}]}]',
    }),
    filters: z
      .strictObject({
        countries_all: few(z.string().regex(/^[A-Z]{2}$/)),
        channels_any: few(channel),
        property_types: few(z.enum(PROPERTY_TYPES)),
        feature_requirements: z.array(z.unknown()).max(100).optional(),
        exclude_identifiers: few(identifier),
      })
      .meta({ brief: true, description: '{countries_all, channels_any, property_types, exclude_identifiers}' }),
  },
  collection: {
    base: z.array(collectionSource).max(MAX_SOURCES).meta({
      brief: true,
      description:
        '[{selection_type: distribution_ids, identifiers: [{type, value}]} | {publisher_collections, publisher_domain, collection_ids} | {publisher_genres, publisher_domain, genres, genre_taxonomy}]',
    }),
    filters: z
      .strictObject({
        content_ratings_exclude: few(rating),
        content_ratings_include: few(rating),
        genres_exclude: few(word),
        genres_include: few(word),
        genre_taxonomy: z.enum(GENRE_TAXONOMIES).optional(),
        kinds: few(z.enum(COLLECTION_KINDS)),
        exclude_distribution_ids: few(distributionId),
        production_quality: few(z.enum(PRODUCTION_QUALITIES)),
      })
      .meta({
        brief: true,
        description: '{genres_include, genres_exclude, genre_taxonomy, kinds, content_ratings_exclude, …}',
      }),
  },
} as const;

/** The id of a list. */
export const listId = z.string().min(1).max(255);

/** A page of what a list holds. */
export const entryPage = z
  .strictObject({ max_results: z.int().min(1).max(10_000).optional(), cursor: z.string().max(512).optional() })
  .meta({ brief: true, description: '{max_results, cursor}' });

/** Returns what a list is made of, as the arguments of a call say it after they were read; what they leave out is as `before` has it. */
export function readRules(kind: ListKind, args: Readonly<Record<string, unknown>>, before: ListRules = {}): ListRules {
  const { [LIST_WORDS[kind].base]: base, filters } = args;
  return {
    base: (base as ListRules['base']) ?? before.base,
    filters: (filters as ListRules['filters']) ?? before.filters,
  };
}
