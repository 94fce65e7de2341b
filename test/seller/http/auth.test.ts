import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/platform/kernel/canonical.js';
import { KeyUses } from '../../../src/seller/calls/key-uses.js';
import type { Policies, Principal } from '../../../src/seller/domain/tenant/principal.js';
import { openSeller } from '../../../src/seller/domain/tenant/seller.js';
import type { Tenant } from '../../../src/seller/domain/tenant/tenant.js';
import { authenticate, denyCredential } from '../../../src/seller/http/arrival.js';

const RATE = { per_second: 1, burst: 1 };
const POLICIES: Policies = {
  creative_requirement: 'none',
  account_provisioning: 'auto',
  account_scope: 'principal',
  creative_approval: 'auto',
  rate_limits: { reads: RATE, writes: RATE, bytes: RATE },
};
const principal = (id: string, sandbox: boolean): Principal => ({
  id,
  name: id,
  sandbox,
  policies: POLICIES,
  billing: 'agent_billable',
  creativeBilling: 'through_protocol',
});

const TENANT: Tenant = {
  path: 'sales',
  file: 'sales.json',
  kinds: ['sales'],
  name: 'Pub',
  description: '',
  protocolName: 'adcp',
  releases: ['3.0', '3.1'],
  publisherDomains: ['pub.example'],
  portfolio: { primary_countries: ['US'], banned: [], reviewed: [], ages: {} },
  publicSandbox: false,
  hasTestController: true,
  publicInitialize: false,
  modelAnswers: undefined,
  publicTools: [],
  fulfillment: 'simulated',
  webhooks: {
    registration: { legacyWebhooks: true, bearerForChanges: false, requireOperationId: false },
    signatureReject: 'retry',
    onGone: 'stop',
    windowsMs: {},
  },
  requestSigning: {
    supported: true,
    covers_content_digest: 'either',
    required_for: [],
    warn_for: [],
    protocol_methods_required_for: [],
    protocol_methods_warn_for: [],
    strict: false,
  },
  principals: [
    {
      ...principal('alice', false),
      credentials: [
        { kind: 'sha256', digest: sha256Hex('alices-key') },
        { kind: 'sha256', digest: sha256Hex('alices-next-key') },
      ],
    },
    { ...principal('bob', true), credentials: [{ kind: 'public_token', token: 'bobs-token' }] },
  ],
  kits: {},
  accounts: [],
  products: [],
  signals: [],
  destinations: { platforms: [], agents: { activation_minutes: 0, key_type: 'key_value', key: 'segment' } },
  policies: POLICIES,
  approvals: [],
  orderReminders: { afterMs: 1, everyMs: 1 },
  governance: 'unlisted',
  replayTtlSeconds: 3600,
  proposals: [],
  answerWithinMs: 25_000,
  buildPrices: [],
  outboundResolve: {},
};
const seller = openSeller(TENANT, 'http://127.0.0.1:3000');

const clock = { now: () => Date.UTC(2026, 10, 26), nowOf: () => 0, ahead: () => [] };

/** What headers prove: the principal's id, or the kind of failure. */
function proven(headers: Record<string, string>, development = false): string {
  const proof = authenticate(seller, headers, { clock, development, keyUses: new KeyUses() });
  return proof.kind === 'principal' ? proof.principal.id : proof.kind;
}

describe('authenticate', () => {
  it.each<readonly [what: string, headers: Record<string, string>, proof: string]>([
    ['a key', { authorization: 'Bearer alices-key' }, 'alice'],
    ['the next key of the same', { authorization: 'Bearer alices-next-key' }, 'alice'],
    ['a public token', { authorization: 'Bearer bobs-token' }, 'bob'],
    ['the scheme in any case', { authorization: 'bearer alices-key' }, 'alice'],
    ['blanks around it', { authorization: 'Bearer   alices-key  ' }, 'alice'],
    ['the protocol’s own header', { 'x-adcp-auth': 'alices-key' }, 'alice'],
    ['the neutral header', { 'x-proto-auth': 'alices-key' }, 'alice'],
    ['the own header with a scheme', { 'x-adcp-auth': 'Bearer alices-key' }, 'alice'],
    ['an empty own header', { 'x-adcp-auth': ' ' }, 'missing'],
    ['nothing', {}, 'missing'],
    ['another header', { 'x-api-key': 'alices-key' }, 'missing'],
    ['a wrong key', { authorization: 'Bearer wrong' }, 'invalid'],
    ['a key in other letters', { authorization: 'Bearer ALICES-KEY' }, 'invalid'],
    ['a key’s digest', { authorization: `Bearer ${sha256Hex('alices-key')}` }, 'invalid'],
    ['no key', { authorization: 'Bearer' }, 'invalid'],
    ['two keys', { authorization: 'Bearer alices-key bobs-token' }, 'invalid'],
    ['another scheme', { authorization: 'Basic YWxpY2U6a2V5' }, 'invalid'],
    ['a wrong own header', { 'x-adcp-auth': 'wrong' }, 'invalid'],
    [
      'a wrong Authorization before a right own header',
      { authorization: 'Bearer wrong', 'x-adcp-auth': 'alices-key' },
      'invalid',
    ],
    ['the name of a prototype', { authorization: 'Bearer __proto__' }, 'invalid'],
  ])('%s', (_what, headers, proof) => {
    expect(proven(headers)).toBe(proof);
  });

  it.each<readonly [token: string, inDevelopment: string]>([
    ['demo-acme-outdoor-v1', 'demo-acme-outdoor-v1'],
    ['demo-x-v12', 'demo-x-v12'],
    ['demo-acme-outdoor', 'invalid'],
    ['demo--v1x', 'invalid'],
    ['demo-ACME-v1', 'invalid'],
    ['demo-acme/../x-v1', 'invalid'],
    [`demo-${'x'.repeat(65)}-v1`, 'invalid'],
  ])('the test kit %s is a principal in development mode alone', (token, inDevelopment) => {
    const headers = { authorization: `Bearer ${token}` };
    expect(proven(headers, true)).toBe(inDevelopment);
    expect(proven(headers, false)).toBe('invalid');
  });

  it('a test kit is a sandbox that needs creatives', () => {
    const proof = authenticate(
      seller,
      { authorization: 'Bearer demo-a-v1' },
      { clock, development: true, keyUses: new KeyUses() },
    );
    expect(proof).toMatchObject({ principal: { sandbox: true, policies: { creative_requirement: 'required' } } });
  });
});

describe('unauthorized', () => {
  it.each([
    [{ kind: 'missing' }, 'AUTH_MISSING', 'Bearer realm="seller-agent"'],
    [{ kind: 'invalid', header: 'x-adcp-auth' }, 'AUTH_INVALID', 'Bearer realm="seller-agent", error="invalid_token"'],
  ] as const)('%j', (proof, code, challenge) => {
    const refused = denyCredential(proof, seller);
    expect([refused.error.code, refused.challenge]).toEqual([code, challenge]);
    if (proof.kind === 'invalid') expect(refused.error.message).toContain(proof.header);
  });
});
