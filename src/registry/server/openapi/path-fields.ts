import type { Route } from '../http/route.js';
import { BADGE_RELEASE, BADGE_WORDS } from '../service/agent/standing.js';

/** A parameter in a path, with its JSON Schema. */
type PathField = { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };

const AGENT = 'The agent, as buyers call it: its whole URL.';
/** Parameters in paths, by their names. */
const FIELDS: Readonly<Record<string, PathField['schema']>> = {
  agentUrl: { description: AGENT },
  domain: { description: 'A domain such as news.example.' },
  encodedUrl: { description: AGENT },
  id: { description: 'The id that the request was answered with.' },
  reportId: { description: 'The report_id of the check.' },
  role: { enum: BADGE_WORDS, description: 'The protocol of the badge, or a type of agent that stands for one.' },
  url: { description: AGENT },
  version: { pattern: BADGE_RELEASE.source, description: 'The release that the badge is for, such as 3.1.' },
};

/** Returns the parameters in the path of a route, in their order. */
export function pathFields({ path }: Pick<Route, 'path'>): readonly PathField[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    schema: { type: 'string', ...FIELDS[name] },
  }));
}
