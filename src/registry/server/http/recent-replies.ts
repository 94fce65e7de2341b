import { Cache, Doorkeeper } from '../../../platform/kernel/cache.js';
import type { Reply, Route, WrittenReply } from './route.js';

const MAX_REPLIES = 50_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** URLs that are told from those that come for the first time. */
const MAX_ASKED = 65_536;
/** Characters of a URL whose reply is remembered. */
const MAX_URL_LENGTH = 1024;
/** What a reply takes beside its texts, roughly. */
const BYTES_PER_REPLY = 500;

/** A recent request by its URL, and how it is answered again. */
type RecentReply = {
  readonly route: Route;
  readonly again: () => WrittenReply | undefined;
  readonly length: number;
};

/**
 * Replies to reads of everybody that were asked for twice lately, by their URLs: while what one rests on has not changed, the URL need not
 * be read and the question not be asked anew. The replies themselves know how long that is.
 */
export class RecentReplies {
  readonly #replies = new Cache<string, RecentReply>({
    maxEntries: MAX_REPLIES,
    maxBytes: MAX_BYTES,
    sizeOf: ({ length }, url) => BYTES_PER_REPLY + url.length + length,
  });

  readonly #doorkeeper = new Doorkeeper(MAX_ASKED);

  /** Returns the route of a URL that was asked for lately, and its reply as it is now. */
  find(url: string): { readonly route: Route; readonly reply: WrittenReply } | undefined {
    const recent = this.#replies.get(url);
    const reply = recent?.again();
    if (recent === undefined || reply !== undefined) return recent && reply && { route: recent.route, reply };
    this.#replies.delete(url);
    return undefined;
  }

  /** Remembers the reply to a URL that was asked for before, where it can be given again to everybody. */
  add(url: string, route: Route, reply: Reply): void {
    if (route.method !== 'GET' || route.auth !== 'none' || route.limits !== undefined) return;
    if (!('text' in reply) || reply.again === undefined || url.length > MAX_URL_LENGTH) return;
    if (this.#doorkeeper.admits(url)) this.#replies.set(url, { route, again: reply.again, length: reply.text.length });
  }
}
