import type { FeedSource, SourcePage } from '../../../src/registry/mirror/source.js';
import type { RegistryEvent } from '../../../src/registry/model/records.js';

type Row = Readonly<Record<string, unknown>>;

/** A registry that is a script: rows and events as a test wrote them down, and answers as a test bends them. */
export type FakeRegistry = {
  readonly source: FeedSource;
  readonly rows: Record<'agents' | 'catalog' | 'collections' | 'publishers' | 'authorizations', Row[]>;
  readonly views: Map<string, Row>;
  readonly events: RegistryEvent[];
  /** Writes an event down as the newest; answers it. */
  readonly tell: (event_type: string, payload: Row) => RegistryEvent;
  /** Ids of before this one are forgotten: a cursor of them is answered 410. */
  forget: string;
  /** What comes instead of a page of the feed. */
  bend: ((page: SourcePage, cursor: string | undefined) => SourcePage | Promise<SourcePage>) | undefined;
  /** Without it, the registry has the endpoints of spec 1 alone. */
  hasCatalog: boolean;
  /** What was asked, in order. */
  readonly asked: string[];
};

/** An error as a registry's refusal is thrown. */
export function refusal(status: number, retry_after?: number): Error {
  return Object.assign(new Error(`the registry answered ${status}`), { status, ...(retry_after && { retry_after }) });
}

/** The id of the n-th event from an instant on. */
export function eventId(ms: number, number: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** A rid from a number. */
export function ridOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** Opens a script whose events begin at an instant. */
export function fakeRegistry(startMs: number, url = 'https://registry.example'): FakeRegistry {
  const events: RegistryEvent[] = [];
  const asked: string[] = [];
  const rows: FakeRegistry['rows'] = { agents: [], catalog: [], collections: [], publishers: [], authorizations: [] };
  const views = new Map<string, Row>();
  async function* each(kind: keyof FakeRegistry['rows'], needsCatalog = false): AsyncGenerator<Row> {
    asked.push(kind);
    if (needsCatalog && !fake.hasCatalog) throw refusal(404);
    yield* rows[kind];
  }
  const fake: FakeRegistry = {
    rows,
    views,
    events,
    asked,
    forget: '',
    bend: undefined,
    hasCatalog: true,
    tell: (event_type, payload) => {
      const event: RegistryEvent = {
        event_id: eventId(startMs + events.length, events.length),
        event_type,
        entity_type: event_type.split('.')[0] ?? '',
        entity_id: '',
        payload,
        actor: 'pipeline:crawler',
        created_at: new Date(startMs + events.length).toISOString(),
      };
      events.push(event);
      return event;
    },
    source: {
      url,
      feed: async ({ cursor, types, limit = 100 }) => {
        asked.push(`feed ${cursor ?? ''}`);
        if (cursor !== undefined && cursor < fake.forget) throw refusal(410);
        const after = events.filter(({ event_id }) => event_id > (cursor ?? ''));
        const meant = types === undefined ? after.slice(0, limit) : [];
        const last = types === undefined ? meant.at(-1)?.event_id : events.at(-1)?.event_id;
        const page = {
          events: meant,
          cursor: last ?? cursor ?? null,
          has_more: types === undefined && after.length > limit,
        };
        return fake.bend === undefined || types !== undefined ? page : await fake.bend(page, cursor);
      },
      eachFoundAgent: () => each('agents'),
      eachCatalogRow: () => each('catalog', true),
      eachCollection: () => each('collections', true),
      eachPublisher: () => each('publishers'),
      authorizations: async ({ agent_url }) => {
        asked.push(`authorizations ${agent_url}`);
        return { rows: rows.authorizations.filter((row) => row.agent_url_canonical === agent_url) };
      },
      publisher: async ({ domain }) => {
        asked.push(`publisher ${domain}`);
        return views.get(domain) ?? {};
      },
    },
  };
  return fake;
}
