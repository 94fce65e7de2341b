import { describe, expect, it } from 'vitest';
import { looksLikeTag, parseTag, type TagFault } from '../../../src/creative/vast/tag.js';
import { writeVast } from '../../../src/creative/vast/write.js';
import { startCpuClock } from '../../kit/cpu.js';

const read = (text: string) => {
  const found = parseTag(text);
  if (!found.ok) throw new Error(`${found.fault.message} (${found.fault.found})`);
  return found.tag;
};
const fault = (text: string): TagFault => {
  const found = parseTag(text);
  if (found.ok) throw new Error('the tag was taken');
  return found.fault;
};

const inline = (version: string, linear = '') => `<?xml version="1.0"?>
<!-- made by hand -->
<VAST version="${version}" xmlns="http://www.iab.com/VAST">
  <Ad id="a&amp;1"><InLine>
    <AdSystem>House</AdSystem><AdTitle>Trail &#38; Pro</AdTitle>
    <Impression><![CDATA[https://t.example/i?a=1&b=[CACHEBUSTING]]]></Impression>
    <Impression>https://t.example/i2?a=1&amp;b=2</Impression>
    <Error>https://t.example/e</Error>
    <ViewableImpression><Viewable>https://t.example/v</Viewable></ViewableImpression>
    <Creatives><Creative><Linear>
      <Duration>00:00:30.500</Duration>
      <TrackingEvents><Tracking event="progress" offset="00:00:05">https://t.example/p</Tracking></TrackingEvents>
      <VideoClicks><ClickThrough> https://acme.example/ </ClickThrough><ClickTracking>https://t.example/c</ClickTracking></VideoClicks>
      <MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" width="1920" height="1080" bitrate="4000">https://cdn.example/a.mp4</MediaFile>
      </MediaFiles>${linear}
    </Linear></Creative></Creatives>
  </InLine></Ad>
</VAST>`;

describe('reading tags', () => {
  it.each(['2.0', '3.0', '4.0', '4.1', '4.2'])('a VAST %s', (version) => {
    expect(read(inline(version))).toEqual({
      language: 'vast',
      version,
      ads: [
        {
          kind: 'inline',
          id: 'a&1',
          title: 'Trail & Pro',
          adSystem: 'House',
          durationMs: 30_500,
          mediaFiles: [
            {
              ...{ url: 'https://cdn.example/a.mp4', mime: 'video/mp4', width: 1920, height: 1080 },
              ...{ bitrateKbps: 4000, delivery: 'progressive' },
            },
          ],
          clickThrough: 'https://acme.example/',
          trackers: [
            { event: 'impression', url: 'https://t.example/i?a=1&b=[CACHEBUSTING]' },
            { event: 'impression', url: 'https://t.example/i2?a=1&b=2' },
            { event: 'viewable', url: 'https://t.example/v' },
            { event: 'error', url: 'https://t.example/e' },
            { event: 'clickTracking', url: 'https://t.example/c' },
            { event: 'progress', url: 'https://t.example/p', offset: '00:00:05' },
          ],
        },
      ],
    });
  });

  it.each(['1.0', '1.1'])('a DAAST %s', (version) => {
    const tag = read(`<DAAST version="${version}"><Ad><InLine><AdTitle>x</AdTitle><Creatives><Creative><Linear>
      <Duration>00:00:15</Duration><MediaFiles><MediaFile type="audio/mpeg">https://cdn.example/a.mp3</MediaFile></MediaFiles>
      <AdInteractions><ClickThrough>https://acme.example/</ClickThrough></AdInteractions>
    </Linear></Creative></Creatives></InLine></Ad></DAAST>`);
    expect(tag).toMatchObject({
      language: 'daast',
      version,
      ads: [{ durationMs: 15_000, clickThrough: 'https://acme.example/' }],
    });
  });

  it('a wrapper', () => {
    const tag = read(
      '<VAST version="3.0"><Ad><Wrapper><VASTAdTagURI><![CDATA[https://ads.example/tag?c={CACHEBUSTER}]]></VASTAdTagURI></Wrapper></Ad></VAST>',
    );
    expect(tag.ads).toEqual([
      { kind: 'wrapper', wraps: 'https://ads.example/tag?c={CACHEBUSTER}', mediaFiles: [], trackers: [] },
    ]);
  });

  it('tells a tag from other text by its beginning', () => {
    expect(looksLikeTag(inline('4.2'))).toBe(true);
    expect(looksLikeTag('\ufeff<VAST version="2.0"/>')).toBe(true);
    expect(looksLikeTag('<DAAST/>')).toBe(true);
    for (const text of ['', 'VAST', '<VASTLY/>', '<html><VAST/></html>', '{"VAST": 1}'])
      expect(looksLikeTag(text)).toBe(false);
  });
});

describe('tags that are not taken', () => {
  const wrapper = (uri: string) => `<VAST version="4.0"><Ad><Wrapper>${uri}</Wrapper></Ad></VAST>`;

  it.each([
    ['a DOCTYPE', `<!DOCTYPE VAST [<!ENTITY a SYSTEM "file:///etc/passwd">]>${inline('4.2')}`, /DOCTYPE/],
    ['an unclosed tag', inline('4.2').replace('</Linear>', ''), /well-formed/],
    ['nothing', '', /well-formed|root/],
    ['text', 'hello', /well-formed|root/],
    ['JSON', '{"vast": "4.2"}', /well-formed|root/],
    ['HTML', '<html><body/></html>', /no VAST or DAAST/],
    ['VAST 1', '<VideoAdServingTemplate/>', /no VAST or DAAST/],
    ['no version', inline('4.2').replace('version="4.2"', ''), /version/],
    ['a version to come', inline('9.9'), /version/],
    ['a DAAST version of VAST', '<DAAST version="4.2"><Ad/></DAAST>', /version/],
    ['no ad', '<VAST version="4.2"></VAST>', /no ad/],
    ['no media', inline('4.2').replace(/<MediaFiles>[\s\S]*<\/MediaFiles>/, ''), /no media file/],
    ['a wrapper to nowhere', wrapper(''), /no tag/],
    ['a bad length', inline('4.2').replace('00:00:30.500', '30s'), /length/],
    [
      'a javascript click',
      inline('4.2').replace('https://acme.example/', 'javascript:alert(1)'),
      /click-through must not be/,
    ],
    [
      'a data media file',
      inline('4.2').replace('https://cdn.example/a.mp4', 'data:video/mp4;base64,AAAA'),
      /media file/,
    ],
    ['a javascript tracker', inline('4.2').replace('https://t.example/p', '&#106;avascript:x'), /tracker \(progress\)/],
    ['a wrapped file', wrapper('<VASTAdTagURI>file:///etc/passwd</VASTAdTagURI>'), /wrapped tag/],
  ])('%s', (_name, text, message) => {
    expect(fault(text).message).toMatch(message);
    expect(fault(text).found.length).toBeLessThanOrEqual(100);
  });

  it.each([
    ['a tag without end', `<VAST version="4.2" ${'b='.repeat(12_000)}/>`],
    ['entities within entities', `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(1000)}">]><VAST version="4.2">&a;</VAST>`],
    ['a thousand levels', `<VAST version="4.2">${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}</VAST>`],
    ['levels behind an attribute', `<VAST version="4.2">${'<a b="/>">'.repeat(1000)}${'</a>'.repeat(1000)}</VAST>`],
    ['a hundred thousand tags', `<VAST version="4.2">${'<a/>'.repeat(100_000)}</VAST>`],
    ['open tags without end', '<VAST '.repeat(19_000)],
    ['open comments without end', `<VAST version="4.2">${'<!-- '.repeat(19_000)}`],
    ['open CDATA without end', `<VAST version="4.2">${'<![CDATA['.repeat(19_000)}`],
    ['a long attribute', `<VAST version="${'4'.repeat(900_000)}"/>`],
    ['attributes without end', `<VAST ${'a="b" '.repeat(150_000)}/>`],
    ['spaces without end', `<VAST version="4.2">${' '.repeat(900_000)}<`],
    ['five megabytes', ' '.repeat(5_000_000)],
    ['names of the runtime', '<VAST version="4.2"><__proto__><constructor/></__proto__></VAST>'],
  ])('%s: in bounded time', (_name, text) => {
    const elapsed = startCpuClock();
    expect(parseTag(text).ok).toBe(false);
    expect(elapsed()).toBeLessThan(3000);
  });
});

describe('wrapVast', () => {
  const source = {
    id: 'cr_1',
    title: 'Trail <Pro> & "more"',
    adSystem: 'seller-agent',
    durationMs: 3_723_004,
    mediaFiles: [
      {
        url: 'https://cdn.example/a.mp4?x=1&y=]]>',
        mime: 'video/mp4',
        width: 1920,
        height: 1080,
        delivery: 'progressive',
      },
    ],
    clickThrough: 'https://acme.example/?a=1&c={CLICK_URL}',
    trackers: [
      { event: 'impression', url: 'https://t.example/i?c={CACHEBUSTER}&d=[CACHEBUSTING]' },
      { event: 'viewable', url: "https://t.example/v?q='" },
      { event: 'error', url: 'https://t.example/e' },
      { event: 'clickTracking', url: 'https://t.example/c' },
      { event: 'firstQuartile', url: 'https://t.example/q' },
      { event: 'progress', url: 'https://t.example/p', offset: '00:00:05' },
    ],
  };

  it('keeps click-through, trackers and macros, read back as they went in', () => {
    const { id, title, adSystem, durationMs, mediaFiles, clickThrough, trackers } = source;
    expect(read(writeVast(source))).toEqual({
      language: 'vast',
      version: '4.2',
      ads: [{ kind: 'inline', id, title, adSystem, durationMs, mediaFiles, clickThrough, trackers }],
    });
    expect(writeVast(source)).toContain('<Duration>01:02:03.004</Duration>');
    expect(writeVast(source)).toBe(writeVast(source));
  });

  it('needs no click-through and no tracker: its impression calls nobody then', () => {
    const { trackers: _none, clickThrough: _neither, ...bare } = source;
    const tag = writeVast(bare);
    expect(read(tag).ads[0]).toMatchObject({ trackers: [], durationMs: 3_723_004 });
    expect(tag).not.toContain('VideoClicks');
    expect(tag.split('<Impression/>')).toHaveLength(2);
  });

  it('has its elements in the order of the schema', () => {
    const names = [...writeVast(source).matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name);
    expect(names).toEqual(
      (
        'VAST Ad InLine AdSystem Error Impression ViewableImpression Viewable AdServingId AdTitle Creatives Creative ' +
        'UniversalAdId Linear TrackingEvents Tracking Tracking Duration MediaFiles MediaFile VideoClicks ClickTracking ClickThrough'
      ).split(' '),
    );
  });

  it('leaves out what XML cannot carry', () => {
    expect(read(writeVast({ ...source, title: 'a\0b\u0008c\ud800' })).ads[0]?.title).toBe('abc');
  });
});
