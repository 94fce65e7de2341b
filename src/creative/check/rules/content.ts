import { isObject } from '../../../platform/kernel/json/json.js';
import { findUrlFault, hasMacros, hostOf, isWithin, shorten } from '../../asset-url.js';
import type { Rule, Subject, Verdict } from '../finding.js';

/** Characters as people count them, more or less: a surrogate pair is one. */
function countCharacters(text: string): number {
  return [...text].length;
}

function countLines(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

type Count = {
  readonly keyword: string;
  readonly types: Rule['types'];
  readonly at: string;
  readonly side: 'least' | 'most';
  readonly unit: string;
  readonly count: (subject: Subject) => number | undefined;
};

const characters = ({ asset }: Subject) => (asset.content === undefined ? undefined : countCharacters(asset.content));
const lines = ({ asset }: Subject) => (asset.content === undefined ? undefined : countLines(asset.content));
const urlLength = ({ asset }: Subject) => asset.url?.length;

/** Returns the items that a catalog brings along; one that is only named by its id or address has none to count. */
function catalogItems({ asset }: Subject): readonly unknown[] | undefined {
  const { items, offerings, products } = asset;
  return [items, offerings, products].find((each): each is unknown[] => Array.isArray(each));
}
const items = (subject: Subject) => catalogItems(subject)?.length;

/** Requirements that are a least or a greatest count. */
const COUNTS: readonly Count[] = [
  {
    keyword: 'min_length',
    types: ['text', 'markdown'],
    at: 'content',
    side: 'least',
    unit: 'characters',
    count: characters,
  },
  {
    keyword: 'max_length',
    types: ['text', 'markdown'],
    at: 'content',
    side: 'most',
    unit: 'characters',
    count: characters,
  },
  { keyword: 'min_lines', types: ['text'], at: 'content', side: 'least', unit: 'lines', count: lines },
  { keyword: 'max_lines', types: ['text'], at: 'content', side: 'most', unit: 'lines', count: lines },
  { keyword: 'max_length', types: ['url'], at: 'url', side: 'most', unit: 'characters', count: urlLength },
  { keyword: 'min_items', types: ['catalog'], at: '', side: 'least', unit: 'items', count: items },
  { keyword: 'max_items', types: ['catalog'], at: '', side: 'most', unit: 'items', count: items },
];

function countRule({ keyword, types, at, side, unit, count }: Count): Rule {
  const judge = (wanted: unknown, subject: Subject): Verdict => {
    if (typeof wanted !== 'number') return undefined;
    const value = count(subject);
    if (value === undefined) return unit === 'items' ? 'unknown' : undefined;
    if (side === 'least' ? value >= wanted : value <= wanted) return undefined;
    const words = `${side === 'least' ? 'at least' : 'at most'} ${wanted}`;
    return { found: `${value}`, wanted: words, message: `has ${value} ${unit}; the slot takes ${words}.` };
  };
  return { keyword, types, at, judge };
}

/** Longest text that a pattern of a format is tried on. */
const MAX_PATTERN_CHARS = 5000;

const TEXT_RULES: readonly Rule[] = [
  {
    keyword: 'character_pattern',
    types: ['text'],
    at: 'content',
    judge: (wanted, { asset: { content } }) => {
      if (typeof wanted !== 'string' || content === undefined || content.length > MAX_PATTERN_CHARS) return undefined;
      const pattern = compilePattern(wanted);
      if (pattern === undefined || pattern.test(content)) return undefined;
      return { found: shorten(content), wanted, message: 'has characters that the slot does not take.' };
    },
  },
  {
    keyword: 'prohibited_terms',
    types: ['text', 'markdown'],
    at: 'content',
    judge: (wanted, { asset: { content = '' } }) => {
      const plain = content.toLowerCase();
      const hit = strings(wanted).find((term) => term !== '' && plain.includes(term.toLowerCase()));
      if (hit === undefined) return undefined;
      return {
        found: shorten(hit),
        wanted: `none of: ${strings(wanted).join(', ')}`,
        message: `has the prohibited term "${shorten(hit)}".`,
      };
    },
  },
  {
    keyword: 'allowed_values',
    types: ['text'],
    at: 'content',
    judge: (wanted, { asset: { content } }) => {
      const allowed = strings(wanted);
      if (content === undefined || allowed.length === 0 || allowed.includes(content)) return undefined;
      return {
        found: shorten(content),
        wanted: allowed.join(', '),
        message: `is none of the values that the slot takes: ${allowed.join(', ')}.`,
        code: 'CREATIVE_VALUE_NOT_ALLOWED',
        allowed,
      };
    },
  },
];

/** Returns a pattern that must cover the whole text; undefined where the source is no pattern. */
function compilePattern(source: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})$`, 'u');
  } catch {
    return undefined;
  }
}

/** Places where HTML, CSS and JavaScript name what they load; the link of an `<a>` is none. */
const RESOURCES = [
  /\b(?:src|srcset|poster|data|background)\s{0,20}=\s{0,20}["']?\s{0,20}((?:https?:)?\/\/[^\s"'>]{1,2000})/gi,
  /<link\b[^<>]{0,2000}?\bhref\s{0,20}=\s{0,20}["']?\s{0,20}((?:https?:)?\/\/[^\s"'>]{1,2000})/gi,
  /\burl\(\s{0,20}["']?\s{0,20}((?:https?:)?\/\/[^\s"')]{1,2000})/gi,
  /@import\s{1,20}["']\s{0,20}((?:https?:)?\/\/[^\s"']{1,2000})/gi,
  /\b(?:fetch|import|open|src\s{0,20}=|importScripts)\s{0,20}\(?\s{0,20}["'`]((?:https?:)?\/\/[^\s"'`]{1,2000})/g,
];
const MAX_RESOURCES = 500;

function listResources(content: string): readonly string[] {
  const resources: string[] = [];
  for (const pattern of RESOURCES) {
    for (const [, url = ''] of content.matchAll(pattern)) {
      if (resources.length === MAX_RESOURCES) break;
      resources.push(url);
    }
  }
  return resources.map((url) => (url.startsWith('//') ? `https:${url}` : url));
}

const CODE: Rule['types'] = ['html', 'javascript', 'css'];
/** A module says so by importing or exporting on its top level. */
const MODULE_SYNTAX = /^[^\S\n]{0,100}(?:import\s{0,10}[\w{*"']|export\s)/m;
const STRICT = /^\s{0,1000}(?:;?\(?\s{0,10}(?:function|\(\))[^{]{0,100}\{\s{0,100})?["']use strict["']/;
const MODULE_TYPES: Readonly<Record<string, string>> = { esm: 'module', commonjs: 'commonjs' };

const CODE_RULES: readonly Rule[] = [
  {
    keyword: 'external_resources_allowed',
    types: CODE,
    at: 'content',
    judge: (wanted, { asset: { content = '' }, requirements }) => {
      if (wanted !== false || strings(requirements.allowed_external_domains).length > 0) return undefined;
      const [first] = listResources(content);
      if (first === undefined) return undefined;
      return {
        found: shorten(first),
        wanted: 'no external resources',
        message: 'loads from elsewhere; the slot takes self-contained code.',
      };
    },
  },
  {
    keyword: 'allowed_external_domains',
    types: CODE,
    at: 'content',
    judge: (wanted, { asset: { content = '' } }) => {
      const domains = strings(wanted);
      if (domains.length === 0) return undefined;
      const foreign = listResources(content).find((url) => !isWithin(hostOf(url) ?? '', domains));
      if (foreign === undefined) return undefined;
      return {
        found: shorten(foreign),
        wanted: domains.join(', '),
        message: 'loads from a domain that the slot does not allow.',
      };
    },
  },
  {
    keyword: 'module_type',
    types: ['javascript'],
    at: 'module_type',
    judge: (wanted, { asset: { content = '', module_type } }) => {
      if (typeof wanted !== 'string') return undefined;
      const declared = typeof module_type === 'string' ? (MODULE_TYPES[module_type] ?? module_type) : undefined;
      const found = MODULE_SYNTAX.test(content) ? 'module' : declared;
      if (found === undefined) return wanted === 'module' ? 'unknown' : undefined;
      // A script that runs at once is a script.
      if (found === wanted || (found === 'script' && wanted === 'iife')) return undefined;
      return { found, wanted, message: `is a ${found}; the slot takes a ${wanted}.` };
    },
  },
  {
    keyword: 'strict_mode_required',
    types: ['javascript'],
    at: 'content',
    judge: (wanted, { asset: { content = '' } }) => {
      if (wanted !== true || STRICT.test(content) || MODULE_SYNTAX.test(content)) return undefined;
      return { found: 'sloppy mode', wanted: '"use strict"', message: 'does not begin with "use strict".' };
    },
  },
];

const URL_TYPES: Readonly<Record<string, readonly string[]>> = {
  clickthrough: ['clickthrough'],
  landing_page: ['clickthrough'],
  impression_tracker: ['tracker_pixel', 'tracker_script'],
  click_tracker: ['tracker_pixel', 'tracker_script'],
  viewability_tracker: ['tracker_pixel', 'tracker_script'],
  third_party_tracker: ['tracker_pixel', 'tracker_script'],
};

function urlTypeVerdict(taken: readonly string[], { asset: { url_type } }: Subject): Verdict {
  if (url_type === undefined || taken.length === 0 || taken.includes(url_type)) return undefined;
  const wanted = taken.join(' or ');
  return { found: shorten(url_type), wanted, message: `is a ${shorten(url_type)}; the slot takes ${wanted}.` };
}

const URL_RULES: readonly Rule[] = [
  {
    keyword: 'protocols',
    types: ['url'],
    at: 'url',
    judge: (wanted, { asset: { url } }) => {
      const fault = url === undefined || strings(wanted).length === 0 ? undefined : findUrlFault(url, strings(wanted));
      return fault && { found: fault.found, wanted: fault.wanted, message: `${fault.message}.` };
    },
  },
  {
    keyword: 'allowed_domains',
    types: ['url'],
    at: 'url',
    judge: (wanted, { asset: { url = '' } }) => {
      const host = hostOf(url);
      if (host === undefined || strings(wanted).length === 0 || isWithin(host, strings(wanted))) return undefined;
      const list = strings(wanted).join(', ');
      return { found: shorten(host), wanted: list, message: `leads to ${shorten(host)}; the slot takes ${list}.` };
    },
  },
  {
    keyword: 'macro_support',
    types: ['url'],
    at: 'url',
    judge: (wanted, { asset: { url = '' } }) =>
      wanted === false && hasMacros(url)
        ? { found: shorten(url), wanted: 'a URL without macros', message: 'has macros; the slot does not fill them.' }
        : undefined,
  },
  {
    keyword: 'role',
    types: ['url'],
    at: 'url_type',
    judge: (wanted, subject) => urlTypeVerdict(URL_TYPES[String(wanted)] ?? [], subject),
  },
  {
    keyword: 'url_type',
    types: ['url'],
    at: 'url_type',
    // Trackers may be scripts where a pixel is named: the role decides.
    judge: (wanted, subject) =>
      typeof wanted === 'string' && subject.requirements.role === undefined
        ? urlTypeVerdict([wanted], subject)
        : undefined,
  },
  {
    keyword: 'methods',
    types: ['webhook'],
    at: 'method',
    judge: (wanted, { asset: { method = 'POST' } }) => {
      if (strings(wanted).length === 0 || strings(wanted).includes(String(method))) return undefined;
      const list = strings(wanted).join(', ');
      return { found: shorten(String(method)), wanted: list, message: `is called by another method than ${list}.` };
    },
  },
];

function versionRule(keyword: string, type: 'vast' | 'daast'): Rule {
  return {
    keyword,
    types: [type],
    at: keyword,
    judge: (wanted, { facts: { tagVersion } }) => {
      if (typeof wanted !== 'string') return undefined;
      if (tagVersion === undefined) return 'unknown';
      // Players of a version play the earlier ones.
      if (Number(tagVersion) <= Number(wanted)) return undefined;
      return {
        found: tagVersion,
        wanted: `${wanted} or earlier`,
        message: `is version ${tagVersion}; the slot takes ${wanted} or earlier.`,
      };
    },
  };
}

const CATALOG_RULES: readonly Rule[] = [
  {
    keyword: 'catalog_type',
    types: ['catalog'],
    at: 'type',
    judge: (wanted, { asset: { type } }) => {
      if (typeof wanted !== 'string' || type === undefined || type === wanted) return undefined;
      return { found: shorten(String(type)), wanted, message: `is a catalog of another type than ${wanted}.` };
    },
  },
  {
    keyword: 'required_fields',
    types: ['catalog'],
    at: '',
    judge: (wanted, subject) => {
      const fields = strings(wanted);
      const bare = catalogItems(subject)?.find(
        (item) => !isObject(item) || fields.some((field) => item[field] === undefined),
      );
      if (bare === undefined) return undefined;
      const lacking = fields.filter((field) => !isObject(bare) || bare[field] === undefined).join(', ');
      return {
        found: `an item without ${lacking}`,
        wanted: fields.join(', '),
        message: `has an item without ${lacking}.`,
      };
    },
  },
  {
    keyword: 'feed_formats',
    types: ['catalog'],
    at: 'feed_format',
    judge: (wanted, { asset: { feed_format } }) => {
      if (feed_format === undefined || strings(wanted).length === 0) return undefined;
      if (strings(wanted).includes(String(feed_format))) return undefined;
      const list = strings(wanted).join(', ');
      return {
        found: shorten(String(feed_format)),
        wanted: list,
        message: `is a feed of another kind than ${list}.`,
      };
    },
  },
];

/** Every requirement of the other slots: text, code, URLs, tags, webhooks and catalogs. */
export const CONTENT_RULES: readonly Rule[] = [
  ...COUNTS.map(countRule),
  ...TEXT_RULES,
  ...CODE_RULES,
  ...URL_RULES,
  versionRule('vast_version', 'vast'),
  versionRule('daast_version', 'daast'),
  ...CATALOG_RULES,
];
