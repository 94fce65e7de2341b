/** A request as it was received, before anything parsed it. */
export type ReceivedRequest = {
  readonly method: string;
  /** The absolute URL that the sender called: behind a proxy the public one. */
  readonly url: string;
  /** Names in any case; a list is a header that was sent more than once. `receivedHeaders` keeps what Node would drop. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes; empty for none. */
  readonly body: Uint8Array;
};

/** Returns the headers of a message by lower-case name, from Node's `rawHeaders`, with every value of a name. */
export function receivedHeaders(rawHeaders: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[at + 1] ?? '']);
  }
  return Object.fromEntries(headers);
}

/** Reads a header by its lower-case name; several values become one text with commas (RFC 9110 5.3). */
export type HeaderReader = (name: string) => string | undefined;

/** Makes a reader of the headers of a request. */
export function headerReader(headers: ReceivedRequest['headers']): HeaderReader {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const text = (typeof value === 'string' ? [value] : value).map((one) => one.trim()).join(', ');
    const before = values.get(key);
    values.set(key, before === undefined ? text : `${before}, ${text}`);
  }
  return (name) => values.get(name);
}
