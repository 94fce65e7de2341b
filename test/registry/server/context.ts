import path from 'node:path';
import type { Fetched, Outbound } from '../../../src/platform/net/fetch.js';
import { FetchError, type FetchReason } from '../../../src/platform/net/fetch-error.js';
import type { RegistryEvent } from '../../../src/registry/model/records.js';
import { FileReader } from '../../../src/registry/server/crawl/files/file-reader.js';
import type { CrawlContext } from '../../../src/registry/server/crawl/publisher.js';
import { SliceQueue } from '../../../src/registry/server/crawl/slice-queue.js';
import { openServerStore, type ServerStore } from '../../../src/registry/server/store/server-store.js';
import { afterUse } from '../../kit/after-use.js';
import {
  collectingLog,
  countingIds,
  type TurnableClock,
  temporaryFolder,
  turnableClock,
} from '../../kit/surroundings.js';

/** What stands at a URL: a JSON value, or a failure. What is not in the world is a 404. */
export type World = Record<
  string,
  | { readonly json: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly fails: FetchReason }
  | { readonly status: number }
>;

/** A registry's inside on a throw-away store, in a world of files. */
export type ServiceContext = CrawlContext & {
  readonly store: ServerStore;
  readonly clock: TurnableClock;
  readonly world: World;
  /** URLs that were asked for. */
  readonly asked: string[];
  /** Puts the adagents.json of a domain. */
  readonly publish: (domain: string, file: object) => void;
  /** Puts a file with headers; what they say of its version is honoured. */
  readonly serve: (url: string, json: object, headers: Readonly<Record<string, string>>) => void;
  /** The events after the last call, in short: `type entity`. */
  readonly news: () => Promise<readonly RegistryEvent[]>;
};

/** Opens a service. */
export function openServiceContext(): ServiceContext {
  const store = openServerStore(path.join(temporaryFolder('seller-agent-registry-'), 'registry.db'));
  afterUse(() => store.close());
  const world: World = {};
  const asked: string[] = [];
  let seen = '';
  const outbound = scripted(world, asked);
  const files = new FileReader(outbound, collectingLog([]));
  afterUse(() => files.close());
  return {
    store,
    files,
    slices: new SliceQueue(),
    clock: turnableClock(),
    ids: countingIds(),
    world,
    asked,
    outbound,
    isDevelopment: false,
    publish: (domain, file) => {
      world[`https://${domain}/.well-known/adagents.json`] = { json: file };
    },
    serve: (url, json, headers) => {
      world[url] = { json, headers };
    },
    news: async () => {
      const events = await store.read.events.page(seen, 10_000);
      seen = events.at(-1)?.event_id ?? seen;
      return events;
    },
  };
}

/** Events in short. */
export function types(events: readonly RegistryEvent[]): readonly string[] {
  return events.map(({ event_type }) => event_type);
}

function scripted(world: World, asked: string[]): Pick<Outbound, 'fetch'> {
  return {
    fetch: async (url, options): Promise<Fetched> => {
      asked.push(url);
      const page = world[url] ?? { status: 404 };
      if ('fails' in page) throw new FetchError(page.fails);
      const json = 'json' in page;
      const own = (json ? page.headers : undefined) ?? {};
      if (isSame(own, options.headers ?? {})) return { status: 304, headers: own, bytes: Buffer.from(''), url };
      return {
        status: json ? 200 : page.status,
        headers: json ? { 'content-type': 'application/json', ...own } : {},
        bytes: Buffer.from(json ? JSON.stringify(page.json) : ''),
        url,
      };
    },
  };
}

/** Whether a question about a version is about the one that is served. */
function isSame(own: Readonly<Record<string, string>>, asked: Readonly<Record<string, string>>): boolean {
  const { 'if-none-match': etag, 'if-modified-since': since } = asked;
  return etag !== undefined ? etag === own.etag : since !== undefined && since === own['last-modified'];
}
