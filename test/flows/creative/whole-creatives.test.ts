import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/platform/kernel/clock.js';
import { serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, freshKey, succeeded } from '../../kit/buyer.js';
import { pass } from '../../kit/events.js';
import { operatorOf } from '../../kit/operator.js';
import { startReceiver } from '../../kit/receiver.js';
import { picture } from '../../kit/renderer.js';
import { packageIds, type Shopper, shopper } from '../../kit/shopper.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

const ACCOUNT = { account_id: LIVE_ACCOUNT };

/** A live buyer whose packages need creatives, which nobody has to approve. */
async function open(): Promise<{ server: Booted; live: Shopper }> {
  const tenants = tenantsFolder((tenant) => {
    addLivePrincipal(tenant);
    for (const principal of tenant.principals)
      if (principal.id === 'live') principal.policies = { creative_requirement: 'required', creative_approval: 'auto' };
  });
  const server = await boot({ tenants });
  return { server, live: shopper(server, { token: LIVE_TOKEN, account: ACCOUNT }) };
}

type Row = { readonly action: string; readonly status?: string; readonly warnings?: readonly string[] };

async function sync(live: Shopper, asset: object, package_id?: string): Promise<Row> {
  const assignments = package_id === undefined ? {} : { assignments: [{ creative_id: 'banner', package_id }] };
  const { creatives } = succeeded(
    await live.call('sync_creatives', {
      idempotency_key: freshKey(),
      account: ACCOUNT,
      creatives: [asset],
      ...assignments,
    }),
  ) as unknown as { creatives: readonly Row[] };
  return creatives[0] ?? { action: 'none' };
}

describe('a creative that is not whole', () => {
  test('waits with what is missing, starts no buy, and no person can approve it', async () => {
    const { server, live } = await open();
    const bought = await live.create();
    const [id = ''] = packageIds(bought);
    const row = await sync(live, { ...creative('banner'), assets: {} }, id);
    expect(row).toMatchObject({
      status: 'pending_review',
      warnings: expect.arrayContaining([expect.stringContaining('banner_image')]),
    });
    expect((await live.read(bought.media_buy_id)).status).toBe('pending_creatives');
    const answer = await operatorOf(server).approve('banner');
    expect(answer.json()).toMatchObject({ code: 'INVALID_STATE', error: expect.stringContaining('banner_image') });
    expect((await live.read(bought.media_buy_id)).status).toBe('pending_creatives');
  });

  test('whose file nobody serves now is not approved, and the buy does not start', async () => {
    const { live } = await open();
    const bought = await live.create();
    const [id = ''] = packageIds(bought);
    const row = await sync(live, creative('banner'), id);
    expect(row).toMatchObject({
      status: 'processing',
      warnings: expect.arrayContaining([expect.stringContaining('could not be looked at')]),
    });
    expect((await live.read(bought.media_buy_id)).status).toBe('pending_creatives');
    // Sent again as it is, it is looked at again.
    expect(await sync(live, creative('banner'))).toMatchObject({ action: 'unchanged', status: 'processing' });
  });

  test('whose address can never be fetched is refused, to be corrected', async () => {
    const { live } = await open();
    const asset = creative('banner') as { assets: Record<string, object> };
    const [slot = ''] = Object.keys(asset.assets);
    const assets = { ...asset.assets, [slot]: { ...asset.assets[slot], url: 'https://10.0.0.1/banner.png' } };
    const { payload, isError } = await live.call('sync_creatives', {
      idempotency_key: freshKey(),
      account: ACCOUNT,
      creatives: [{ ...asset, assets }],
    });
    expect(isError).toBe(true);
    expect(payload).toMatchObject({ code: 'VALIDATION_ERROR', recovery: 'correctable' });
  });
});

describe('files that nobody served when their creative was sent', () => {
  const CDN = 'files.advertiser.example';
  const MINUTES_3_DAYS = 3 * 24 * 60;

  /** A live buyer with a buy that waits for a creative, whose picture lies at `url` as `answer` has it. */
  async function waiting(answer: () => Buffer | undefined, approval: 'auto' | 'manual' = 'auto') {
    const receiver = await startReceiver();
    const files = await serveAssets({
      '/banner.png': (_request, response) => {
        const file = answer();
        if (file === undefined) response.writeHead(404).end();
        else response.end(file);
      },
    });
    const tenants = tenantsFolder((tenant) => {
      addLivePrincipal(tenant);
      for (const principal of tenant.principals)
        if (principal.id === 'live')
          principal.policies = { creative_requirement: 'required', creative_approval: approval };
      tenant.outbound = { resolve: { [CDN]: files.origin, 'hooks.advertiser.example': receiver.url } };
    });
    const server = await boot({ tenants });
    const live = shopper(server, { token: LIVE_TOKEN, account: ACCOUNT });
    const bought = await live.create({
      push_notification_config: { url: 'https://hooks.advertiser.example/buy', operation_id: 'files-1' },
    });
    const [id = ''] = packageIds(bought);
    const asset = { asset_type: 'image', url: `https://${CDN}/banner.png`, width: 300, height: 250 };
    const click = { asset_type: 'url', url: 'https://acme-outdoor.example/' };
    const sent = { ...creative('banner'), assets: { banner_image: asset, click_url: click } };
    expect(await sync(live, sent, id)).toMatchObject({ status: 'processing' });
    const state = async () =>
      succeeded(
        await live.call('list_creatives', {
          filters: { statuses: ['processing', 'pending_review', 'approved', 'rejected'] },
        }),
      ).creatives[0] as Payload['creatives'][number] & { readonly waits_for?: string };
    const later = async (minutes: number): Promise<void> => {
      await pass(server, minutes * MINUTE_MS);
    };
    /** Whether the buyer was told of something in the state of its buy. */
    const isAnnounced = (text: string) =>
      receiver.posts.some(({ json }) => JSON.stringify(json.result ?? {}).includes(text));
    return { server, live, bought, files, state, later, isAnnounced };
  }

  test('are looked at again, and the buy starts once they are up', async () => {
    let file: Buffer | undefined;
    const { live, bought, files, state, later, isAnnounced } = await waiting(() => file);
    expect((await state())?.waits_for).toContain('looked at again by itself, next at');
    await later(2);
    expect(await state()).toMatchObject({ status: 'processing' });
    expect((await live.read(bought.media_buy_id)).status).toBe('pending_creatives');
    const asked = files.asked.length;
    await later(1);
    expect(files.asked.length).toBe(asked);
    file = await picture(300, 250);
    await later(5);
    expect(await state()).toMatchObject({ status: 'approved' });
    expect((await state())?.waits_for).toBeUndefined();
    expect((await live.read(bought.media_buy_id)).status).not.toBe('pending_creatives');
    await later(1);
    expect(isAnnounced('"status":"active"')).toBe(true);
  });

  test('go to a person where the policy says so', async () => {
    let file: Buffer | undefined;
    const { server, state, later } = await waiting(() => file, 'manual');
    file = await picture(300, 250);
    await later(2);
    expect(await state()).toMatchObject({ status: 'pending_review' });
    await operatorOf(server).approve('banner');
    expect(await state()).toMatchObject({ status: 'approved' });
  });

  test('and do not fit are rejected with what is wrong, which the buyer is told', async () => {
    let file: Buffer | undefined;
    const { state, later, isAnnounced } = await waiting(() => file);
    file = await picture(728, 90);
    await later(2);
    expect(await state()).toMatchObject({ status: 'rejected', rejection_reason: expect.stringContaining('728') });
    await later(1);
    expect(isAnnounced('content_rejected')).toBe(true);
  });

  test('and never come are given up after nine looks, over a restart too', async () => {
    const { server, files, state, later } = await waiting(() => undefined);
    await later(2);
    await server.restart();
    for (let minute = 0; minute < MINUTES_3_DAYS && (await state())?.status === 'processing'; minute += 60)
      await later(60);
    expect(await state()).toMatchObject({
      status: 'rejected',
      rejection_reason: expect.stringContaining('looked for 9 times'),
    });
    const asked = files.asked.length;
    await later(MINUTES_3_DAYS);
    expect(files.asked.length).toBe(asked);
  });
});

test('a buy that needs no creative says what runs', async () => {
  const server = await boot();
  const bought = await shopper(server, 'first').create();
  expect(bought.message).toContain(packageIds(bought)[0]);
  expect(bought.message).toContain("the seller's own ad");
});
