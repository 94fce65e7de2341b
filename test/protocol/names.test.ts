import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProtocolNames, protocolNames } from '../../src/protocol/names.js';

const TABLE: readonly ProtocolNames[] = [
  {
    own: 'adcp',
    accepted: ['adcp', 'proto'],
    capabilitiesTool: 'get_adcp_capabilities',
    capabilitiesAliases: ['get_proto_capabilities', 'get_agent_capabilities'],
    capabilitiesRoot: 'adcp',
    error: 'adcp_error',
    version: 'adcp_version',
    acceptedVersion: ['adcp_version', 'proto_version'],
    acceptedMajorVersion: ['adcp_major_version', 'proto_major_version'],
    acceptedAuthHeaders: ['x-adcp-auth', 'x-proto-auth'],
    webhookTag: 'adcp/webhook-signing/v1',
    acceptedWebhookTags: ['adcp/webhook-signing/v1', 'proto/webhook-signing/v1'],
    requestTag: 'adcp/request-signing/v1',
    acceptedRequestTags: ['adcp/request-signing/v1', 'proto/request-signing/v1'],
    keyUses: ['adcp_use', 'proto_use'],
    hmacHeaders: ['X-ADCP', 'X-PROTO'],
  },
  {
    own: 'proto',
    accepted: ['proto'],
    capabilitiesTool: 'get_proto_capabilities',
    capabilitiesAliases: ['get_agent_capabilities'],
    capabilitiesRoot: 'proto',
    error: 'proto_error',
    version: 'proto_version',
    acceptedVersion: ['proto_version'],
    acceptedMajorVersion: ['proto_major_version'],
    acceptedAuthHeaders: ['x-proto-auth'],
    webhookTag: 'proto/webhook-signing/v1',
    acceptedWebhookTags: ['proto/webhook-signing/v1'],
    requestTag: 'proto/request-signing/v1',
    acceptedRequestTags: ['proto/request-signing/v1'],
    keyUses: ['proto_use'],
    hmacHeaders: ['X-PROTO'],
  },
];

describe('protocolNames', () => {
  it.each(TABLE)('derives every identifier of $own', (expected) => {
    expect(protocolNames(expected.own)).toEqual(expected);
  });

  it('accepts the set name and the neutral one, writes the set one, whatever it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9]{1,31}$/), (own) => {
        const names = protocolNames(own);
        const identifiers = [...names.acceptedVersion, ...names.acceptedMajorVersion, ...names.acceptedAuthHeaders];
        expect(new Set(names.accepted)).toEqual(new Set([own, 'proto']));
        expect(new Set(identifiers).size).toBe(identifiers.length);
        expect(names.acceptedVersion[0]).toBe(names.version);
        expect(names.capabilitiesAliases).toContain('get_agent_capabilities');
        expect([names.capabilitiesTool, ...names.capabilitiesAliases]).toContain('get_proto_capabilities');
        for (const name of [names.capabilitiesTool, names.error, names.version, names.capabilitiesRoot])
          expect(name).toContain(own);
      }),
    );
  });
});
