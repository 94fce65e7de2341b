import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { createRequest, SANDBOX_ACCOUNT, succeeded, updateRequest } from '../../kit/buyer.js';
import { appointment, type GovernanceAgentKit, startGovernanceAgent } from '../../kit/governance-agent.js';
import type { WireError } from '../../kit/wire.js';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

type Pair = { readonly privateKey: KeyObject; readonly jwk: Readonly<Record<string, unknown>> };

function newKey(kid: string, more: object = {}): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const members = { kid, alg: 'EdDSA', use: 'sig', key_ops: ['verify'], adcp_use: 'governance-signing' };
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), ...members, ...more } };
}

const GOOD = newKey('good');
const REQUESTS = newKey('requests', { adcp_use: 'request-signing' });
const STRANGER = newKey('good');

let server: Booted;
let agent: GovernanceAgentKit;

/** A seller whose account has a governance agent that publishes its keys. */
beforeEach(async () => {
  server = await boot();
  agent = await startGovernanceAgent();
  succeeded(await server.call('sync_governance', appointment(agent, { account_id: SANDBOX_ACCOUNT })));
  agent.documents.set('/.well-known/brand.json', { agents: [{ type: 'governance', id: 'gov', url: agent.url }] });
  agent.documents.set('/.well-known/jwks.json', { keys: [GOOD.jwk, REQUESTS.jwk] });
});

type Forgery = { readonly claims?: object; readonly header?: object; readonly key?: Pair };

/** A context of the agent for this seller, plan-1 and a purchase, with these changes. */
function context({ claims, header, key = GOOD }: Forgery = {}): string {
  const seconds = Math.floor(server.clock.now() / 1000);
  const whole = {
    iss: agent.url,
    sub: 'plan-1',
    aud: server.url(),
    iat: seconds,
    exp: seconds + 600,
    jti: 'chk_1',
    phase: 'purchase',
    ...claims,
  };
  const head = { alg: 'EdDSA', typ: 'adcp-gov+jws', kid: key.jwk.kid, ...header };
  const signed = `${part(head)}.${part(whole)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key.privateKey).toString('base64url')}`;
}

const buy = (governance_context: string, version: string | undefined = '3.1') =>
  server.call('create_media_buy', createRequest({ plan_id: 'plan-1', governance_context }), { version });

async function refused(governance_context: string, version?: string): Promise<WireError> {
  const { payload, isError } = await buy(governance_context, version);
  expect(isError).toBe(true);
  return payload.errors[0] as WireError;
}

describe('a governance context', () => {
  test('that the agent of the account signed for this seller and plan lets its agent be asked, and is passed on', async () => {
    const token = context();
    const bought = succeeded(await buy(token));
    expect(agent.checks[0]?.args).toMatchObject({ plan_id: 'plan-1', governance_context: token });
    const modification = context({
      claims: { phase: 'modification', aud: ['https://other.example/mcp', server.url()] },
    });
    const change = updateRequest(bought.media_buy_id, {
      packages: [{ package_id: bought.packages[0]?.package_id, budget: 2000 }],
      governance_context: modification,
    });
    succeeded(await server.call('update_media_buy', change, { version: '3.1' }));
  });

  test('of an intent may name no seller', async () => {
    succeeded(await buy(context({ claims: { phase: 'intent', aud: undefined } })));
  });

  test.each<[string, () => Forgery, string]>([
    ['of another seller', () => ({ claims: { aud: 'https://other.example/mcp' } }), 'audience'],
    ['of a purchase for nobody', () => ({ claims: { aud: undefined } }), 'audience'],
    ['of another plan', () => ({ claims: { sub: 'plan-2' } }), 'plan'],
    ['of another agent', () => ({ claims: { iss: 'https://governance.example/mcp' } }), 'issuer'],
    ['of another phase', () => ({ claims: { phase: 'delivery' } }), 'phase'],
    ['that has lapsed', () => ({ claims: { exp: Math.floor(server.clock.now() / 1000) - 120 } }), 'expired'],
    ['that never lapses', () => ({ claims: { exp: undefined } }), 'expired'],
    ['of tomorrow', () => ({ claims: { iat: Math.floor(server.clock.now() / 1000) + 86_400 } }), 'not_yet'],
    ['without an id', () => ({ claims: { jti: undefined } }), 'jti'],
    ['signed by a stranger under the name of a key', () => ({ key: STRANGER }), 'signature'],
    ['signed by a key that nobody publishes', () => ({ key: newKey('unknown') }), 'key'],
    ['signed by a key for requests', () => ({ key: REQUESTS }), 'key'],
    ['that says it is not signed', () => ({ header: { alg: 'none' } }), 'signature'],
    ['with an extension that has to be understood', () => ({ header: { crit: ['b64'] } }), 'signature'],
    ['of another kind of token', () => ({ header: { typ: 'JWT' } }), 'format'],
  ])('%s is refused, and nobody is asked', async (_what, forge, reason) => {
    expect(await refused(context(forge()))).toMatchObject({
      code: 'PERMISSION_DENIED',
      field: 'governance_context',
      details: { reason },
      suggestion: expect.stringContaining('check_governance'),
    });
    expect(agent.checks).toEqual([]);
    expect(succeeded(await server.call('get_media_buys', {})).media_buys).toEqual([]);
  });

  test('that is no signed token is refused to callers of 3.1, and left to its agent for those of 3.0', async () => {
    expect(await refused('ctx-of-the-buyer')).toMatchObject({
      code: 'PERMISSION_DENIED',
      details: { reason: 'format' },
    });
    succeeded(await buy('ctx-of-the-buyer', '3.0'));
    expect(agent.checks).toHaveLength(1);
    expect(await refused(context({ key: STRANGER }), '3.0')).toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  test('whose keys cannot be had is not decided about, and is taken once they can', async () => {
    const jwks = agent.documents.get('/.well-known/jwks.json') ?? {};
    agent.documents.delete('/.well-known/jwks.json');
    expect(await refused(context())).toMatchObject({
      code: 'GOVERNANCE_UNAVAILABLE',
      recovery: 'transient',
      details: { reason: 'no_keys' },
    });
    agent.documents.set('/.well-known/jwks.json', jwks);
    server.clock.advance(31_000);
    succeeded(await buy(context()));
  });

  test('of an agent that its brand.json does not list is refused', async () => {
    agent.documents.set('/.well-known/brand.json', { agents: [] });
    expect(await refused(context())).toMatchObject({
      code: 'PERMISSION_DENIED',
      details: { reason: 'signature_agent_not_in_brand_json' },
    });
  });
});
