import { describe, expect, it } from 'vitest';
import { decideSignature, type SignaturePolicy } from '../../../../src/platform/signing/verify/requirement.js';
import { hasLegacyRegistration } from '../../../../src/seller/http/signatures/legacy-registration.js';
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
  policy?: SignaturePolicy,
) =>
  decideSignature(
    {
      request: { headers: signed ? SIGNATURE : {} },
      isRequired: required,
      hasCredential: credential,
      hasLegacyRegistration: legacy,
    },
    policy,
  );

describe('the decision whether a signature is verified', () => {
  it.each<[Facts, SignaturePolicy, ReturnType<typeof decideSignature>]>([
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

  it.each(['signature', 'Signature-Input', 'SIGNATURE-INPUT'])(
    'verifies a request that carries only the header %s',
    (name) => {
      const incoming = {
        request: { headers: { [name]: 'x' } },
        isRequired: false,
        hasCredential: true,
        hasLegacyRegistration: false,
      };
      expect(decideSignature(incoming)).toBe('verify');
    },
  );

  it('decides the vectors of unsigned requests', () => {
    const unsigned = vectors('request-signing', 'negative').filter(
      ({ request }) => !('Signature' in request.headers) && !('Signature-Input' in request.headers),
    );
    expect(unsigned.map(({ file }) => file.slice(0, 3))).toEqual(['001', '027']);
    for (const { request, verifier_capability: capability } of unsigned) {
      const operation = request.url.split('/').at(-1) ?? '';
      const incoming = {
        request,
        isRequired: capability?.required_for.includes(operation) === true,
        // The vectors' bearer is nobody's here.
        hasCredential: false,
        hasLegacyRegistration: hasLegacyRegistration(JSON.parse(request.body)),
      };
      expect(decideSignature(incoming)).toBe('signature_required');
    }
  });
});
