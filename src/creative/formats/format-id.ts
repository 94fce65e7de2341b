import { isUrl } from '../../platform/net/url.js';
import { TaskError } from '../../protocol/errors.js';
import { HOUSE_FORMAT_IDS } from './catalog/catalog.js';
import type { FormatId } from './format.js';

const ID = /^[a-zA-Z0-9_-]+$/;
const MAX_ECHOED_ID_CHARS = 64;

/**
 * Reads a format reference: an object with the strings `agent_url` and `id`, the whole numbers `width` and `height` (both or
 * none), and the number `duration_ms`. Throws INVALID_FORMAT_ID at `field`, showing the right object.
 */
export function parseFormatId(value: unknown, field: string): FormatId {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuseFormatId(field, 'A format id is an object, not a name alone.', value);
  }
  const { agent_url, id, width, height, duration_ms } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || !ID.test(id)) {
    throw refuseFormatId(`${field}.id`, 'A format id needs an `id` of letters, digits, "_" and "-".', id);
  }
  if (typeof agent_url !== 'string' || agent_url === '') {
    throw refuseFormatId(
      `${field}.agent_url`,
      'A format id needs the `agent_url` of the agent that owns the format.',
      id,
    );
  }
  if ((width === undefined) !== (height === undefined)) {
    throw refuseFormatId(field, 'A format id has `width` and `height` together or neither.', id);
  }
  return {
    agent_url,
    id,
    ...size('width', width, field, id),
    ...size('height', height, field, id),
    ...length(duration_ms, field, id),
  };
}

function size(name: 'width' | 'height', value: unknown, field: string, id: string): Partial<FormatId> {
  if (value === undefined) return {};
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return { [name]: value };
  throw refuseFormatId(`${field}.${name}`, `\`${name}\` of a format id is a whole number of at least 1.`, id);
}

function length(value: unknown, field: string, id: string): Partial<FormatId> {
  if (value === undefined) return {};
  if (typeof value === 'number' && Number.isFinite(value) && value >= 1) return { duration_ms: value };
  throw refuseFormatId(`${field}.duration_ms`, '`duration_ms` of a format id is a number of at least 1.', id);
}

function refuseFormatId(field: string, message: string, given: unknown): TaskError {
  const isUsable = typeof given === 'string' && given.length <= MAX_ECHOED_ID_CHARS && ID.test(given);
  const example = {
    agent_url: 'https://creative.example.com/creative/mcp',
    id: isUsable ? given : 'display_300x250_image',
  };
  return new TaskError('INVALID_FORMAT_ID', message, {
    field,
    suggestion: `Send an object such as ${JSON.stringify(example)}, copied from a product's format_ids or from list_creative_formats.`,
  });
}

/**
 * Returns the format meant by a reference: one of ours under any agent_url is ours, parameters kept; anything else stays as it
 * is. `ours` holds the ids of the whole catalog where a seller has added formats of its own.
 */
export function resolveFormatId(
  ref: FormatId,
  houseAgentUrl: string,
  ours: ReadonlySet<string> = HOUSE_FORMAT_IDS,
): FormatId {
  return ours.has(ref.id) ? { ...ref, agent_url: houseAgentUrl } : ref;
}

/** Whether two references mean the same format: same owner after URL canonicalization, same id, same parameters. */
export function isSameFormat(
  a: FormatId,
  b: FormatId,
  houseAgentUrl: string,
  ours: ReadonlySet<string> = HOUSE_FORMAT_IDS,
): boolean {
  if (a.id !== b.id || a.width !== b.width || a.height !== b.height || a.duration_ms !== b.duration_ms) return false;
  const left = resolveFormatId(a, houseAgentUrl, ours).agent_url;
  const right = resolveFormatId(b, houseAgentUrl, ours).agent_url;
  return left === right || canonicalUrl(left) === canonicalUrl(right);
}

/**
 * Returns a URL with scheme and host in lower case, no default port, dot segments resolved, no fragment, no trailing slash;
 * text that is no URL stays.
 */
export function canonicalUrl(text: string): string {
  if (!isUrl(text)) return text;
  const { protocol, host, pathname, search } = new URL(text);
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  return `${protocol}//${host}${path}${search}`;
}

/** Returns the address of the agent that owns the house formats, whatever tenant names them. */
export function formatOwnerUrl(baseUrl: string): string {
  return `${baseUrl}/creative/mcp`;
}
