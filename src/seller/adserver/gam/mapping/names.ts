/** The most characters of a display name, https://developers.google.com/ad-manager/api/beta/reference/rest/v1/networks.orders. */
const MAX_NAME_CHARS = 255;

/** Returns a name that ends in an id of ours in brackets; the text before it is cut where the whole would be too long. */
export function nameWithId(text: string, id: string): string {
  const mark = markOf(id);
  const room = MAX_NAME_CHARS - mark.length - 1;
  // Half of a pair of surrogates is no character.
  const head = text
    .trim()
    .slice(0, Math.max(0, room))
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
  return head === '' ? mark : `${head} ${mark}`;
}

/** Whether a name carries an id of ours. */
export function hasId(name: string, id: string): boolean {
  return name.endsWith(markOf(id));
}

/** Returns the part of a name that carries an id of ours. */
export function markOf(id: string): string {
  return `[${id}]`;
}

/** Returns the id at the end of a resource's name, such as `7` of `networks/1/orders/7`. */
export function idOf(resource: string): string {
  return resource.slice(resource.lastIndexOf('/') + 1);
}
