import { describe, expect, it } from 'vitest';
import { boot } from '../../../kit/boot.js';
import { tenantsFolder } from '../../../kit/tenants.js';
import { outcome, post, refused, signingContext, WHO_AM_I } from './signing-context.js';

const COVERED = ['@method', '@target-uri', '@authority', 'content-type', 'content-digest'] as const;

describe('signed calls of an endpoint that serves the preview', async () => {
  const { server, alice } = await signingContext((tenant) => Object.assign(tenant, { protocol: { preview: true } }));

  it('says in its capabilities that the digest is covered, for callers of every release', async () => {
    for (const version of ['3.0', '3.1', '3.2-beta.5']) {
      const { payload } = await server.call('get_adcp_capabilities', {}, { version });
      expect(payload).toMatchObject({
        request_signing: { supported: true, covers_content_digest: 'required' },
        adcp: { supported_versions: ['3.0', '3.1', '3.2-beta.5'] },
      });
    }
  });

  it('takes padded Base64 in Signature and Content-Digest', async () => {
    expect(outcome(await post(server, alice, WHO_AM_I, { sign: { encoding: 'base64' } }))).toEqual(['acct_alice']);
  });

  it.each([
    ['base64url in both', {}],
    ['base64url in Content-Digest alone', { encoding: 'base64', digestEncoding: 'base64url' }],
  ] as const)('refuses %s, whichever release the body asks for', async (_what, sign) => {
    for (const release of ['3.0', '3.1', '3.2-beta.5']) {
      const body = structuredClone(WHO_AM_I) as { params: { arguments?: object } };
      body.params.arguments = { ...body.params.arguments, adcp_version: release };
      expect(outcome(await post(server, alice, body, { sign }))).toEqual(refused('signature_header_malformed'));
    }
  });

  it('refuses a signature that does not cover the digest', async () => {
    const components = COVERED.filter((name) => name !== 'content-digest');
    expect(outcome(await post(server, alice, WHO_AM_I, { sign: { encoding: 'base64', components } }))).toEqual(
      refused('signature_components_incomplete'),
    );
  });
});

describe('signed calls of an endpoint that serves no preview', async () => {
  const { server, alice } = await signingContext();

  it.each([{}, { encoding: 'base64' }] as const)('takes either alphabet: %j', async (sign) => {
    expect(outcome(await post(server, alice, WHO_AM_I, { sign }))).toEqual(['acct_alice']);
  });
});

it('a tenant that serves the preview and forbids digests does not start', async () => {
  const tenants = tenantsFolder((tenant) =>
    Object.assign(tenant, { protocol: { preview: true }, request_signing: { covers_content_digest: 'forbidden' } }),
  );
  await expect(boot({ tenants })).rejects.toThrow(/wants every signature to cover the digest of the body/);
});
