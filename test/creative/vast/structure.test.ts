import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TagTracker } from '../../../src/creative/vast/tag.js';
import { writeVast } from '../../../src/creative/vast/write.js';
import { isXmlFault, readXml, type XmlElement } from '../../../src/creative/vast/xml.js';

/** How often an element may stand in its parent. */
type Times = '1' | '?' | '*' | '+';

/** An element of the schema: its children in their order, its attributes, and what its text is. */
type Rule = {
  readonly children?: readonly (readonly [string, Times])[];
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  readonly values?: Readonly<Record<string, RegExp>>;
  readonly text?: RegExp;
};

const ADDRESS = /^\s*https?:\/\/\S+\s*$/;
const SOMETHING = /\S/;
const NUMBER = /^\d+$/;
/** xs:time, with milliseconds at most. */
const TIME = /^\d{2}:[0-5]\d:[0-5]\d(?:\.\d{3})?$/;
const EVENTS =
  /^(?:mute|unmute|pause|resume|rewind|skip|playerExpand|playerCollapse|loaded|start|firstQuartile|midpoint|thirdQuartile|complete|progress|closeLinear|creativeView|acceptInvitation|adExpand|adCollapse|minimize|close|overlayViewDuration|otherAdInteraction|interactiveStart|notUsed)$/;

/**
 * The elements of a linear ad in VAST 4.2, in the order of its schema: https://github.com/InteractiveAdvertisingBureau/vast (vast_4.2.xsd), and
 * https://iabtechlab.com/wp-content/uploads/2019/06/VAST_4.2_final_june26.pdf, section 3.
 */
const SCHEMA: Readonly<Record<string, Rule>> = {
  VAST: {
    children: [
      ['Error', '*'],
      ['Ad', '*'],
    ],
    required: ['version'],
    optional: ['xmlns'],
    values: { version: /^4\.2$/ },
  },
  Ad: { children: [['InLine', '1']], optional: ['id', 'sequence', 'conditionalAd', 'adType'] },
  InLine: {
    children: [
      ['AdSystem', '1'],
      ['Error', '*'],
      ['Extensions', '?'],
      ['Impression', '+'],
      ['Pricing', '?'],
      ['ViewableImpression', '?'],
      ['AdServingId', '1'],
      ['AdTitle', '1'],
      ['AdVerifications', '?'],
      ['Advertiser', '?'],
      ['Category', '*'],
      ['Creatives', '1'],
      ['Description', '?'],
      ['Expires', '?'],
      ['Survey', '?'],
    ],
  },
  AdSystem: { optional: ['version'], text: SOMETHING },
  Error: { text: ADDRESS },
  // Of an ad that nobody counts it is empty, and calls nobody.
  Impression: { optional: ['id'], text: /^(?:|\s*https?:\/\/\S+\s*)$/ },
  ViewableImpression: {
    children: [
      ['Viewable', '*'],
      ['NotViewable', '*'],
      ['ViewUndetermined', '*'],
    ],
    optional: ['id'],
  },
  Viewable: { text: ADDRESS },
  AdServingId: { text: SOMETHING },
  AdTitle: { text: SOMETHING },
  Creatives: { children: [['Creative', '+']] },
  Creative: {
    children: [
      ['UniversalAdId', '+'],
      ['CreativeExtensions', '?'],
      ['Linear', '?'],
      ['NonLinearAds', '?'],
      ['CompanionAds', '?'],
    ],
    optional: ['id', 'adId', 'sequence', 'apiFramework'],
  },
  UniversalAdId: { required: ['idRegistry'], text: SOMETHING },
  Linear: {
    children: [
      ['Icons', '?'],
      ['TrackingEvents', '?'],
      ['AdParameters', '?'],
      ['Duration', '1'],
      ['MediaFiles', '1'],
      ['VideoClicks', '?'],
    ],
    optional: ['skipoffset'],
  },
  TrackingEvents: { children: [['Tracking', '*']] },
  Tracking: {
    required: ['event'],
    optional: ['offset'],
    values: { event: EVENTS, offset: /^(?:\d{2}:[0-5]\d:[0-5]\d(?:\.\d{3})?|\d{1,3}%)$/ },
    text: ADDRESS,
  },
  Duration: { text: TIME },
  MediaFiles: {
    children: [
      ['ClosedCaptionFiles', '?'],
      ['MediaFile', '+'],
      ['Mezzanine', '*'],
      ['InteractiveCreativeFile', '*'],
    ],
  },
  MediaFile: {
    required: ['delivery', 'type', 'width', 'height'],
    optional: [
      'id',
      'codec',
      'bitrate',
      'minBitrate',
      'maxBitrate',
      'scalable',
      'maintainAspectRatio',
      'fileSize',
      'mediaType',
      'apiFramework',
    ],
    values: {
      delivery: /^(?:progressive|streaming)$/,
      type: /^[a-z]+\/[\w.+-]+$/,
      width: NUMBER,
      height: NUMBER,
      bitrate: NUMBER,
    },
    text: ADDRESS,
  },
  VideoClicks: {
    children: [
      ['ClickTracking', '*'],
      ['ClickThrough', '?'],
      ['CustomClick', '*'],
    ],
  },
  ClickTracking: { optional: ['id'], text: ADDRESS },
  ClickThrough: { optional: ['id'], text: ADDRESS },
};

/** Returns what of an element and all in it is not as the schema has it. */
function judge({ name, attributes, children, text }: XmlElement): readonly string[] {
  const rule = SCHEMA[name];
  if (rule === undefined) return [`${name} is no element of VAST`];
  const { required = [], optional = [], values = {} } = rule;
  const given = Object.keys(attributes);
  return [
    ...required.filter((one) => !given.includes(one)).map((one) => `${name} lacks ${one}`),
    ...given.filter((one) => ![...required, ...optional].includes(one)).map((one) => `${name} has ${one}`),
    ...given
      .filter((one) => values[one]?.test(attributes[one] ?? '') === false)
      .map((one) => `${name} ${one} is wrong`),
    ...(rule.text === undefined || rule.text.test(text) ? [] : [`${name} says "${text}"`]),
    ...judgeOrder(
      name,
      children.map((child) => child.name),
      rule.children ?? [],
    ),
    ...children.flatMap(judge),
  ];
}

/** Holds the names of children against a sequence of the schema. */
function judgeOrder(
  name: string,
  found: readonly string[],
  sequence: NonNullable<Rule['children']>,
): readonly string[] {
  const ranks = found.map((child) => sequence.findIndex(([wanted]) => wanted === child));
  const isInOrder = ranks.every((rank, at) => rank >= (ranks[at - 1] ?? 0));
  const counts = sequence.filter(([wanted, times]) => {
    const count = found.filter((child) => child === wanted).length;
    return (count === 0 && (times === '1' || times === '+')) || (count > 1 && (times === '1' || times === '?'));
  });
  return [
    ...(isInOrder ? [] : [`${name} has ${found.join(' ')}`]),
    ...counts.map(([wanted]) => `${name} has too many or too few of ${wanted}`),
  ];
}

function faultsOf(tag: string): readonly string[] {
  const root = readXml(tag);
  return isXmlFault(root) ? [root.message] : judge(root);
}

const AD = {
  id: 'a1',
  title: 'Acme: 20% off boots',
  adSystem: 'seller-agent',
  durationMs: 15_000,
  mediaFiles: [{ url: 'https://cdn.example/a.mp4?b=1&c=2', mime: 'video/mp4', width: 1920, height: 1080 }],
};

const tracker: fc.Arbitrary<TagTracker> = fc.record({
  event: fc.constantFrom(
    'impression',
    'viewable',
    'error',
    'clickTracking',
    'start',
    'firstQuartile',
    'midpoint',
    'complete',
    'mute',
    'skip',
  ),
  url: fc.webUrl({ withQueryParameters: true }),
});

describe('a VAST tag', () => {
  it('has the elements, order, counts and attributes of the schema of 4.2, whatever is tracked', () => {
    fc.assert(
      fc.property(
        fc.array(tracker, { maxLength: 8 }),
        fc.option(fc.webUrl(), { nil: undefined }),
        (trackers, clickThrough) => {
          expect(faultsOf(writeVast({ ...AD, trackers, clickThrough }))).toEqual([]);
        },
      ),
    );
    const progress = { event: 'progress', url: 'https://t.example/p', offset: '00:00:05' };
    expect(faultsOf(writeVast({ ...AD, trackers: [progress] }))).toEqual([]);
  });

  it('calls the addresses that it was given, and no others', () => {
    fc.assert(
      fc.property(fc.array(tracker, { maxLength: 8 }), (trackers) => {
        const tag = writeVast({ ...AD, trackers });
        const called = [...tag.matchAll(/<(?:Impression|Viewable|Error|Tracking|ClickTracking)[^>/]*>([^<]+)</g)];
        expect(called).toHaveLength(trackers.length);
        expect(tag.includes('<Impression/>')).toBe(!trackers.some(({ event }) => event === 'impression'));
      }),
    );
  });

  it.each([
    ['an element that VAST does not have', (tag: string) => tag.replace('<Linear>', '<Linear><Sound/>')],
    ['no impression', (tag: string) => tag.replace(/<Impression.*?\/(?:Impression)?>/, '')],
    [
      'its title in front of its system',
      (tag: string) => tag.replace(/(<AdSystem>.*?<\/AdSystem>)([\s\S]*?)(<AdTitle>.*?<\/AdTitle>)/, '$3$2$1'),
    ],
    ['a media file without a type', (tag: string) => tag.replace(/ type="[^"]*"/, '')],
    ['an event that VAST does not have', (tag: string) => tag.replace('event="start"', 'event="begin"')],
    ['an impression that is no address', (tag: string) => tag.replace('https://t.example/i', 'nobody')],
    ['a length in seconds', (tag: string) => tag.replace('00:00:15.000', '15')],
  ])('is found wrong with %s', (_what, spoil) => {
    const trackers = [
      { event: 'impression', url: 'https://t.example/i' },
      { event: 'start', url: 'https://t.example/s' },
    ];
    const tag = writeVast({ ...AD, trackers });
    expect(spoil(tag)).not.toBe(tag);
    expect(faultsOf(spoil(tag))).not.toEqual([]);
  });
});
