import { createRequire } from 'node:module';
import { isObject } from '../../platform/kernel/json/json.js';

/** An element of an XML document; `text` is what stands in it, entities and CDATA resolved. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
};

/** Why a document was not read. */
export type XmlFault = { readonly message: string; readonly found: string; readonly wanted: string };

/** A tag of more is read for longer than others should wait; usual ones have some thousand characters and some dozen tags. */
const MAX_CHARS = 250_000;
const MAX_TAGS = 5000;
const MAX_LEVELS = 40;
/** Attributes are gathered a character at a time, which takes longer and longer; addresses stand between tags, not in them. */
const MAX_TAG_CHARS = 20_000;
const LONG_TAG = new RegExp(`<[^<>!?][^<>]{${MAX_TAG_CHARS}}`);
const CDATA = '#cdata';
const TEXT = '#text';
const ATTRIBUTES = ':@';

const require = createRequire(import.meta.url);

/** Returns the XML library, loaded with the first tag (Node keeps it): most sellers never read one. */
function loadXmlLibrary(): typeof import('fast-xml-parser') {
  return require('fast-xml-parser');
}

/** Reads nothing but elements, attributes and text: no DTD, no entities of its own, values stay strings. */
const PARSER_OPTIONS = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: CDATA,
  textNodeName: TEXT,
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  trimValues: false,
  maxNestedTags: MAX_LEVELS,
};

/** Returns the root of an XML document. Refuses a DOCTYPE, anything oversized or too deep, and what is not well-formed. */
export function readXml(text: string): XmlElement | XmlFault {
  if (text.length > MAX_CHARS) {
    return fault('The document is too long.', `${text.length} characters`, `at most ${MAX_CHARS}`);
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    return fault('The document has a DOCTYPE or an entity.', 'DOCTYPE', 'a document without DTD and entities');
  }
  const tags = text.split('<').length - 1;
  if (tags > MAX_TAGS) return fault('The document has too many tags.', String(tags), `at most ${MAX_TAGS}`);
  if (LONG_TAG.test(text)) {
    return fault(
      'A tag of the document is too long.',
      `more than ${MAX_TAG_CHARS} characters`,
      `at most ${MAX_TAG_CHARS}`,
    );
  }
  if (countLevels(text) > MAX_LEVELS) {
    return fault('The document is nested too deep.', `more than ${MAX_LEVELS} levels`, `at most ${MAX_LEVELS}`);
  }
  const trimmed = text.replace(/^\ufeff/, '').trim();
  const valid = loadXmlLibrary().XMLValidator.validate(trimmed);
  if (valid !== true) {
    return fault('The document is not well-formed XML.', `an error at line ${valid.err.line}`, 'well-formed XML');
  }
  const [root] = readElements(parseNodes(trimmed), MAX_LEVELS);
  return root ?? fault('The document has no root element.', 'nothing', 'an element');
}

/** Whether reading ended in a fault. */
export function isXmlFault(read: XmlElement | XmlFault): read is XmlFault {
  return !('children' in read);
}

function parseNodes(text: string): unknown {
  try {
    return new (loadXmlLibrary().XMLParser)(PARSER_OPTIONS).parse(text);
  } catch {
    return [];
  }
}

/** Returns how deep tags stand in each other; comments and CDATA are not looked into. */
function countLevels(text: string): number {
  let level = 0;
  let deepest = 0;
  const pattern = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<(\/?)[^<>]*?(\/?)>/g;
  for (const [whole, closing, empty] of text.matchAll(pattern)) {
    if (whole.startsWith('<!') || whole.startsWith('<?')) continue;
    if (closing === '/') level -= 1;
    else if (empty !== '/') level += 1;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}

function fault(message: string, found: string, wanted: string): XmlFault {
  return { message, found, wanted };
}

function readElements(nodes: unknown, levels: number): readonly XmlElement[] {
  if (!Array.isArray(nodes) || levels === 0) return [];
  return nodes.filter(isObject).flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES);
    if (name === undefined || name.startsWith('#')) return [];
    const inside = node[name];
    return [
      {
        name,
        attributes: readAttributes(node[ATTRIBUTES]),
        children: readElements(inside, levels - 1),
        text: readText(inside).trim(),
      },
    ];
  });
}

function readAttributes(attributes: unknown): Readonly<Record<string, string>> {
  if (!isObject(attributes)) return {};
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, decodeEntities(String(value))]));
}

function readText(nodes: unknown): string {
  if (!Array.isArray(nodes)) return '';
  return nodes
    .filter(isObject)
    .map((node) => {
      if (typeof node[TEXT] === 'string') return decodeEntities(node[TEXT]);
      const data: unknown = Array.isArray(node[CDATA]) ? node[CDATA][0] : undefined;
      return isObject(data) && typeof data[TEXT] === 'string' ? data[TEXT] : '';
    })
    .join('');
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the five entities of XML and numbers, in one pass. */
function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:(amp|lt|gt|quot|apos)|#x([0-9a-f]{1,6})|#(\d{1,7}));/gi,
    (whole, name: string | undefined, hex: string | undefined, decimal: string | undefined) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** Returns a text as XML may carry it, in elements and attributes alike; characters that XML has no place for are left out. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
