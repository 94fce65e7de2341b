const MAX_TAGS = 20_000;
const MAX_LEVELS = 200;
/** References that drawing an SVG may come to, those inside what is referred to counted again. */
const MAX_REFERENCES = 10_000;

const TAG = /<(\/?)[A-Za-z]([^<>]*)>/g;
const REFERENCE = /(?:\bhref\s*=|\burl\s*\()[\s"']*#([^"'()\s>]{1,200})/gi;
const ID = /\sid\s*=\s*["']([^"']{1,200})["']/i;

const TOO_MANY = 'unfolds into too many references';

/** Which elements refer to which, and how often; under `ROOT` all references of the document. */
type References = ReadonlyMap<string, readonly string[]>;
const ROOT = '';

/**
 * Returns why an SVG (its text without comments) is more than a screen should draw: tags, levels, or references that unfold
 * into ever more references. Undefined when it is not. Linear in the text.
 */
export function findSvgExcess(text: string): string | undefined {
  const references = new Map<string, string[]>([[ROOT, []]]);
  const open: (string | undefined)[] = [];
  let tags = 0;
  let direct = 0;
  for (const [, closing, attributes = ''] of text.matchAll(TAG)) {
    tags += 1;
    if (tags > MAX_TAGS) return `has more than ${MAX_TAGS} tags`;
    if (closing === '/') {
      open.pop();
      continue;
    }
    open.push(ID.exec(attributes)?.[1]);
    if (open.length > MAX_LEVELS) return `is nested deeper than ${MAX_LEVELS} levels`;
    const targets = Array.from(attributes.matchAll(REFERENCE), (match) => match[1] ?? '');
    direct += targets.length;
    if (direct > MAX_REFERENCES) return TOO_MANY;
    if (targets.length > 0) for (const id of new Set([ROOT, ...open])) addReferences(references, id, targets);
    if (attributes.endsWith('/')) open.pop();
  }
  return countReferences(ROOT, references, new Map(), 0) > MAX_REFERENCES ? TOO_MANY : undefined;
}

function addReferences(references: Map<string, string[]>, id: string | undefined, targets: readonly string[]): void {
  if (id === undefined) return;
  const earlier = references.get(id);
  if (earlier === undefined) references.set(id, [...targets]);
  else earlier.push(...targets);
}

/** Returns how many references an element comes to, with those of what it refers to; a circle and a chain too long come to no end. */
function countReferences(id: string, references: References, counts: Map<string, number>, level: number): number {
  const count = counts.get(id);
  if (count !== undefined) return count;
  counts.set(id, Number.POSITIVE_INFINITY);
  if (level > MAX_LEVELS) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (const target of references.get(id) ?? []) {
    sum += 1 + (references.has(target) ? countReferences(target, references, counts, level + 1) : 0);
    if (sum > MAX_REFERENCES) break;
  }
  counts.set(id, sum);
  return sum;
}
