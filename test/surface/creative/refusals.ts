import type { RequestListener } from 'node:http';
import { expect } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { type RendererClient, type RendererPayload, rendererClient } from '../../kit/renderer.js';
import { temporaryFolder } from '../../kit/surroundings.js';
import { addLivePrincipal, LIVE_TOKEN, shippedTenant, writeTenant } from '../../kit/tenants.js';

/** A host of the public internet for the server under test; its files lie on this machine. */
export const CDN = 'cdn.advertiser.example';

/** The shipped renderer, for which `CDN` stands for an origin on this machine. */
export type OpenRenderer = {
  readonly server: Booted;
  readonly renderer: RendererClient;
  /** A caller whose money is real: nothing else on this machine is there for it. */
  readonly live: RendererClient;
};

/** Boots the shipped renderer with a live caller beside its sandbox. */
export async function openRenderer(cdnOrigin: string): Promise<OpenRenderer> {
  const tenants = temporaryFolder('seller-agent-tenants-');
  const tenant = shippedTenant('creative');
  addLivePrincipal(tenant);
  tenant.outbound = { resolve: { [CDN]: cdnOrigin } };
  writeTenant(tenants, tenant, 'creative');
  const server = await boot({ tenants });
  return { server, renderer: rendererClient(server), live: rendererClient(server, { token: LIVE_TOKEN }) };
}

/** Answers with a redirect. */
export const leadingTo =
  (location: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();

/** Both tasks that look at the files of a manifest, and what each says to one it must refuse. */
export async function refusals(
  caller: RendererClient,
  manifest: object,
  id: string,
): Promise<readonly RendererPayload[]> {
  const preview = { request_type: 'single', creative_manifest: manifest };
  const build = {
    target_format_id: caller.format(id),
    brand: { domain: 'acme-outdoor.example' },
    creative_manifest: manifest,
  };
  return [await caller.refused('preview_creative', preview), await caller.refused('build_creative', build)];
}

/** What a person or a model can correct: a 422 that names the place, says what is wrong, and what to do. */
export function expectHelp({ adcp_error, error }: RendererPayload, field: string, message: RegExp): void {
  expect({ code: adcp_error.code, field: adcp_error.field, status: error.status }).toEqual({
    code: 'VALIDATION_ERROR',
    field,
    status: 422,
  });
  expect(adcp_error.message).toMatch(message);
  expect(adcp_error.suggestion?.length).toBeGreaterThan(10);
  expect(JSON.stringify(adcp_error)).not.toMatch(/127\.0\.0\.1|ECONN|at Object|node:|\/etc\/passwd/);
}
