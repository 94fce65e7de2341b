import { beforeAll, describe, expect, test } from 'vitest';
import { type AssetServer, serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, succeeded } from '../../kit/buyer.js';
import { picture, type WireManifest } from '../../kit/renderer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import { tenantsFolder } from '../../kit/tenants.js';

type Leaf = {
  readonly build_variant_id: string;
  readonly parent_build_variant_id?: string;
  readonly creative_manifest: WireManifest;
  readonly variant_axis_value?: unknown;
  readonly recommended?: boolean;
  readonly vendor_cost?: number;
};
type Answer = {
  readonly creative_manifest?: WireManifest;
  readonly build_variant_id?: string;
  readonly creatives: readonly { readonly variants: readonly Leaf[] }[];
  readonly leaves_total: number;
  readonly leaves_returned: number;
  readonly budget_status: string;
  readonly vendor_cost: number;
  readonly currency: string;
  readonly pricing_option_id?: string;
  readonly message?: string;
  readonly mode?: string;
  readonly estimate: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly code: string }[];
};
type Transformer = {
  readonly transformer_id: string;
  readonly input_format_ids?: readonly { readonly id: string }[];
  readonly output_format_ids: readonly { readonly id: string }[];
  readonly params: readonly { readonly field: string; readonly allowed_values?: readonly string[] }[];
  readonly pricing_options?: readonly object[];
};

const BRAND = {
  domain: 'acme-outdoor.example',
  brand_kit_override: { colors: { primary: '#0a4a3a', secondary: '#f2b705' } },
};
const MESSAGE = 'Spring sale: 20% off trail running shoes';
const ACCOUNT = { account_id: 'acct_studio' };
const RATE = { pricing_option_id: 'po_build', unit_price: 0.4, currency: 'USD' };

let free: Booted;
let priced: Booted;
let files: AssetServer;
beforeAll(async () => {
  files = await serveAssets({ '/photo.png': await picture(600, 500) });
  free = await boot();
  const tenants = tenantsFolder((tenant) => {
    tenant.build_prices = [RATE];
  }, 'creative');
  priced = await boot({ tenants });
});

const format = (id: string, server = free) => ({ agent_url: server.url('creative'), id });

async function call<Result>(task: string, args: object, server = free): Promise<Result> {
  const payload = succeeded(await server.call(task, args, { tenant: 'creative', version: '3.1' }));
  const folder = task === 'build_creative' ? 'media-buy' : 'creative';
  const file = `${folder}/${task.replaceAll('_', '-')}-response`;
  if (hasSchemas('3.1')) expect(schemaJudge('3.1')(file, payload)).toEqual([]);
  return payload as unknown as Result;
}

const build = (args: object, server = free): Promise<Answer> =>
  call('build_creative', { idempotency_key: freshKey(), ...args }, server);

async function refused(args: object, server = free) {
  const request = { idempotency_key: freshKey(), ...args };
  const { payload, isError } = await server.call('build_creative', request, { tenant: 'creative', version: '3.1' });
  expect(isError).toBe(true);
  return payload.errors[0] as { code: string; field?: string; suggestion?: string };
}

const fromBrief = (more: object = {}, server = free) => ({
  message: MESSAGE,
  brand: BRAND,
  target_format_id: format('display_300x250_image', server),
  ...more,
});

const leavesOf = ({ creatives }: Answer) => creatives.flatMap(({ variants }) => variants);
const assetsOf = (leaf: Leaf) => JSON.stringify(leaf.creative_manifest.assets);
const list = (args: object = {}, server = free) =>
  call<{ readonly transformers: readonly Transformer[] }>('list_transformers', args, server);

/** A creative for whatever a transformer works on. */
const source = () => ({
  format_id: format('native_in_feed'),
  assets: {
    banner_image: { asset_type: 'image', url: files.url('/photo.png'), width: 600, height: 500 },
    headline: { asset_type: 'text', content: 'Shoes that last' },
    click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/', url_type: 'clickthrough' },
  },
});

describe('transformers', () => {
  test('that are listed each make what they say they make, with every value of every parameter', async () => {
    const { transformers } = await list();
    expect(transformers.map(({ transformer_id }) => transformer_id)).toEqual([
      'ad_from_brief',
      'resize',
      'rewrite_headline',
    ]);
    for (const { transformer_id, output_format_ids: outputs, params, input_format_ids: inputs } of transformers) {
      const material = inputs === undefined ? {} : { creative_manifest: source() };
      const common = { transformer_id, message: MESSAGE, brand: BRAND, ...material };
      const concrete = outputs.filter(({ id }) => !/^display_(image|html|js)$/.test(id));
      expect(concrete.length).toBeGreaterThan(0);
      const some = concrete.filter((_, index) => index % 3 === 0).slice(0, 12);
      const built = await build({ ...common, target_format_ids: some });
      expect(JSON.stringify(built)).toContain('creative_manifests');
      for (const { field, allowed_values: values = [] } of params)
        for (const value of values)
          await build({ ...common, target_format_id: concrete[0], config: { [field]: value } });
    }
  });

  test('are found by formats, names and briefs, and have prices for an account', async () => {
    const idsOf = async (args: object) => (await list(args)).transformers.map(({ transformer_id }) => transformer_id);
    expect(await idsOf({ name_search: 'HEADLINE' })).toEqual(['rewrite_headline']);
    expect(await idsOf({ brief: 'another headline for my ad' })).toContain('rewrite_headline');
    expect(await idsOf({ output_format_ids: [format('video_standard_30s')] })).toEqual([]);
    expect(await idsOf({ transformer_ids: ['resize', 'nothing'] })).toEqual(['resize']);
    const { transformers } = await list({ include_pricing: true, account: ACCOUNT }, priced);
    for (const { pricing_options } of transformers)
      expect(pricing_options).toEqual([{ ...RATE, model: 'per_unit', unit: 'format' }]);
    const { payload } = await free.call('list_transformers', { include_pricing: true }, { tenant: 'creative' });
    expect(payload.errors[0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'account' });
  });

  test.each([
    [{ transformer_id: 'video_from_stills' }, 'REFERENCE_NOT_FOUND', 'transformer_id'],
    [{ transformer_id: 'resize' }, 'VALIDATION_ERROR', 'creative_manifest'],
    [{ transformer_id: 'ad_from_brief', config: { sparkle: 1 } }, 'INVALID_REQUEST', 'config.sparkle'],
    [{ transformer_id: 'ad_from_brief', config: { motif: 'moon' } }, 'INVALID_REQUEST', 'config.motif'],
    [{ config: { motif: 'dots' } }, 'INVALID_REQUEST', 'config'],
    [{ variant_axis: { dimension: 'voice' } }, 'UNSUPPORTED_FEATURE', 'variant_axis.dimension'],
    [{ variant_axis: { dimension: 'transformer_config', field: 'x' } }, 'INVALID_REQUEST', 'variant_axis.field'],
    [{ refine_from_build_variant_id: 'bv_none' }, 'REFERENCE_NOT_FOUND', 'refine_from_build_variant_id'],
  ])('refuse %j', async (more, code, field) => {
    expect(await refused(fromBrief(more))).toMatchObject({ code, field, suggestion: expect.any(String) });
  });

  test('say in the capabilities what they do', async () => {
    const { creative } = succeeded(
      await priced.call('get_adcp_capabilities', {}, { tenant: 'creative', version: '3.1' }),
    ) as unknown as { creative: object };
    expect(creative).toMatchObject({
      supports_transformers: true,
      supports_spend_controls: true,
      bills_through_adcp: true,
    });
  });
});

describe('the language of a build', () => {
  test('is that of the call, calls to action too; what is not translated is said', async () => {
    const request = fromBrief({ target_format_id: format('display_300x250_html') });
    const german = await build({ ...request, language: 'de-AT' });
    const html = Object.values(german.creative_manifest?.assets ?? {}).find(({ asset_type: type }) => type === 'html');
    expect(html?.content).toContain('Jetzt');
    expect(html?.content).toContain('lang="de"');
    expect(german.message).toContain('The button is in German');
    const config = await build({ ...request, transformer_id: 'ad_from_brief', config: { language: 'de' } });
    expect(config.creative_manifest?.assets).toEqual(german.creative_manifest?.assets);
  });

  test('that ads are not written in is refused', async () => {
    expect(await refused(fromBrief({ language: 'sw' }))).toMatchObject({
      code: 'UNSUPPORTED_FEATURE',
      field: 'language',
    });
  });
});

describe('variants', () => {
  test('are as many as were asked for, and none is like another', async () => {
    const answer = await build(fromBrief({ max_variants: 5, keep_mode: 'keep_one' }));
    const leaves = leavesOf(answer);
    expect(new Set(leaves.map(assetsOf)).size).toBe(5);
    expect(new Set(leaves.map(({ build_variant_id: id }) => id)).size).toBe(5);
    expect(leaves.map(({ recommended }) => recommended)).toEqual([true, false, false, false, false]);
    expect(answer).toMatchObject({
      leaves_total: 5,
      leaves_returned: 5,
      budget_status: 'complete',
      keep_mode_applied: 'keep_one',
    });
  });

  test('along a parameter have the values that were named, of each format', async () => {
    const answer = await build({
      ...fromBrief({ transformer_id: 'ad_from_brief' }),
      target_format_id: undefined,
      target_format_ids: [format('display_300x250_image'), format('display_728x90_image')],
      variant_axis: { dimension: 'transformer_config', field: 'motif', values: ['dots', 'rings'] },
    });
    expect(answer.creatives.map(({ variants }) => variants.map((one) => one.variant_axis_value))).toEqual([
      ['dots', 'rings'],
      ['dots', 'rings'],
    ]);
    expect(new Set(leavesOf(answer).map(assetsOf)).size).toBe(4);
  });

  test('beyond the most of one answer are left out, and counted', async () => {
    const answer = await build(fromBrief({ max_variants: 30 }));
    expect(answer).toMatchObject({ leaves_total: 30, leaves_returned: 8 });
  });
});

describe('spend controls', () => {
  const TWO = () => ({
    target_format_id: undefined,
    target_format_ids: [format('display_300x250_image', priced), format('display_728x90_image', priced)],
  });

  test('estimate what a build then costs, and build nothing', async () => {
    const request = fromBrief({ ...TWO(), account: ACCOUNT }, priced);
    const { estimate, mode } = await build({ ...request, mode: 'estimate' }, priced);
    expect({ mode, ...estimate }).toMatchObject({
      mode: 'estimate',
      leaves_total: 2,
      cost_low: 0.8,
      cost_high: 0.8,
      basis: 'fixed',
    });
    const built = await build(request, priced);
    expect(built).toMatchObject({ pricing_option_id: 'po_build', vendor_cost: estimate.cost_high, currency: 'USD' });
    const band = await build({ ...request, mode: 'estimate', max_variants: 3 }, priced);
    expect(band.estimate).toMatchObject({ cost_low: 0.8, cost_high: 2.4, basis: 'estimated_units' });
  });

  test('hold a ceiling: what fits is built, and what does not is said', async () => {
    const request = fromBrief({ account: ACCOUNT, max_variants: 4, max_spend: { amount: 1, currency: 'USD' } }, priced);
    const answer = await build(request, priced);
    expect(answer).toMatchObject({ budget_status: 'capped', leaves_total: 4, leaves_returned: 2, vendor_cost: 0.8 });
    expect(answer.errors).toEqual([expect.objectContaining({ code: 'BUDGET_CAP_REACHED' })]);
    expect(leavesOf(answer).map(({ vendor_cost: cost }) => cost)).toEqual([0.4, 0.4]);
    const formats = fromBrief({ account: ACCOUNT, ...TWO(), max_spend: { amount: 0.5, currency: 'USD' } }, priced);
    expect(leavesOf(await build(formats, priced))).toHaveLength(1);
  });

  test.each([
    [{ account: ACCOUNT, max_spend: { amount: 0.3, currency: 'USD' } }, 'BUDGET_CAP_REACHED', 'max_spend.amount'],
    [{ account: ACCOUNT, max_spend: { amount: 9, currency: 'EUR' } }, 'INVALID_REQUEST', 'max_spend.currency'],
    [{}, 'INVALID_REQUEST', 'account'],
  ])('refuse %j', async (more, code, field) => {
    expect(await refused(fromBrief(more, priced), priced)).toMatchObject({ code, field });
  });

  test('say that a sandbox is free, and are refused where building is not billed through the protocol', async () => {
    const { estimate, message } = await build(fromBrief({ mode: 'estimate' }));
    expect(estimate).toMatchObject({ cost_high: 0, currency: 'USD', basis: 'fixed' });
    expect(message).toMatch(/free/);
    const tenants = tenantsFolder((tenant) => {
      delete tenant.build_prices;
    }, 'creative');
    const unbilled = await boot({ tenants });
    const asked = { max_spend: { amount: 1, currency: 'USD' } };
    for (const [field, more] of [
      ['mode', { mode: 'estimate' }],
      ['max_spend', asked],
    ] as const)
      expect(await refused(fromBrief(more, unbilled), unbilled)).toMatchObject({ code: 'UNSUPPORTED_FEATURE', field });
    const { creative } = succeeded(
      await unbilled.call('get_adcp_capabilities', {}, { tenant: 'creative', version: '3.1' }),
    ) as unknown as { creative: object };
    expect(creative).toMatchObject({ bills_through_adcp: false, supports_spend_controls: false });
  });
});

describe('a refinement', () => {
  /** A page, whose words and colors can be read. */
  const page = async () => build(fromBrief({ target_format_id: format('display_300x250_html') }));
  const htmlOf = (manifest: WireManifest | undefined) =>
    Object.values(manifest?.assets ?? {}).find(({ asset_type }) => asset_type === 'html')?.content ?? '';

  async function refine(id: string | undefined, more: object): Promise<Leaf> {
    const answer = await build({ refine_from_build_variant_id: id, ...more });
    const [leaf] = leavesOf(answer);
    expect(leaf?.parent_build_variant_id).toBe(id);
    return leaf as Leaf;
  }

  test('changes the headline that it names, and leaves what it does not name', async () => {
    const first = await page();
    const leaf = await refine(first.build_variant_id, { message: 'Make the headline "Run further"' });
    const [before, after] = [htmlOf(first.creative_manifest), htmlOf(leaf.creative_manifest)];
    expect(before).not.toContain('Run further');
    expect(after).toContain('Run further');
    expect(after).toContain('#0a4a3a');
  });

  test('is taken for as long as the capabilities say, and no longer', async () => {
    const { creative } = succeeded(
      await free.call('get_adcp_capabilities', {}, { tenant: 'creative', version: '3.1' }),
    ) as unknown as { creative: { refinable_retention_seconds: number } };
    const retentionMs = creative.refinable_retention_seconds * 1000;
    const { build_variant_id } = await page();
    free.clock.advance(retentionMs - 60_000);
    await refine(build_variant_id, { message: 'Headline: "Run further"' });
    free.clock.advance(120_000);
    expect(await refused({ refine_from_build_variant_id: build_variant_id, message: 'Headline: "Run"' })).toMatchObject(
      {
        code: 'REFERENCE_NOT_FOUND',
        field: 'refine_from_build_variant_id',
      },
    );
    free.clock.advance(-retentionMs - 60_000);
  });

  test('goes on from a refinement, and can be told by a config too', async () => {
    const first = await page();
    const titled = await refine(first.build_variant_id, { message: 'Headline: "Run further"' });
    const colored = await refine(titled.build_variant_id, { message: 'Put it on #223388' });
    expect(htmlOf(colored.creative_manifest)).toMatch(/Run further/);
    expect(htmlOf(colored.creative_manifest)).toContain('#223388');
    const inverted = await refine(first.build_variant_id, { config: { colors: 'inverted' } });
    expect(htmlOf(inverted.creative_manifest)).not.toBe(htmlOf(first.creative_manifest));
    const moved = await refine(first.build_variant_id, { message: 'Use another motif' });
    expect(htmlOf(moved.creative_manifest)).not.toBe(htmlOf(first.creative_manifest));
  });

  test('leaves what it refines as it was, and may have variants', async () => {
    const first = await page();
    const answer = await build({
      refine_from_build_variant_id: first.build_variant_id,
      message: 'Headline: "Go"',
      max_variants: 3,
    });
    expect(new Set(leavesOf(answer).map(assetsOf)).size).toBe(3);
    for (const leaf of leavesOf(answer)) expect(htmlOf(leaf.creative_manifest)).toContain('Go');
    const again = await refine(first.build_variant_id, { message: 'Let the button say "Buy now"' });
    expect(htmlOf(again.creative_manifest)).toContain('Buy now');
    expect(htmlOf(again.creative_manifest)).not.toContain('>Go<');
  });

  test('that would change nothing, or something else at once, is refused', async () => {
    const { build_variant_id: id } = await page();
    const refining = { refine_from_build_variant_id: id };
    expect(await refused({ ...refining, config: { colors: 'brand' } })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refused(refining)).toMatchObject({ code: 'INVALID_REQUEST', field: 'message' });
    const elsewhere = { ...refining, message: 'Shorter', target_format_id: format('display_728x90_image') };
    expect(await refused(elsewhere)).toMatchObject({ code: 'INVALID_REQUEST', field: 'target_format_id' });
    const other = { ...refining, message: 'Shorter', transformer_id: 'resize' };
    expect(await refused(other)).toMatchObject({ code: 'INVALID_REQUEST', field: 'transformer_id' });
    const stranger = await free.call(
      'build_creative',
      { idempotency_key: freshKey(), ...refining, message: 'Shorter' },
      { tenant: 'creative', version: '3.1', token: 'sandbox-token-2' },
    );
    expect(stranger.payload.errors[0]?.code).toBe('REFERENCE_NOT_FOUND');
  });

  test('follows each command of a sentence, and reports on each', async () => {
    const first = await page();
    const answer = await build({
      refine_from_build_variant_id: first.build_variant_id,
      message: 'Change the headline to "Run further" and use a red background. Make the logo bigger.',
    });
    const html = htmlOf(leavesOf(answer)[0]?.creative_manifest);
    expect(html).toContain('Run further');
    expect(html).toContain('#c8102e');
    expect(answer.message).toContain('Done: the headline is now "Run further".');
    expect(answer.message).toContain('Done: the background is now #c8102e.');
    expect(answer.message).toMatch(/Not done: "Make the logo bigger": /);
    const vain = { refine_from_build_variant_id: first.build_variant_id, message: 'Move the button to the left' };
    expect(await refused(vain)).toMatchObject({ code: 'VALIDATION_ERROR', field: 'message' });
    const { build_variant_id: refine_from_build_variant_id } = first;
    const message = 'Lose the photo, more elegant overall, and change running to walking';
    const clauses = await build({ refine_from_build_variant_id, message });
    expect(clauses.message).toContain('Not done: "Lose the photo": the ad has none.');
    expect(clauses.message).toContain(
      'Done: the tone of the layout is now elegant. Done: the words are now "walking".',
    );
    expect(htmlOf(leavesOf(clauses)[0]?.creative_manifest)).toContain('trail walking shoes');
    for (const [brief, understood] of [
      ['Take it off', /no part is named/],
      ['Change Hamburg to Berlin', /"Hamburg" is in none of the creative's words/],
    ] as const)
      expect(await refused({ refine_from_build_variant_id, message: brief })).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { not_done: [expect.stringMatching(understood)] },
      });
  });

  test('of a manifest that was built here lays out its parts anew at other sizes, with what was changed since', async () => {
    const sized = [format('display_300x250_image'), format('display_728x90_image')];
    const several = await build({ ...fromBrief(), target_format_id: undefined, target_format_ids: sized });
    const [banner] = (several as unknown as { creative_manifests: readonly WireManifest[] }).creative_manifests;
    const click = { asset_type: 'url', url: 'https://acme-outdoor.example/mine', url_type: 'clickthrough' };
    const request = {
      creative_manifest: { ...banner, assets: { ...banner?.assets, click_url: click } },
      target_format_id: format('display_970x250_html'),
    };
    const wide = await build(request);
    expect(htmlOf(wide.creative_manifest)).toContain('#0a4a3a');
    expect(htmlOf(wide.creative_manifest)).toContain('trail running shoes');
    const image = await build({ ...request, target_format_id: format('display_970x250_image') });
    expect(JSON.stringify(image.creative_manifest?.assets)).toContain('https://acme-outdoor.example/mine');
    const changed = await build({
      ...request,
      message: 'Ändere die Überschrift in „Lauf weiter“ und nimm einen roten Hintergrund',
    });
    expect(htmlOf(changed.creative_manifest)).toContain('Lauf weiter');
    expect(htmlOf(changed.creative_manifest)).toContain('#c8102e');
    expect(changed.message).toContain('Done: the headline is now "Lauf weiter".');
    const stranger = await free.call(
      'build_creative',
      { idempotency_key: freshKey(), ...request },
      { tenant: 'creative', version: '3.1', token: 'sandbox-token-2' },
    );
    expect(stranger.payload.errors[0]).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(stranger.payload.errors[0]?.suggestion).toContain('laid out anew');
  });

  test('of a manifest with parts changes these, and keeps all else', async () => {
    const request = { creative_manifest: source(), target_format_id: format('native_in_feed') };
    const answer = await build({ ...request, message: 'Change the headline to "Run further"' });
    const texts = JSON.stringify(answer.creative_manifest?.assets);
    expect(texts).toContain('Run further');
    expect(texts).not.toContain('Shoes that last');
    expect(texts).toContain('https://acme-outdoor.example/');
    expect(answer.message).toContain('Done: the headline is now "Run further".');
  });

  test('of a headline writes another one and keeps all else', async () => {
    const request = { transformer_id: 'rewrite_headline', brand: BRAND, creative_manifest: source() };
    const answer = await build({ ...request, message: MESSAGE, target_format_id: format('native_in_feed') });
    const { assets } = answer.creative_manifest as WireManifest;
    const texts = JSON.stringify(assets);
    expect(texts).not.toContain('Shoes that last');
    expect(texts).toContain('20%');
    expect(texts).toContain('https://acme-outdoor.example/');
  });
});
