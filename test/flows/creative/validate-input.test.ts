import { beforeAll, describe, expect, test } from 'vitest';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, freshKey, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { picture } from '../../kit/renderer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';

type Result = {
  readonly target: { readonly kind: string; readonly id: string };
  readonly result_kind: string;
  readonly violations?: readonly { readonly rule: string; readonly field: string; readonly expected?: unknown }[];
  readonly warnings?: readonly string[];
};

const CLICK = { asset_type: 'url', url: 'https://acme-outdoor.example/', url_type: 'clickthrough' };

let server: Booted;
let files: AssetServer;
beforeAll(async () => {
  const [right, wrong] = await Promise.all([picture(300, 250), picture(200, 200)]);
  files = await serveAssets({ '/right.png': right, '/wrong.png': wrong });
  server = await boot();
});

const banner = (file: string) => ({ asset_type: 'image', url: files.url(file), width: 300, height: 250 });

async function validate(args: object, tenant = 'sales'): Promise<readonly Result[]> {
  const payload = succeeded(await server.call('validate_input', args, { tenant, version: '3.1' }));
  if (hasSchemas('3.1')) expect(schemaJudge('3.1')('creative/validate-input-response', payload)).toEqual([]);
  return (payload as unknown as { results: readonly Result[] }).results;
}

async function refused(args: object, tenant = 'sales') {
  const { payload, isError } = await server.call('validate_input', args, { tenant, version: '3.1' });
  expect(isError).toBe(true);
  return payload.errors[0] as { code: string; field?: string };
}

describe('validate_input', () => {
  test('passes what build_creative made, for the kind, the format and the agent alike', async () => {
    const target_format_id = { agent_url: server.url('creative'), id: 'display_300x250_image' };
    const built = succeeded(
      await server.call(
        'build_creative',
        {
          idempotency_key: freshKey(),
          message: 'Spring sale: 20% off',
          brand: { domain: 'a.example' },
          target_format_id,
        },
        { tenant: 'creative' },
      ),
    );
    const targets = [
      { kind: 'canonical', id: 'image' },
      { kind: 'third_party_format', id: `${server.url('creative')}#display_300x250_image` },
    ];
    const results = await validate({ manifest: built.creative_manifest, targets }, 'creative');
    expect(results).toEqual(targets.map((target) => ({ target, result_kind: 'validated_pass' })));
    const [alone] = await validate({ manifest: built.creative_manifest }, 'creative');
    expect(alone).toMatchObject({ target: { kind: 'third_party_format' }, result_kind: 'validated_pass' });
  });

  test('finds in a file what sync_creatives refuses it for, at the same asset', async () => {
    const assets = { banner_image: banner('/wrong.png'), click_url: CLICK };
    const { format_id } = creative('wrong') as { format_id: object };
    const [result] = await validate({ manifest: { format_id, assets } }, 'creative');
    expect(result?.result_kind).toBe('validated_fail');
    const request = { idempotency_key: freshKey(), account: { account_id: 'acct_studio' } };
    const synced = await server.call(
      'sync_creatives',
      { ...request, creatives: [creative('wrong', { assets })] },
      { tenant: 'creative' },
    );
    expect(synced.isError).toBe(true);
    const [error] = synced.payload.errors as unknown as readonly { field: string; issues: readonly object[] }[];
    expect(result?.violations).toHaveLength(error?.issues.length ?? 0);
    expect(`creatives[0].${result?.violations?.[0]?.field}`).toBe(error?.field);
  });

  test('names assets as the manifest does: canonical where it is canonical', async () => {
    const manifest = { format_kind: 'image', assets: { image_main: banner('/wrong.png'), landing_page_url: CLICK } };
    const [result] = await validate({ manifest });
    expect(result?.target).toEqual({ kind: 'canonical', id: 'image' });
    expect(result?.violations?.map(({ field }) => field)).toContain('assets.image_main.width');
    const [missing] = await validate({ manifest: { format_kind: 'image', assets: { landing_page_url: CLICK } } });
    expect(missing?.violations).toEqual([expect.objectContaining({ rule: 'required', field: 'assets.image_main' })]);
  });

  test('answers each of several targets in its place, and fetches a file once', async () => {
    const { products } = succeeded(
      await server.call('get_products', { buying_mode: 'wholesale' }, { version: '3.1' }),
    ) as unknown as {
      products: readonly { product_id: string; format_options: readonly { format_kind: string }[] }[];
    };
    const manifest = { format_kind: 'image', assets: { image_main: banner('/right.png'), landing_page_url: CLICK } };
    const before = files.asked.length;
    const targets = products.map(({ product_id: id }) => ({ kind: 'product', id }));
    const results = await validate({ manifest, targets });
    expect(results.map(({ target }) => target)).toEqual(targets);
    for (const [index, { format_options: options }] of products.entries())
      if (!options.some(({ format_kind }) => format_kind === 'image'))
        expect(results[index]?.violations).toEqual([expect.objectContaining({ rule: 'format_kind' })]);
    expect(results.some(({ result_kind }) => result_kind === 'validated_pass')).toBe(true);
    expect(files.asked.slice(before).filter((path) => path === '/right.png')).toHaveLength(1);
  });

  test('passes a file that nobody serves, and says so', async () => {
    const { format_id } = creative('gone') as { format_id: object };
    const assets = { banner_image: banner('/gone.png'), click_url: CLICK };
    const [result] = await validate({ manifest: { format_id, assets } }, 'creative');
    expect(result).toMatchObject({ result_kind: 'validated_pass', warnings: expect.any(Array) });
    expect(result?.warnings?.[0]).toMatch(/could not be looked at/);
  });

  test.each([
    [{ kind: 'product', id: 'prod_none' }, 'PRODUCT_NOT_FOUND'],
    [{ kind: 'canonical', id: 'hologram' }, 'FORMAT_NOT_SUPPORTED'],
    [{ kind: 'third_party_format', id: 'https://formats.example/a@sha256:00' }, 'FORMAT_NOT_SUPPORTED'],
  ])('refuses the target %j that is not here', async (target, code) => {
    const { format_id, assets } = creative('any');
    expect(await refused({ manifest: { format_id, assets }, targets: [target] })).toMatchObject({
      code,
      field: 'targets[0].id',
    });
  });

  test('stores nothing, and takes an account that may be used', async () => {
    const { format_id, assets } = creative('unstored');
    const account = { account_id: SANDBOX_ACCOUNT };
    expect(await validate({ manifest: { format_id, assets }, account })).toHaveLength(1);
    const { creatives } = succeeded(await server.call('list_creatives', { account }));
    expect(creatives).toEqual([]);
    const none = await refused({ manifest: { format_id, assets }, account: { account_id: 'acct_nobody' } });
    expect(none.code).toBe('ACCOUNT_NOT_FOUND');
  });
});
