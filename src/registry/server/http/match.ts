import { RegistryProblem } from '../service/problem.js';
import type { Route } from './route.js';

/** The match of a method and path: a route with the values of its path, or the methods that the path does know. */
export type Match =
  | { readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly allowed: readonly string[] };

/** A step of a path: a text, or a parameter with what comes behind it, such as `.svg`. */
type Step = string | { readonly name: string; readonly end: string };

type Pattern = { readonly route: Route; readonly steps: readonly Step[] };

const NO_PARAMS: Readonly<Record<string, string>> = {};

/** Makes the look-up of a table: paths without parameters by their text, the few others step by step. */
export function createMatcher(routes: readonly Route[]): (method: string, path: string) => Match {
  const plain = new Map<string, Match>();
  const patterns: Pattern[] = [];
  for (const route of routes) {
    if (route.path.includes('{')) patterns.push({ route, steps: route.path.split('/').map(readStep) });
    else plain.set(`${route.method} ${route.path}`, { route, params: NO_PARAMS });
  }
  return (method, path) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    const exact = plain.get(`${asked} ${path}`);
    if (exact !== undefined) return exact;
    const steps = path.split('/');
    const fitting = patterns.filter((pattern) => isMatch(pattern.steps, steps));
    const hit = fitting.find(({ route }) => route.method === asked);
    if (hit !== undefined) return { route: hit.route, params: valuesOf(hit.steps, steps) };
    const others = routes.filter((route) => route.path === path).map((route) => route.method);
    return { allowed: [...new Set([...others, ...fitting.map(({ route }) => route.method)])] };
  };
}

function readStep(text: string): Step {
  const [, name, end = ''] = /^\{(\w+)\}(.*)$/.exec(text) ?? [];
  return name === undefined ? text : { name, end };
}

function isMatch(pattern: readonly Step[], steps: readonly string[]): boolean {
  return (
    pattern.length === steps.length &&
    pattern.every((step, index) => {
      const text = steps[index] ?? '';
      return typeof step === 'string' ? step === text : text.length > step.end.length && text.endsWith(step.end);
    })
  );
}

function valuesOf(pattern: readonly Step[], steps: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pattern.flatMap((step, index) => {
      const text = steps[index] ?? '';
      return typeof step === 'string'
        ? []
        : [[step.name, decodeSegment(step.name, text.slice(0, text.length - step.end.length))]];
    }),
  );
}

function decodeSegment(name: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RegistryProblem('invalid_request', `${name}: is not percent-encoded as a URL path has to be`, {
      field: name,
      suggestion: 'Encode the value with encodeURIComponent.',
    });
  }
}
