import { describe, expect, it } from 'vitest';
import { findUrlFault, hasMacros } from '../../src/creative/asset-url.js';
import { understandBrief } from '../../src/creative/compose/copy/brief/understanding.js';
import { shortenText } from '../../src/creative/compose/copy/fitting.js';
import { detectLanguage } from '../../src/creative/compose/copy/language/detect.js';
import { plainText } from '../../src/creative/compose/copy/text.js';
import { dataBytes } from '../../src/creative/data-url.js';
import { fillHtml, fillUrl, listPlaceholders } from '../../src/creative/macros/fill.js';
import { probeMedia } from '../../src/creative/probe/probe.js';
import { readInstruction } from '../../src/creative/transformers/instruction/read.js';
import { parseTag } from '../../src/creative/vast/tag.js';
import { parseDateTime, parseDay } from '../../src/platform/kernel/clock.js';
import { exceededBound } from '../../src/platform/kernel/json/bounds.js';
import { readStrictJson } from '../../src/platform/kernel/json/strict-json.js';
import { readRetryAfter } from '../../src/platform/net/retry-after.js';
import { HOST_NAME } from '../../src/platform/net/url.js';
import { readBytes } from '../../src/platform/signing/digest.js';
import { readByteMembers, readSignatureFields } from '../../src/platform/signing/signature-fields.js';
import { parsedTarget } from '../../src/platform/signing/target-uri.js';
import { readAdagents } from '../../src/registry/adagents/adagents.js';
import { readManagers } from '../../src/registry/adagents/ads-txt.js';
import { readBrandJson } from '../../src/registry/brand/brand-json.js';
import { domainName } from '../../src/registry/model/domains.js';
import { skeleton } from '../../src/registry/model/look-alikes.js';
import { readSelectionAsk } from '../../src/seller/domain/proposal/refinement/ask.js';
import { readPlanAsk } from '../../src/seller/domain/proposal/refinement/plan-ask.js';
import { readBrief } from '../../src/seller/domain/search/brief.js';
import { shownUrl } from '../../src/seller/webhooks/shown-url.js';
import { startCpuClock } from '../kit/cpu.js';

/** What a text is made of when it is meant to be read for long: a beginning, a part that is repeated, an end. */
type Shape = readonly [before: string, part: string, after: string];

/** Runs of one thing, things that open and never close, and things that almost are what is looked for. */
const RUNS: readonly Shape[] = [
  ' ',
  '\n',
  'a',
  '0',
  '-',
  '.',
  ',',
  '=',
  '<',
  '>',
  '"',
  "'",
  '&',
  '#',
  '/',
  '[',
  '{',
  '(',
].map((part) => ['', part, '!']);

const MARKUP: readonly Shape[] = [
  ['<svg ', 'a="b" ', '/>'],
  ['<svg>', 'url( ', '</svg>'],
  ['<svg><a b="url(', ' ', '"/></svg>'],
  ['<svg><a b="url(', ' "', '"/></svg>'],
  ['<svg><a href=', ' ', '"/></svg>'],
  ['<svg><a href="', ' ', '"/></svg>'],
  ['<svg><set attributeName="', ' ', '"/></svg>'],
  ['<svg><a on', 'a', ' "/></svg>'],
  ['<svg>', ' style="', '</svg>'],
  ['<svg>', '<style ', '</svg>'],
  ['<svg>', '<a-', '</svg>'],
  ['<svg>', '<a/>', '</svg>'],
  ['<svg>', '<g id="a"><use href="#a"/>', '</svg>'],
  ['<svg>', '<!--', '--></svg>'],
  ['<svg>', '<!-- -->', '</svg>'],
  ['<svg>', '</svg><!--', '</svg>'],
  ['<svg>', '</svg ', ''],
  ['<svg>', '&#65;', '</svg>'],
  ['<svg ', 'width="', '/>'],
  ['<svg width="', '1', 'x"/>'],
  ['<svg viewBox="', ' ', '"></svg>'],
  ['<?xml ', 'encoding=', '?><svg/>'],
  ['', '<?a?>', '<svg/>'],
  ['', '<!-- a -->', '<svg/>'],
  ['<VAST version="4.0">', '<Ad>', '</VAST>'],
  ['<VAST version="4.0">', '<Ad id="a"/>', '</VAST>'],
  ['<VAST version="4.0">', '<![CDATA[', '</VAST>'],
  ['<VAST version="4.0">', '<![CDATA[]]>', '</VAST>'],
  ['<VAST version="4.0" ', 'a="b" ', '/>'],
  ['<VAST version="4.0"', ' ', '/>'],
  ['<VAST><Ad>', '&amp;', '</Ad></VAST>'],
  ['<VAST>', '<?', '</VAST>'],
  ['<VAST>', '<!', '</VAST>'],
  ['', '<head ', ''],
  ['', '<html', ''],
  ['<a ', 'b=', '>'],
  ['<a ', 'b="', '>'],
  ['<a ', 'b=\'x c="y', '>'],
  ['', '<script>', ''],
  ['', '<script', ''],
  ['', '<title>', ''],
  ['', '{{A', ''],
  ['', '{A}', ''],
  ['', '<a href="{A}', ''],
];

const WORDS: readonly Shape[] = [
  ['', 'video ', ''],
  ['', 'budget ', ''],
  ['', '$1 ', ''],
  ['', '$1,000', 'x'],
  ['', '1,234.', 'x'],
  ['', '10% ', ''],
  ['', 'total ', 'by 10%'],
  ['', 'total by 1', '%'],
  ['', 'more and ', ''],
  ['', ', and then ', ''],
  ['', 'not under 5 euros, ', ''],
  ['', 'cpm of ', ''],
  ['', 'a. ', ''],
  ['', '. headline: ', ''],
  ['', '"a" ', ''],
  ['', '“', ''],
  ['', 'call to action "', ''],
  ['', 'no ', 'video'],
  ['', 'é', ''],
  ['', 'a\u0301', ''],
  ['', '動画', ''],
  ['a', '.', 'a'],
  ['a', ', ', 'a'],
  ['a', ' - ', 'a'],
];

const JSONS: readonly Shape[] = [
  ['[', '1,', '1]'],
  ['[', '[],', '1]'],
  ['[', '{},', '1]'],
  ['[', '"a",', '1]'],
  ['{', '"a":1,', '"b":2}'],
  ['"', '\\"', '"'],
  ['"', '\\\\', '"'],
  ['{"authorized_agents":[', '{"url":"https://a.example"},', '{}]}'],
  [
    '{"authorized_agents":[],"properties":[',
    '{"property_id":"a","identifiers":[{"type":"domain","value":"a.example"}]},',
    '{}]}',
  ],
  ['{"brands":[', '{"id":"a","names":[{"en":"A"}]},', '{}]}'],
  ['{"house":{"domain":"a.example","name":"a"},"brands":[', '{},', '{}]}'],
];

const ADDRESSES: readonly Shape[] = [
  ['https://', 'a.', 'example'],
  ['https://', 'a-', ''],
  ['https://a.example/', '{A}', ''],
  ['https://a.example/', '{', ''],
  ['https://a.example/', '%', ''],
  ['https://a.example/', '../', ''],
  ['https://a.example/?', 'a=1&', ''],
  ['', '[A]', ''],
  ['', '%%A', ''],
  ['data:a/b', ';a=b', ''],
  ['data:a/b;base64,', 'A', '!'],
  ['data:', 'a', '/'],
];

const HEADERS: readonly Shape[] = [
  ['', 'a=:', ''],
  ['', 'a=1,', ''],
  ['sig1=(', '"a" ', ')'],
  ['sig1=(', '(', ''],
  ['sig1=();', 'a;', ''],
  ['sig1="', '\\"', '"'],
  ['sig1=:', '=', 'a:'],
];

/** Bytes of files of each kind: a head, and a part that is repeated. */
const FILES: readonly Shape[] = [
  ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\b\x06\0\0\0\0\0\0\0', '\0\0\0\0tEXt\0\0\0\0', ''],
  ['\xff\xd8', '\xff\xe0\0\x02', ''],
  ['\xff\xd8', '\xff', ''],
  ['GIF89a\x01\0\x01\0\0\0\0', '\x21\xfe\x01a\0', ''],
  ['GIF89a\x01\0\x01\0\0\0\0', ',\0\0\0\0\x01\0\x01\0\0\x02\x01a\0', ''],
  ['RIFF\xff\xff\xff\0WEBP', 'VP8X\0\0\0\0', ''],
  ['RIFF\xff\xff\xff\0WAVE', 'abcd\0\0\0\0', ''],
  ['II*\0\b\0\0\0', '\x01\0\0\x01\x04\0', ''],
  ['\0\0\0\bftyp', '\0\0\0\bfree', ''],
  ['\0\0\0\bftyp', '\0\0\0\0moov', ''],
  ['\x1aE\xdf\xa3\x80', '\xec\x80', ''],
  ['\x1aE\xdf\xa3\x80', '\x18S\x80g\xff', ''],
  ['OggS', 'OggS', ''],
  ['ID3\x03\0\0\0\0\0\0', '\xff\xfb\x90\0', ''],
  ['ID3\x03\0\0\0\0\0\0', '\xff', ''],
  ['\xff\xf1', '\xff\xf1\x50\x80\x01\0\xfc', ''],
];

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Everything that reads what strangers send: how, the shapes that it is asked with, and about the most characters that reach it. */
const PARSERS: readonly (readonly [
  name: string,
  read: (text: string) => unknown,
  shapes: readonly Shape[],
  most: number,
])[] = [
  ['SVG', (text) => probeMedia(Buffer.from(`<svg>${text}</svg>`)), [...RUNS, ...MARKUP], 400_000],
  ['files', (text) => probeMedia(latin(text)), [...RUNS, ...MARKUP, ...FILES], 400_000],
  ['VAST', parseTag, [...RUNS, ...MARKUP], 200_000],
  ['macros in HTML', (text) => fillHtml(text, { A: 'x' }), [...RUNS, ...MARKUP], 400_000],
  [
    'macros in addresses',
    (text) => [fillUrl(text, { A: 'x' }), listPlaceholders(text)],
    [...RUNS, ...ADDRESSES],
    400_000,
  ],
  ['asset addresses', (text) => [hasMacros(text), findUrlFault(text)], [...RUNS, ...ADDRESSES], 400_000],
  ['data URLs', dataBytes, [...RUNS, ...ADDRESSES], 400_000],
  ['plain texts', plainText, [...RUNS, ...MARKUP, ...WORDS], 4000],
  ['briefs of creatives', (text) => understandBrief(text, { brandName: 'Acme' }), [...RUNS, ...WORDS], 10_000],
  ['commands to creatives', (text) => readInstruction(text, {}), [...RUNS, ...WORDS], 10_000],
  ['languages', detectLanguage, [...RUNS, ...WORDS], 4000],
  ['texts that are cut', (text) => shortenText(text, 2000), [...RUNS, ...WORDS], 4000],
  ['briefs of campaigns', readBrief, [...RUNS, ...WORDS], 20_000],
  ['asks for a selection', readSelectionAsk, [...RUNS, ...WORDS], 4000],
  ['asks about a plan', readPlanAsk, [...RUNS, ...WORDS], 4000],
  ['JSON that repeats no name', readStrictJson, [...RUNS, ...JSONS], 400_000],
  [
    'the bounds of JSON',
    (text) => exceededBound(Buffer.from(text), { levels: 64, values: 1e9 }),
    [...RUNS, ...JSONS],
    400_000,
  ],
  [
    'adagents.json',
    (text) => readAdagents(text, { file: 'adagents.json', domain: 'a.example', nowMs: 0 }),
    [...RUNS, ...JSONS],
    100_000,
  ],
  ['brand.json', (text) => readBrandJson(text, { file: 'f' }), [...RUNS, ...JSONS], 100_000],
  [
    'ads.txt',
    (text) => readManagers(text, 'a.example'),
    [...RUNS, ['', 'managerdomain=', ''], ['managerdomain', ' ', 'x'], ['', 'managerdomain=a.example\n', '']],
    100_000,
  ],
  ['signatures', (text) => readSignatureFields(text, text, 'sig1'), [...RUNS, ...HEADERS], 16_000],
  ['byte sequences', (text) => [readByteMembers(text), readBytes(text)], [...RUNS, ...HEADERS], 16_000],
  ['signed addresses', (text) => attempt(() => parsedTarget(text)), [...RUNS, ...ADDRESSES], 16_000],
  ['host names', (text) => HOST_NAME.test(text), [...RUNS, ...ADDRESSES, ['a', 'a-', '!']], 400_000],
  ['domains', (text) => [domainName(text), skeleton(text.slice(0, 253))], [...RUNS, ...ADDRESSES], 100_000],
  ['dates', (text) => [parseDateTime(text), parseDay(text), readRetryAfter(text, 0)], RUNS, 16_000],
  ['addresses in logs', (text) => attempt(() => shownUrl(text)), [...RUNS, ...ADDRESSES], 16_000],
];

function attempt(read: () => unknown): void {
  try {
    read();
  } catch {
    // A refusal is as good an answer as another one; only its time counts.
  }
}

function fill([before, part, after]: Shape, length: number): string {
  return before + part.repeat(Math.max(1, Math.floor((length - before.length - after.length) / part.length))) + after;
}

/** Milliseconds of CPU, the least of four readings, or the first that is at most `enough`. */
function cpuMs(read: () => unknown, enough = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < 4 && least > enough; reading += 1) {
    const elapsed = startCpuClock();
    read();
    least = Math.min(least, elapsed());
  }
  return least;
}

/** What is read in less at its greatest length holds nobody, and collecting garbage weighs more in it than growth. */
const FEW_MS = 50;
/** Eight times the text takes eight times the time; sixty-four times as long is what squares take. */
const MOST_GROWTH = 24;

describe('what reads the texts of strangers takes time in proportion to them', () => {
  it.each(PARSERS)('%s', (_name, read, shapes, most) => {
    const slow = shapes.flatMap((shape) => {
      const whole = fill(shape, most);
      // An even and an odd number of parts: quotation marks may end a text at its beginning.
      const eighths = [fill(shape, most / 8), fill(shape, most / 8 - shape[1].length)];
      const isSlow = () => {
        const wholeMs = cpuMs(() => read(whole), FEW_MS);
        if (wholeMs <= FEW_MS) return false;
        return wholeMs / Math.max(...eighths.map((eighth) => cpuMs(() => read(eighth)))) > MOST_GROWTH;
      };
      // Chance does not hit twice in a row.
      if (!isSlow() || !isSlow()) return [];
      const ms = cpuMs(() => read(whole));
      return ms > FEW_MS ? [{ shape, ms }] : [];
    });
    expect(slow).toEqual([]);
  });
});
