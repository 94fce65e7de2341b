import { isUrl } from '../../platform/net/url.js';

/** Returns a registered address fit for a debug surface: no query, no fragment, no path segment that looks like a secret. */
export function shownUrl(url: string): string {
  if (!isUrl(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.split('/').map(maskSegment).join('/')}`;
}

const MASK = '***';
const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]{16,}$/i;
/** A long mix of letters and digits, as random tokens are. */
const TOKEN = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_.~=%-]{20,}$/;
const TOKEN_PREFIX = /^(?:sk|pk|tok|token|key|secret|whsec|ghp|xox[a-z])[-_.][A-Za-z0-9_-]{6,}$/i;

function maskSegment(segment: string): string {
  return [UUID, HEX, TOKEN, TOKEN_PREFIX].some((pattern) => pattern.test(segment)) ? MASK : segment;
}
