import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/** One import of a file: what it names, where, and whether types alone are imported. */
export type Import = {
  readonly line: number;
  /** As it stands: `./x.js` or a package. */
  readonly name: string;
  /** Path below src, for an import of a file of ours. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
};

/** A source file of the project, read for its rules. */
export type Source = {
  /** Path below src, such as `protocol/names.ts`. */
  readonly file: string;
  readonly lines: readonly string[];
  /** The lines with comments, texts and regular expressions blanked out: what is left is code. */
  readonly code: readonly string[];
  readonly imports: readonly Import[];
};

/** All source files below src. */
export function readSources(): readonly Source[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => readSource(file.replaceAll(path.sep, '/'), readFileSync(path.join(SRC, file), 'utf8')));
}

/** Reads one file; `file` is its path below src. */
export function readSource(file: string, text: string): Source {
  const code = blank(text, true);
  return {
    file,
    lines: text.split('\n'),
    code: code.split('\n'),
    imports: importsOf(file, blank(text, false), code),
  };
}

/** Where a pattern matches the code of a file: `file:line`. */
export function placesOf(source: Source, pattern: RegExp): readonly string[] {
  return source.code.flatMap((line, index) => (pattern.test(line) ? [`${source.file}:${index + 1}`] : []));
}

const STATEMENT = /^(?:import|export)\b([^;'"]*?)\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

/** `text` has its comments blanked, `code` its texts too: an import that stands in a text is none. */
function importsOf(file: string, text: string, code: string): readonly Import[] {
  return [...text.matchAll(STATEMENT)]
    .filter((match) => /\b(import|export)\b/.test(code.slice(match.index, match.index + match[0].length)))
    .map((match) => {
      const name = match[2] ?? match[3] ?? match[4] ?? '';
      return {
        line: text.slice(0, match.index).split('\n').length,
        name,
        target: name.startsWith('.')
          ? path.posix.join(path.posix.dirname(file), name).replace(/\.js$/, '.ts')
          : undefined,
        typeOnly: /^\s*type\s*[{*\w]/.test(match[1] ?? ''),
      };
    });
}

/** What may stand before a slash that begins a regular expression and is no division. */
const BEFORE_REGEX = /(^|[=(,:[!&|?{};>]|\breturn|\btypeof)\s*$/;

/** Returns a text with comments, and with `texts` also the insides of strings and regular expressions, replaced by blanks. */
function blank(text: string, texts: boolean): string {
  const out: string[] = [];
  const templates: number[] = [];
  let at = 0;
  const put = (to: number, hidden: boolean): void => {
    const part = text.slice(at, to);
    out.push(hidden ? part.replaceAll(/[^\n]/g, ' ') : part);
    at = to;
  };
  const endOf = (close: RegExp): number => {
    close.lastIndex = at + 1;
    return close.test(text) ? close.lastIndex : text.length;
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    const two = text.slice(at, at + 2);
    if (two === '//') put(endOf(/(?=\n)/g), true);
    else if (two === '/*') put(endOf(/\*\//g), true);
    else if (char === "'" || char === '"')
      put(endOf(char === "'" ? /(?:\\.|[^'\\\n])*'/gy : /(?:\\.|[^"\\\n])*"/gy), texts);
    else if (char === '/' && BEFORE_REGEX.test(text.slice(Math.max(0, at - 40), at)))
      put(endOf(/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/gy), texts);
    else if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      // A template: its text is hidden up to the next `${`, whose inside is code again.
      if (char === '}') templates.pop();
      const end = endOf(/(?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)/gsy);
      if (text[end - 1] === '{') templates.push(0);
      put(end, texts);
    } else {
      const depth = templates.at(-1);
      if (depth !== undefined && char === '{') templates[templates.length - 1] = depth + 1;
      if (depth !== undefined && char === '}') templates[templates.length - 1] = depth - 1;
      put(at + 1, false);
    }
  }
  return out.join('');
}
