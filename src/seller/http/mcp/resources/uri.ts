import type { Resource, Variables } from './table.js';

/** Longest URI that is looked at. */
const MAX_URI_CHARACTERS = 2048;

const CURSOR = '?cursor=';

/** Returns the variables of a URI that a resource has; undefined for the URI of another one. */
export function matchUri({ isPaged, uri: pattern }: Resource, uri: string): Variables | undefined {
  if (uri.length > MAX_URI_CHARACTERS) return undefined;
  const at = uri.indexOf('?');
  const path = at === -1 ? uri : uri.slice(0, at);
  const query = at === -1 ? undefined : uri.slice(at);
  if (query !== undefined && !(isPaged === true && query.startsWith(CURSOR))) return undefined;
  const variables: Record<string, string> = {};
  const segments = path.split('/');
  const wanted = pattern.split('/');
  if (segments.length !== wanted.length) return undefined;
  for (const [index, segment] of wanted.entries()) {
    const given = segments[index] ?? '';
    const variable = variableOf(segment);
    if (variable === undefined && given !== segment) return undefined;
    const value = variable === undefined ? undefined : decodePart(given);
    if (variable !== undefined && (value === undefined || value === '')) return undefined;
    if (variable !== undefined && value !== undefined) variables[variable] = value;
  }
  const cursor = query === undefined ? undefined : decodePart(query.slice(CURSOR.length));
  if (cursor !== undefined) variables.cursor = cursor;
  return query !== undefined && cursor === undefined ? undefined : variables;
}

/** Returns the names of the variables that stand for segments of a resource's URI. */
export function variablesIn({ uri }: Resource): readonly string[] {
  return uri.split('/').flatMap((segment) => variableOf(segment) ?? []);
}

/** Returns the template (RFC 6570) of a resource that has variables or pages; undefined for one that has neither. */
export function templateOf(resource: Resource): string | undefined {
  if (resource.isPaged === true) return `${resource.uri}{?cursor}`;
  return variablesIn(resource).length === 0 ? undefined : resource.uri;
}

function variableOf(segment: string): string | undefined {
  return segment.startsWith('{') ? segment.slice(1, -1) : undefined;
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
