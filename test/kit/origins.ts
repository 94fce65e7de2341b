import { createServer } from 'node:http';
import { listenLocally } from './listen.js';

/** One page of an origin. */
export type OriginPage = {
  readonly body: string | Uint8Array;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds that a reader waits for it. */
  readonly afterMs?: number;
};

/** Many web origins behind one port of this machine, told apart by their host; 404 for what is not there. */
export type Origins = {
  /** For the `outbound.resolve` of a tenant, or of a way out: from every domain to this machine. */
  readonly resolve: Readonly<Record<string, string>>;
  /** Puts a page at an address; an object is served as JSON, `undefined` takes the page away. */
  readonly put: (url: string, page: OriginPage | object | undefined) => void;
  /** Addresses that were asked for, in their order. */
  readonly asked: string[];
};

/** Serves origins for some domains. Closed after its use. */
export async function serveOrigins(domains: readonly string[]): Promise<Origins> {
  const pages = new Map<string, OriginPage>();
  const asked: string[] = [];
  const server = createServer(({ headers, url }, response) => {
    const address = `https://${headers.host}${url}`;
    asked.push(address);
    const { afterMs, body, headers: own = {}, status = 200 } = pages.get(address) ?? { body: '', status: 404 };
    const answer = () => response.writeHead(status, { 'content-type': 'application/json', ...own }).end(body);
    if (afterMs === undefined) answer();
    else setTimeout(answer, afterMs).unref();
  });
  const origin = await listenLocally(server);
  return {
    resolve: Object.fromEntries(domains.map((domain) => [domain, origin])),
    put: (url, page) => {
      if (page === undefined) pages.delete(url);
      else pages.set(url, isPage(page) ? page : { body: JSON.stringify(page) });
    },
    asked,
  };
}

function isPage(page: object): page is OriginPage {
  return 'body' in page;
}
