import { z } from 'zod';
import { activity, problemsOf } from '../http/answers.js';
import { ok, type Reply, type Route, type RouteAnswer, route } from '../http/route.js';
import { choice, domain, integer, offset, text } from '../openapi/fields.js';
import { readHistory } from '../service/brand/history.js';
import type { Saved } from '../service/brand/save.js';
import type { Listing } from '../service/listings/listing.js';
import type { EntryKind } from '../service/records.js';
import type { Registry } from '../service/registry.js';

/** How a route is named. */
type RouteName = Pick<Route, 'path' | 'operation_id' | 'tag' | 'summary'>;

/** A list of what the registry has of one kind. */
type ListingSpec<Row, Source extends string> = RouteName & {
  /** The member of the answer that holds the rows, and the shape of each. */
  readonly member: string;
  readonly row: z.ZodType;
  readonly sources: readonly [Source, ...Source[]];
  readonly searches: { readonly search: string; readonly source: string; readonly limit: string };
  readonly usualRows: number;
  /** Counts that are shown also where there are none. */
  readonly noCounts: Readonly<Record<string, 0>>;
  readonly list: (registry: Registry) => Promise<Listing<Row>>;
  /** Whether a row is of a source, where one is named, and holds a text in lower case. */
  readonly fits: (row: Row, source: Source | undefined, wanted: string) => boolean;
};

/** Returns the route of a list by domain, a page of it with counts of the whole registry. */
export function listingRoute<Row extends object, Source extends string>({
  fits,
  list,
  member,
  noCounts,
  row,
  searches,
  sources,
  usualRows,
  ...name
}: ListingSpec<Row, Source>): Route {
  const page: RouteAnswer = {
    description: 'A page, and counts of the whole registry.',
    body: z.object({ [member]: z.array(row), stats: z.record(z.string(), z.int()) }),
  };
  return route({
    ...name,
    method: 'GET',
    auth: 'none',
    query: z.object({
      search: text(searches.search, { min: 0, max: 253 }).optional(),
      source: choice(sources, searches.source).optional(),
      limit: integer(searches.limit, { min: 1, max: 5000, usual: usualRows }).optional(),
      offset: offset().optional(),
    }),
    answers: { 200: page, ...problemsOf(400) },
    tool: true,
    run: async ({ registry, query }) => {
      const listing = await list(registry);
      const { limit = usualRows, offset: from = 0, search = '', source } = query;
      const rows = await listing.page((one) => fits(one, source, search.toLowerCase()), from, limit);
      return ok({ [member]: rows, stats: { ...noCounts, ...listing.counts() } });
    },
  });
}

const USUAL_REVISIONS = 20;

/** Returns the route of the history of the entries of a kind. */
export function historyRoute(kind: EntryKind, name: RouteName): Route {
  return route({
    ...name,
    method: 'GET',
    auth: 'none',
    query: z.object({
      domain: domain(),
      limit: integer('Most revisions of a page.', { min: 1, max: 100, usual: USUAL_REVISIONS }).optional(),
      offset: offset().optional(),
    }),
    answers: { 200: { description: 'A page of revisions.', body: activity }, ...problemsOf(400, 404) },
    tool: true,
    run: async ({ registry, query }) => {
      const { domain: of, limit = USUAL_REVISIONS, offset: from = 0 } = query;
      return ok(await readHistory(registry.store.read, kind, of, { limit, offset: from }));
    },
  });
}

/** The messages of a save, by its outcome. */
type SaveMessages = {
  readonly held: (domain: string) => string;
  readonly created: (domain: string) => string;
  readonly updated: (domain: string, revision: number) => string;
};

/** Returns the answer of a save. */
export function answerSaved(outcome: Saved, { created, held, updated }: SaveMessages): Reply {
  if (outcome.outcome === 'held') {
    const { domain: of, review_id } = outcome;
    return ok({ success: true, message: held(of), domain: of, id: review_id, review_status: 'pending' });
  }
  const { domain: of, id, revision_number } = outcome.entry;
  if (outcome.outcome === 'created') return ok({ success: true, message: created(of), domain: of, id });
  return ok({ success: true, message: updated(of, revision_number), domain: of, id, revision_number });
}
