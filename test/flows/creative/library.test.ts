import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import * as files from '../../creative/probe/media-files.js';
import { serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { creative, freshKey, packageRequest, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { picture } from '../../kit/renderer.js';
import { packageIds, type Shopper, shopper } from '../../kit/shopper.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, tenantsFolder } from '../../kit/tenants.js';
import type { Payload } from '../../kit/wire.js';

/** A host of the public internet for the server under test; its files lie on this machine. */
const CDN = 'cdn.advertiser.example';
const good = await picture(300, 250);
const leadingTo =
  (location: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();
const inner = await serveAssets({ '/secret.png': good });
const cdn = await serveAssets({
  '/good.png': good,
  '/wide.png': await picture(728, 90),
  '/heavy.png': files.png(300, 250, { extra: [files.chunk('tEXt', Buffer.alloc(300_000))] }),
  '/cut.png': good.subarray(0, 120),
  '/huge.png': files.png(40_000, 40_000),
  '/page.png': '<html><script>alert(1)</script></html>',
  '/film.png': files.mp4(),
  '/archive.png': Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(2000)]),
  '/bomb.svg':
    '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>',
  '/broken.png': (_request, response) => void response.writeHead(500).end(),
  '/round.png': leadingTo('/round.png'),
  '/to-cloud.png': leadingTo('http://169.254.169.254/latest/meta-data/'),
  '/to-inner.png': leadingTo(`https://127.0.0.1:${new URL(inner.origin).port}/secret.png`),
});

const tenants = tenantsFolder((tenant) => {
  addLivePrincipal(tenant);
  tenant.outbound = { resolve: { [CDN]: cdn.origin } };
});
const open = (): Promise<Booted> => boot({ tenants });
const LIVE = { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } };

/** A creative as the tests write it. */
type Sent = { readonly format: string; readonly assets: object };

const at = (path: string): string => `https://${CDN}${path}`;
const image = (url: string, changes: object = {}) => ({
  asset_type: 'image',
  url,
  width: 300,
  height: 250,
  ...changes,
});
const CLICK = { asset_type: 'url', url: 'https://acme-outdoor.example/' };
const banner = (url: string, changes: object = {}): Sent => ({
  format: 'display_300x250_image',
  assets: { banner_image: image(url, changes), click_url: CLICK },
});
const video = (assets: object): Sent => ({ format: 'video_standard_30s', assets });
const asset = (id: string, { format, assets }: Sent) =>
  creative(id, { format_id: { agent_url: 'https://creative.adcontextprotocol.org', id: format }, assets });

/** The state of the library, archived ones included. */
async function library(buyer: Shopper): Promise<Payload['creatives']> {
  const statuses = ['processing', 'pending_review', 'approved', 'suspended', 'rejected', 'archived'];
  return succeeded(await buyer.call('list_creatives', { filters: { statuses }, pagination: { max_results: 100 } }))
    .creatives;
}

describe('what was sent and cannot run', async () => {
  const server = await open();
  const live = shopper(server, LIVE);

  test.each<readonly [what: string, sent: Sent, field: string, message: RegExp]>([
    ['a page in place of a picture', banner(at('/page.png')), 'banner_image.url', /no image, video or sound/],
    ['a film in place of a picture', banner(at('/film.png')), 'banner_image.url', /is video/],
    ['a picture of another size than it says', banner(at('/wide.png')), 'banner_image.width', /728 px wide/],
    [
      'a picture that cannot be had and says another size',
      banner('https://gone.example/a.png', { width: 728 }),
      'banner_image.width',
      /728 px wide/,
    ],
    ['a picture that weighs too much', banner(at('/heavy.png')), 'banner_image', /is 293 kB; the slot takes at most/],
    ['a picture that breaks off', banner(at('/cut.png')), 'banner_image.url', /ends before/],
    ['a picture of 40,000 pixels a side', banner(at('/huge.png')), 'banner_image.url', /40000x40000/],
    ['an archive', banner(at('/archive.png')), 'banner_image.url', /no image, video or sound/],
    ['a drawing with entities', banner(at('/bomb.svg')), 'banner_image.url', /cannot be used/],
    ['a private address', banner('https://10.0.0.1/a.png'), 'banner_image.url', /public internet/],
    ['an address that leads to this machine', banner(at('/to-inner.png')), 'banner_image.url', /public internet/],
    [
      'an address with a password',
      banner('https://user:pass@cdn.example/a.png'),
      'banner_image.url',
      /user name or password/,
    ],
    ['an address of a file', banner('file:///etc/passwd'), 'banner_image.url', /file:/],
    [
      'a click that runs a script',
      { ...banner(at('/good.png')), assets: { click_url: { asset_type: 'url', url: 'javascript:alert(1)' } } },
      'click_url.url',
      /javascript:/,
    ],
    [
      'a click on data',
      { ...banner(at('/good.png')), assets: { click_url: { asset_type: 'url', url: 'data:text/html,x' } } },
      'click_url.url',
      /data:/,
    ],
    [
      'a text in place of a picture',
      { ...banner(at('/good.png')), assets: { banner_image: { asset_type: 'text', content: 'x' } } },
      'banner_image.asset_type',
      /type text/,
    ],
    [
      'a picture without its address',
      { ...banner(at('/good.png')), assets: { banner_image: { asset_type: 'image', width: 300, height: 250 } } },
      'banner_image.url',
      /lacks url/,
    ],
  ])('%s is refused: all of a strict sync, its row of a lenient one', async (_what, sent, field, message) => {
    const before = await library(live);
    const path = `creatives[1].assets.${field}`;
    const creatives = [asset('beside', banner(at('/good.png'))), asset('wrong', sent)];
    const request = () => ({ idempotency_key: freshKey(), account: LIVE.account, creatives });
    const strict = await live.call('sync_creatives', request());
    expect(strict.isError).toBe(true);
    expect(strict.payload.errors).toMatchObject([{ code: 'VALIDATION_ERROR', field: path, recovery: 'correctable' }]);
    expect(strict.payload.errors[0]?.message).toMatch(message);
    expect(strict.payload.errors[0]?.suggestion).toBeTruthy();
    expect(strict.payload).toMatchObject({ error: { code: 'VALIDATION_ERROR', status: 422 } });
    expect(await library(live)).toEqual(before);

    const lenient = await live.sync({}, { creatives, validation_mode: 'lenient' });
    expect(lenient.creatives).toMatchObject([
      { creative_id: 'beside', status: 'approved' },
      { creative_id: 'wrong', action: 'failed', errors: [{ code: 'VALIDATION_ERROR', field: path }] },
    ]);
    expect(lenient.creatives[1]).not.toHaveProperty('status');
    expect((await library(live)).map(({ creative_id }) => creative_id)).not.toContain('wrong');
  });

  test.each([
    ['is cut', '<VAST version="4.0"><Ad id="1"><InLine>'],
    ['is none', 'buy our shoes'],
    ['brings entities', '<!DOCTYPE VAST [<!ENTITY x SYSTEM "file:///etc/passwd">]><VAST version="4.0">&x;</VAST>'],
  ])('a video tag that %s', async (_what, content) => {
    const one = shopper(server, LIVE);
    const request = {
      idempotency_key: freshKey(),
      account: LIVE.account,
      creatives: [
        asset('tag', {
          format: 'video_vast_30s',
          assets: { vast_tag: { asset_type: 'vast', delivery_type: 'inline', content } },
        }),
      ],
    };
    expect(await one.refused('sync_creatives', request)).toBe('VALIDATION_ERROR');
  });

  test('is refused in a buy as well, and nothing is bought', async () => {
    const packages = [packageRequest({ creatives: [asset('wrong', banner(at('/wide.png')))] })];
    const { payload } = await live.call('create_media_buy', {
      idempotency_key: freshKey(),
      account: LIVE.account,
      brand: { domain: 'acct-live.example' },
      start_time: 'asap',
      end_time: '2030-01-31T00:00:00Z',
      packages,
    });
    expect(payload.errors).toMatchObject([
      { code: 'VALIDATION_ERROR', field: 'packages[0].creatives[0].assets.banner_image.width' },
    ]);
    expect(
      (await live.call('get_media_buys', { status_filter: ['active', 'pending_creatives'] })).payload.media_buys,
    ).toEqual([]);
    const bought = await live.create();
    const [line] = packageIds(bought);
    const change = {
      media_buy_id: bought.media_buy_id,
      account: LIVE.account,
      packages: [{ package_id: line, creatives: packages[0]?.creatives }],
    };
    expect(await live.refused('update_media_buy', { idempotency_key: freshKey(), ...change })).toBe('VALIDATION_ERROR');
    expect(await live.read(bought.media_buy_id)).toMatchObject({ revision: 1 });
  });

  test('has sent no request to a private address', () => {
    expect(inner.connections()).toBe(0);
  });
});

describe('what may still come', async () => {
  const server = await open();
  const live = shopper(server, LIVE);

  test.each<readonly [what: string, sent: Sent, status: string, warning: RegExp]>([
    [
      'a native ad with a picture and a headline alone',
      {
        format: 'native_content',
        assets: { image: image(at('/good.png')), headline: { asset_type: 'text', content: 'Built for the Summit' } },
      },
      'pending_review',
      /asset thumbnail is missing/,
    ],
    [
      'nothing at all',
      { format: 'display_300x250_image', assets: {} },
      'pending_review',
      /asset banner_image is missing/,
    ],
    [
      'a picture that says another size than it has',
      banner(at('/good.png'), { width: 728 }),
      'approved',
      /300x250, though 728x250/,
    ],
    ['a placeholder for a picture', banner('https://cdn.example.com/x.jpg'), 'processing', /does not resolve/],
    ['a picture that is not up yet', banner(at('/later.png')), 'processing', /answered 404/],
    ['a picture of a server in trouble', banner(at('/broken.png')), 'processing', /answered 500/],
    ['a port where nobody is', banner('https://127.0.0.1.nip.invalid/x.png'), 'processing', /does not resolve/],
    [
      'a key that the format does not know',
      {
        format: 'display_300x250_image',
        assets: { ...banner(at('/good.png')).assets, headline: { asset_type: 'text', content: 'x' } },
      },
      'approved',
      /no slot headline/,
    ],
    [
      'a film with no file behind it',
      video({
        video_file: { asset_type: 'video', url: at('/later.mp4'), width: 1920, height: 1080, duration_ms: 30_000 },
      }),
      'processing',
      /answered 404/,
    ],
  ])('%s is told, and the creative is taken', async (_what, sent, status, warning) => {
    const { creatives } = await live.sync({}, { creatives: [asset('early', sent)] });
    expect(creatives).toMatchObject([{ creative_id: 'early', status }]);
    expect(creatives[0]?.warnings?.join('\n')).toMatch(warning);
    expect(creatives[0]).not.toHaveProperty('errors');
  });

  test.each<readonly [what: string, sent: Sent, message: RegExp]>([
    ['an address that leads round and round', banner(at('/round.png')), /redirects too often/],
    ['an address that is not https', banner(`http://${CDN}/good.png`), /not https/],
    ['an address that leads to one that is not', banner(at('/to-cloud.png')), /not https/],
  ])('%s is wrong, and refused', async (_what, sent, message) => {
    const { payload, isError } = await live.call('sync_creatives', {
      account: LIVE.account,
      idempotency_key: freshKey(),
      creatives: [asset('wrong', sent)],
    });
    expect(isError).toBe(true);
    expect(payload.errors?.[0]?.message).toMatch(message);
  });

  test('what is all there is told nothing', async () => {
    const { creatives } = await live.sync({}, { creatives: [asset('whole', banner(at('/good.png')))] });
    expect(creatives).toMatchObject([{ action: 'created', status: 'approved' }]);
    expect(creatives[0]).not.toHaveProperty('warnings');
  });

  test('a file that many creatives share is fetched once', async () => {
    cdn.asked.length = 0;
    const creatives = Array.from({ length: 40 }, (_, n) => asset(`shared-${n}`, banner(at('/good.png'))));
    await live.sync({}, { creatives });
    expect(cdn.asked).toEqual(['/good.png']);
  });

  test('a replay looks at nothing', async () => {
    const request = {
      idempotency_key: freshKey(),
      account: LIVE.account,
      creatives: [asset('once', banner(at('/good.png')))],
    };
    const first = succeeded(await live.call('sync_creatives', request));
    cdn.asked.length = 0;
    expect(succeeded(await live.call('sync_creatives', request))).toEqual({ ...first, replayed: true });
    expect(cdn.asked).toEqual([]);
  });
});

describe('a dry run', () => {
  test('says what a real one would, and changes nothing', async () => {
    const server = await open();
    const kit = shopper(server, 'kit');
    const bought = await kit.create({
      packages: [packageRequest(), packageRequest({ budget: 500, product_id: 'test-product' })],
    });
    const [first = '', second = ''] = packageIds(bought);
    await kit.sync({ old: [], spare: [], kept: [first] });
    const [libraryBefore, buyBefore] = [await library(kit), await kit.read(bought.media_buy_id)];
    const request = {
      validation_mode: 'lenient',
      delete_missing: true,
      creatives: [
        asset('new', banner(at('/good.png'))),
        creative('old', { name: 'Renamed' }),
        asset('wrong', banner(at('/wide.png'))),
        asset('film', video({})),
      ],
      assignments: [
        { creative_id: 'new', package_id: second, weight: 40 },
        { creative_id: 'spare', package_id: first },
        { creative_id: 'film', package_id: 'pkg_nobody' },
        { creative_id: 'wrong', package_id: first },
        { creative_id: 'nobody', package_id: first },
      ],
    };
    const tried = await kit.sync({}, { ...request, dry_run: true });
    expect(await library(kit)).toEqual(libraryBefore);
    expect(await kit.read(bought.media_buy_id)).toEqual(buyBefore);
    const done = await kit.sync({}, request);
    const { dry_run, idempotency_key: _tried, ...verdict } = tried;
    const { idempotency_key: _done, ...real } = done;
    expect(dry_run).toBe(true);
    expect(verdict).toEqual(real);
    expect(real.creatives).toMatchObject([
      { creative_id: 'new', action: 'created', assigned_to: [second] },
      { creative_id: 'old', action: 'updated', changes: ['name'] },
      { creative_id: 'wrong', action: 'failed', assignment_errors: { [first]: expect.stringMatching(/not taken/) } },
      {
        creative_id: 'film',
        action: 'created',
        assignment_errors: { pkg_nobody: expect.stringMatching(/no such package/) },
      },
      { creative_id: 'spare', action: 'unchanged', assigned_to: [first] },
      { creative_id: 'nobody', action: 'failed', errors: [{ code: 'CREATIVE_NOT_FOUND' }] },
      { creative_id: 'kept', action: 'failed', errors: [{ code: 'INVALID_STATE' }] },
    ]);
    expect((await kit.read(bought.media_buy_id)).status).toBe('active');
  });

  test('opens no account either, and refuses what a real one refuses', async () => {
    const server = await open();
    const fresh = shopper(server, {
      token: 'sandbox-token',
      account: { brand: { domain: 'fresh.example' }, operator: 'fresh.example' },
    });
    const named = { account: { brand: { domain: 'fresh.example' }, operator: 'fresh.example' } };
    const accounts = async () => succeeded(await fresh.call('list_accounts', named)).accounts.length;
    const before = await accounts();
    await fresh.sync({ banner: [] }, { dry_run: true });
    expect(await accounts()).toBe(before);
    const request = {
      idempotency_key: freshKey(),
      account: { account_id: SANDBOX_ACCOUNT },
      dry_run: true,
      creatives: [asset('wrong', banner(at('/wide.png')))],
    };
    expect(await fresh.refused('sync_creatives', request)).toBe('VALIDATION_ERROR');
    await fresh.sync({ banner: [] });
    expect(await accounts()).toBe(before + 1);
  });
});

describe('assignments', () => {
  test('come as a list or as a map, and each creative’s row says what became of them', async () => {
    const server = await open();
    const kit = shopper(server, 'kit');
    const list = await kit.create();
    const map = await kit.create({ packages: [packageRequest({ budget: 600 })] });
    const [one = ''] = packageIds(list);
    const [two = ''] = packageIds(map);
    const listed = await kit.sync(
      { a: [] },
      {
        assignments: [
          { creative_id: 'a', package_id: one, weight: 20 },
          { creative_id: 'a', package_id: one, weight: 30 },
        ],
      },
    );
    expect(listed.creatives).toMatchObject([{ creative_id: 'a', action: 'created', assigned_to: [one] }]);
    expect((await kit.read(list.media_buy_id)).packages[0]?.creative_assignments).toEqual([
      { creative_id: 'a', weight: 30 },
    ]);
    const mapped = await kit.sync({ b: [] }, { assignments: { a: [two], b: [two, one] } });
    expect(mapped.creatives).toMatchObject([
      { creative_id: 'b', assigned_to: [two, one] },
      { creative_id: 'a', action: 'unchanged', status: 'approved', assigned_to: [two] },
    ]);
    expect((await kit.read(map.media_buy_id)).status).toBe('active');
  });

  test('of a weight of 0 do not run', async () => {
    const server = await open();
    const kit = shopper(server, 'kit');
    const bought = await kit.create();
    const [line = ''] = packageIds(bought);
    await kit.sync({ banner: [] }, { assignments: [{ creative_id: 'banner', package_id: line, weight: 0 }] });
    expect((await kit.read(bought.media_buy_id)).status).toBe('pending_creatives');
    await kit.sync({ banner: [] }, { assignments: [{ creative_id: 'banner', package_id: line, weight: 1 }] });
    expect((await kit.read(bought.media_buy_id)).status).toBe('active');
  });

  test('cannot reach the packages or creatives of somebody else, archived creatives, or packages that have ended', async () => {
    const server = await open();
    const [one, two] = [shopper(server), shopper(server, 'second')];
    const foreign = packageIds(await two.create())[0] ?? '';
    await two.sync({ theirs: [] });
    const bought = await one.create();
    const [line = ''] = packageIds(bought);
    await one.sync({ old: [] });
    await one.sync({ banner: [] }, { delete_missing: true });
    const answer = await one.sync(
      { banner: [foreign] },
      {
        assignments: [
          { creative_id: 'banner', package_id: foreign },
          { creative_id: 'theirs', package_id: line },
          { creative_id: 'old', package_id: line },
        ],
      },
    );
    expect(answer.creatives).toMatchObject([
      { creative_id: 'banner', assignment_errors: { [foreign]: 'There is no such package for this caller.' } },
      {
        creative_id: 'theirs',
        action: 'failed',
        errors: [{ code: 'CREATIVE_NOT_FOUND', field: 'assignments[1].creative_id' }],
      },
      { creative_id: 'old', status: 'archived', assignment_errors: { [line]: 'The creative is archived.' } },
    ]);
    await one.update(bought.media_buy_id, { canceled: true });
    const late = await one.sync({ banner: [line] });
    expect(late.creatives[0]?.assignment_errors?.[line]).toMatch(/has ended/);
  });

  test('are not for an agent that sells nothing, which says so', async () => {
    const server = await boot();
    const { payload } = await server.call(
      'sync_creatives',
      {
        idempotency_key: freshKey(),
        account: { account_id: 'acct_studio' },
        creatives: [creative('banner'), creative('other')],
        assignments: [
          { creative_id: 'banner', package_id: 'pkg_1' },
          { creative_id: 'banner', package_id: 'pkg_2' },
        ],
      },
      { tenant: 'creative' },
    );
    expect(payload.creatives[0]?.warnings?.filter((warning) => /no media buys/.test(warning))).toHaveLength(1);
    expect(payload.creatives[0]).not.toHaveProperty('assignment_errors');
    expect(payload.creatives[1]?.warnings?.join(' ')).not.toMatch(/media buys/);
  });
});

describe('delete_missing', () => {
  test('archives the oldest 5000 of a larger library, and the next sync the rest', { timeout: 120_000 }, async () => {
    const { call } = await boot();
    const account = { account_id: SANDBOX_ACCOUNT };
    const sync = async (creatives: readonly object[], more = {}) =>
      succeeded(await call('sync_creatives', { idempotency_key: freshKey(), account, creatives, ...more }));
    for (let first = 0; first < 5100; first += 100)
      await sync(Array.from({ length: 100 }, (_, at) => creative(`c${first + at}`)));
    const archived = await sync([creative('c3')], { delete_missing: true });
    expect(archived.creatives?.filter(({ action }) => action === 'deleted')).toHaveLength(5000);
    expect(archived.message).toContain('99 more were left out');
    const rest = await sync([creative('c3')], { delete_missing: true });
    expect(rest.creatives?.filter(({ action }) => action === 'deleted')).toHaveLength(99);
    expect(rest.message).toBeUndefined();
    const listed = succeeded(await call('list_creatives', {}));
    expect(listed.creatives?.map(({ creative_id }) => creative_id)).toEqual(['c3']);
  });

  test('archives what is left out and assigned nowhere, however many there are', async () => {
    const server = await open();
    const one = shopper(server);
    for (let batch = 0; batch < 6; batch += 1) {
      const creatives = Array.from({ length: 100 }, (_, n) => asset(`c-${batch}-${n}`, banner(at('/good.png'))));
      await one.sync({}, { creatives });
    }
    const { creatives } = await one.sync(
      {},
      { creatives: [asset('c-3-3', banner(at('/good.png')))], delete_missing: true },
    );
    expect(creatives.filter(({ action }) => action === 'deleted')).toHaveLength(599);
    const { payload } = await one.call('list_creatives');
    expect(payload.creatives.map(({ creative_id }) => creative_id)).toEqual(['c-3-3']);
    expect(payload.pagination.total_count).toBe(1);
  });

  test('leaves other accounts alone', async () => {
    const server = await open();
    const [one, fresh] = [
      shopper(server),
      shopper(server, {
        token: 'sandbox-token',
        account: { brand: { domain: 'fresh.example' }, operator: 'fresh.example' },
      }),
    ];
    await one.sync({ banner: [] });
    await fresh.sync({ other: [] }, { delete_missing: true });
    expect((await library(one)).map(({ creative_id, status }) => [creative_id, status]).sort()).toEqual([
      ['banner', 'approved'],
      ['other', 'approved'],
    ]);
  });

  test('touches nothing that runs: a strict sync is refused, a lenient one says so', async () => {
    const server = await open();
    const kit = shopper(server, 'kit');
    const bought = await kit.create({ packages: [packageRequest({ creatives: [creative('running')] })] });
    await kit.sync({ idle: [] });
    const request = (changes: object) => ({
      idempotency_key: freshKey(),
      account: { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' },
      creatives: [creative('new')],
      delete_missing: true,
      ...changes,
    });
    expect(await kit.refused('sync_creatives', request({}))).toBe('INVALID_STATE');
    expect((await library(kit)).map(({ creative_id }) => creative_id).sort()).toEqual(['idle', 'running']);
    const lenient = succeeded(await kit.call('sync_creatives', request({ validation_mode: 'lenient' })));
    expect(lenient.creatives).toMatchObject([
      { creative_id: 'new', action: 'created' },
      { creative_id: 'running', action: 'failed', errors: [{ code: 'INVALID_STATE' }] },
      { creative_id: 'idle', action: 'deleted' },
    ]);
    await kit.update(bought.media_buy_id, { paused: true });
    const paused = succeeded(await kit.call('sync_creatives', request({})));
    expect(paused.creatives[1]).toMatchObject({ creative_id: 'running', action: 'unchanged', status: 'approved' });
  });
});
