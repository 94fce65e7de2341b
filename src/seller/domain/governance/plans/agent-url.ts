import { isUrl } from '../../../../platform/net/url.js';

/** Whether two URLs are of one agent: the same but for the case of the host and a slash at the end. */
export function isSameAgent(one: string, other: string): boolean {
  return normalizeUrl(one) === normalizeUrl(other);
}

/** Returns the form in which the URLs of agents are compared; a text that is no URL is its own. */
function normalizeUrl(text: string): string {
  return isUrl(text) ? new URL(text).href.replace(/\/+$/, '') : text;
}
