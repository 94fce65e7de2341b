import { describe, expect, it } from 'vitest';
import { type ArrivalPolicy, decideArrival, registersLegacy } from '../../../../src/platform/signing/verify/arrival.js';
import { vectors } from './vectors.js';

const SIGNATURE = { Signature: 'sig1=:AAAA:' };

type Facts = {
  readonly signed?: boolean;
  readonly required?: boolean;
  readonly credential?: boolean;
  readonly legacy?: boolean;
};

const decide = (
  { signed = false, required = false, credential = false, legacy = false }: Facts,
  policy?: ArrivalPolicy,
) =>
  decideArrival(
    {
      request: { headers: signed ? SIGNATURE : {} },
      isRequired: required,
      hasCredential: credential,
      registersLegacy: legacy,
    },
    policy,
  );

describe('what happens to a request first', () => {
  it.each<[Facts, ArrivalPolicy, ReturnType<typeof decideArrival>]>([
    [{ signed: true }, {}, 'verify'],
    [{ signed: true, credential: true }, {}, 'verify'],
    [{ signed: true, required: true, legacy: true }, {}, 'verify'],
    [{}, {}, 'unsigned'],
    [{ credential: true }, {}, 'unsigned'],
    [{ required: true }, {}, 'signature_required'],
    [{ required: true, credential: true }, {}, 'unsigned'],
    [{ required: true, credential: true }, { isStrict: true }, 'signature_required'],
    [{ credential: true }, { isStrict: true }, 'unsigned'],
    [{ legacy: true }, {}, 'signature_required'],
    [{ legacy: true, credential: true }, {}, 'unsigned'],
    [{ legacy: true, credential: true }, { signedLegacyOnly: true }, 'signature_required'],
  ])('%j with %j: %s', (facts, policy, expected) => {
    expect(decide(facts, policy)).toBe(expected);
  });

  it.each(['signature', 'Signature-Input', 'SIGNATURE-INPUT'])('one header, %s, is enough to be held to it', (name) => {
    const arrival = {
      request: { headers: { [name]: 'x' } },
      isRequired: false,
      hasCredential: true,
      registersLegacy: false,
    };
    expect(decideArrival(arrival)).toBe('verify');
  });

  it('decides the vectors of unsigned requests', () => {
    const unsigned = vectors('request-signing', 'negative').filter(
      ({ request }) => !('Signature' in request.headers) && !('Signature-Input' in request.headers),
    );
    expect(unsigned.map(({ file }) => file.slice(0, 3))).toEqual(['001', '027']);
    for (const { request, verifier_capability: capability } of unsigned) {
      const operation = request.url.split('/').at(-1) ?? '';
      const arrival = {
        request,
        isRequired: capability?.required_for.includes(operation) === true,
        // The vectors' bearer is nobody's here.
        hasCredential: false,
        registersLegacy: registersLegacy(JSON.parse(request.body)),
      };
      expect(decideArrival(arrival)).toBe('signature_required');
    }
  });
});

describe('a registration with a legacy block', () => {
  const block = { schemes: ['HMAC-SHA256'], credentials: 'x'.repeat(32) };

  it.each([
    [{ push_notification_config: { url: 'https://b.example', authentication: block } }],
    [{ push_notification_config: { authentication: { scheme: 'nonsense' } } }],
    [{ push_notification_config: { authentication: '' } }],
    [{ accounts: [{}, { notification_configs: [{}, { authentication: block }] }] }],
    [{ a: { b: { c: { push_notification_config: { authentication: {} } } } } }],
  ])('is found in %j', (args) => {
    expect(registersLegacy(args)).toBe(true);
  });

  it.each([
    [{}],
    [null],
    ['push_notification_config'],
    [{ push_notification_config: { url: 'https://b.example' } }],
    [{ push_notification_config: { url: 'https://b.example', authentication: null } }],
    [{ reporting: { authentication: block } }],
  ])('is not found in %j', (args) => {
    expect(registersLegacy(args)).toBe(false);
  });

  it('is looked for without end in no arguments', () => {
    let nested: object = { push_notification_config: { authentication: {} } };
    for (let depth = 0; depth < 10_000; depth += 1) nested = { nested };
    expect(registersLegacy(nested)).toBe(false);
  });
});
