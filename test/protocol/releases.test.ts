import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, TaskError } from '../../src/protocol/errors.js';
import { protocolNames } from '../../src/protocol/names.js';
import {
  endpointSigning,
  negotiateRelease,
  RELEASES,
  releaseToServe,
  servedReleases,
} from '../../src/protocol/releases.js';

const ADCP = protocolNames('adcp');
type Refused = readonly [ErrorCode, string];

/** The release that is served for each that is asked for. */
const TABLE: readonly (readonly [args: Record<string, unknown>, served: string | Refused])[] = [
  [{}, '3.0'],
  [{ adcp_version: '3.0' }, '3.0'],
  [{ adcp_version: '3.1' }, '3.1'],
  [{ adcp_version: '3.2' }, '3.1'],
  [{ adcp_version: '3.99' }, '3.1'],
  [{ adcp_version: '2.9' }, ['VERSION_UNSUPPORTED', 'adcp_version']],
  [{ adcp_version: '4.0' }, ['VERSION_UNSUPPORTED', 'adcp_version']],
  [{ adcp_version: '0.0' }, ['VERSION_UNSUPPORTED', 'adcp_version']],
  [{ adcp_version: '3.1-rc.1' }, ['VERSION_UNSUPPORTED', 'adcp_version']],
  [{ adcp_version: '3.2-beta' }, ['VERSION_UNSUPPORTED', 'adcp_version']],
  [{ adcp_version: '3.1.2' }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_version: 'v3.1' }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_version: '3.01' }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_version: '03.1' }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_version: '3' }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_version: '' }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_version: ' 3.0' }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_version: 3.1 }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_version: null }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_version: ['3.0'] }, ['INVALID_REQUEST', 'adcp_version']],
  [{ adcp_major_version: 3 }, '3.0'],
  [{ adcp_major_version: 2 }, ['VERSION_UNSUPPORTED', 'adcp_major_version']],
  [{ adcp_major_version: 99 }, ['VERSION_UNSUPPORTED', 'adcp_major_version']],
  [{ adcp_major_version: 0 }, ['INVALID_REQUEST', 'adcp_major_version']],
  [{ adcp_major_version: 100 }, ['INVALID_REQUEST', 'adcp_major_version']],
  [{ adcp_major_version: 3.5 }, ['INVALID_REQUEST', 'adcp_major_version']],
  [{ adcp_major_version: '3' }, ['INVALID_REQUEST', 'adcp_major_version']],
  [{ adcp_version: '3.1', adcp_major_version: 3 }, '3.1'],
  [{ adcp_version: '3.1', adcp_major_version: 2 }, ['VERSION_UNSUPPORTED', 'adcp_major_version']],
  [{ adcp_version: '4.0', adcp_major_version: 3 }, ['VERSION_UNSUPPORTED', 'adcp_major_version']],
  [{ adcp_version: '3.1', adcp_major_version: 'x' }, ['INVALID_REQUEST', 'adcp_major_version']],
  [{ proto_version: '3.1' }, '3.1'],
  [{ proto_version: '9.9' }, ['VERSION_UNSUPPORTED', 'proto_version']],
  [{ proto_major_version: 7 }, ['VERSION_UNSUPPORTED', 'proto_major_version']],
  [{ adcp_version: '3.1', proto_version: '3.1' }, '3.1'],
  [{ adcp_version: '3.1', proto_version: '3.0' }, ['INVALID_REQUEST', 'proto_version']],
  [{ adcp_major_version: 3, proto_major_version: 4 }, ['INVALID_REQUEST', 'proto_major_version']],
  [{ other_version: '9.9' }, '3.0'],
];

function negotiated(args: Record<string, unknown>, names = ADCP): string | Refused {
  try {
    return negotiateRelease(args, names);
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    return [error.code, error.extras.field ?? ''];
  }
}

describe('negotiateRelease', () => {
  it.each(TABLE)('%j: %j', (args, served) => {
    expect(negotiated(args)).toEqual(served);
  });

  it('hears nothing but the neutral name beside its own', () => {
    const own = protocolNames('mediaproto');
    expect(negotiated({ mediaproto_version: '3.1' }, own)).toBe('3.1');
    expect(negotiated({ proto_version: '3.1' }, own)).toBe('3.1');
    expect(negotiated({ adcp_version: '3.1' }, own)).toBe('3.0');
  });

  it('serves the highest release that is not above the pin, of the same major only', () => {
    fc.assert(
      fc.property(fc.nat(120), fc.nat(120), (major, minor) => {
        const expected = major === 3 ? (minor === 0 ? '3.0' : '3.1') : ['VERSION_UNSUPPORTED', 'adcp_version'];
        expect(negotiated({ adcp_version: `${major}.${minor}` })).toEqual(expected);
      }),
    );
  });

  it('never serves anything for a pin that is no version', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (pin) => {
        fc.pre(typeof pin !== 'string' || !/^\d{1,3}\.\d{1,3}(-[a-zA-Z0-9.-]+)?$/.test(pin));
        expect(negotiated({ adcp_version: pin })).toEqual(['INVALID_REQUEST', 'adcp_version']);
      }),
    );
  });

  it('says which releases there are', () => {
    expect(() => negotiateRelease({ adcp_version: '9.9' }, ADCP)).toThrow(
      expect.objectContaining({
        extras: expect.objectContaining({ details: { supported_versions: RELEASES, supported_majors: [3] } }),
      }),
    );
  });
});

describe('a prerelease', () => {
  const served = servedReleases(true);

  it.each([
    ['3.2-beta.5', '3.2-beta.5'],
    ['3.2', '3.1'],
    ['3.9', '3.1'],
    ['3.1', '3.1'],
    ['3.0', '3.0'],
  ])('is served to who asks for exactly it, where it is on: %s is answered as %s', (pin, release) => {
    expect(negotiateRelease({ adcp_version: pin }, ADCP, served)).toBe(release);
    expect(releaseToServe({ adcp_version: pin }, ADCP, served)).toEqual({ release, asked: true });
  });

  it.each(['3.2-beta.4', '3.2-beta.6', '3.2-beta', '3.2-rc.1', '3.2-BETA.5', '3.1-beta.5'])(
    'is no other one: %s is refused, and the answer names those that are served',
    (pin) => {
      expect(() => negotiateRelease({ adcp_version: pin }, ADCP, served)).toThrow(
        expect.objectContaining({
          code: 'VERSION_UNSUPPORTED',
          extras: expect.objectContaining({
            details: { supported_versions: ['3.0', '3.1', '3.2-beta.5'], supported_majors: [3] },
          }),
        }),
      );
    },
  );

  it('is not served and not listed where it is off, and is what nobody gets who asks for none', () => {
    expect(servedReleases(false)).toEqual(['3.0', '3.1']);
    expect(() => negotiateRelease({ adcp_version: '3.2-beta.5' }, ADCP)).toThrow(
      expect.objectContaining({ code: 'VERSION_UNSUPPORTED' }),
    );
    expect(negotiateRelease({}, ADCP, served)).toBe('3.0');
    expect(negotiateRelease({ adcp_major_version: 3 }, ADCP, served)).toBe('3.0');
  });

  it('brings its signing rules to the endpoints that serve it, and to no other', () => {
    expect(endpointSigning(served)).toMatchObject({ requestDigest: 'required', requestBytes: 'base64' });
    expect(endpointSigning(RELEASES)).toMatchObject({ requestDigest: 'tenant', requestBytes: 'any' });
  });
});
