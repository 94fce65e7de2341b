import { describe, expect, test } from 'vitest';
import { MAX_ITEMS } from '../../../src/seller/domain/catalog/catalog.js';
import { serveAssets } from '../../kit/asset-server.js';
import { type Booted, boot } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT, succeeded } from '../../kit/buyer.js';
import { hasSchemas, schemaJudge } from '../../kit/schemas.js';
import type { Payload, WireError } from '../../kit/wire.js';

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const offering = (id: string, changes: object = {}) => ({ offering_id: id, name: `Offering ${id}`, ...changes });
const catalog = (changes: object = {}) => ({
  catalog_id: 'spring',
  type: 'offering',
  name: 'Spring',
  items: [offering('a'), offering('b')],
  ...changes,
});

type Row = Readonly<Record<string, unknown>> & { readonly errors: readonly WireError[] };
const rowsOf = (payload: Payload) => payload.catalogs as readonly Row[];

const request = (changes: object) => ({ idempotency_key: freshKey(), account: ACCOUNT, ...changes });

async function sync(server: Booted, changes: object): Promise<readonly Row[]> {
  return rowsOf(succeeded(await server.call('sync_catalogs', request(changes))));
}

describe('a catalog', () => {
  test('is created, changed, listed and removed', async () => {
    const server = await boot();
    expect(await sync(server, { catalogs: [catalog()] })).toMatchObject([
      { catalog_id: 'spring', action: 'created', item_count: 2, items_approved: 2, items_rejected: 0 },
    ]);
    expect(await sync(server, { catalogs: [catalog()] })).toMatchObject([{ action: 'unchanged', item_count: 2 }]);
    const more = catalog({ items: [offering('a'), offering('c'), offering('d')], name: 'Spring 2' });
    expect(await sync(server, { catalogs: [more], dry_run: true })).toMatchObject([
      { action: 'updated', item_count: 3 },
    ]);
    expect(await sync(server, { catalogs: [more] })).toMatchObject([
      { action: 'updated', item_count: 3, changes: ['name', 'items'] },
    ]);
    await server.restart();
    expect(await sync(server, {})).toMatchObject([{ catalog_id: 'spring', action: 'unchanged', item_count: 3 }]);
    const only = { catalogs: [catalog({ catalog_id: 'summer' })], delete_missing: true };
    expect(await sync(server, only)).toMatchObject([
      { catalog_id: 'summer', action: 'created' },
      { catalog_id: 'spring', action: 'deleted' },
    ]);
  });

  test('comes from a feed as well as from the request', async () => {
    const server = await boot();
    const files = await serveAssets({
      '/list.json': JSON.stringify([offering('a')]),
      '/object.json': JSON.stringify({ items: [offering('a'), offering('b')] }),
    });
    const from = (path: string) => catalog({ items: undefined, url: files.url(path), catalog_id: path });
    expect(await sync(server, { catalogs: [from('/list.json'), from('/object.json')] })).toMatchObject([
      { action: 'created', item_count: 1 },
      { action: 'created', item_count: 2 },
    ]);
  });

  test('keeps its good items where the sync is lenient, and says what is wrong with the others', async () => {
    const server = await boot();
    const items = [offering('a'), { offering_id: 'b' }, { name: 'C' }, 'd', offering('a')];
    const [row] = await sync(server, { catalogs: [catalog({ items })], validation_mode: 'lenient' });
    expect(row).toMatchObject({
      action: 'created',
      item_count: 1,
      items_rejected: 4,
      item_issues: [
        { item_id: 'b', status: 'rejected', reasons: ['name is missing'] },
        { item_id: '#2', status: 'rejected', reasons: ['offering_id is missing'] },
        { item_id: '#3', status: 'rejected', reasons: ['it is not an object'] },
        { item_id: 'a', status: 'rejected', reasons: ['its id stands twice'] },
      ],
    });
  });

  test('scope leaves the others as they are', async () => {
    const server = await boot();
    const both = [catalog(), catalog({ catalog_id: 'summer' })];
    expect(await sync(server, { catalogs: both, catalog_ids: ['summer'] })).toMatchObject([{ catalog_id: 'summer' }]);
    expect(await sync(server, {})).toMatchObject([{ catalog_id: 'summer' }]);
  });
});

describe('what sync_catalogs refuses', () => {
  const feed = (url: string) => catalog({ items: undefined, url });
  const AT = 'catalogs[0]';
  const CASES: readonly (readonly [what: string, one: object, code: string, field: string])[] = [
    [
      'an item without a name',
      catalog({ items: [offering('a', { name: undefined })] }),
      'ITEM_VALIDATION_FAILED',
      `${AT}.items`,
    ],
    [
      'too many items',
      catalog({ items: Array.from({ length: MAX_ITEMS + 1 }, () => ({})) }),
      'CATALOG_LIMIT_EXCEEDED',
      `${AT}.items`,
    ],
    ['neither items nor url', catalog({ items: undefined }), 'INVALID_REQUEST', `${AT}.items`],
    ['both', catalog({ url: 'https://feeds.example/a.json' }), 'INVALID_REQUEST', `${AT}.items`],
    ['a feed that is not there', feed('https://feeds.invalid/a.json'), 'FEED_FETCH_FAILED', `${AT}.url`],
    ['a feed on a private address', feed('https://10.0.0.1/a.json'), 'FEED_FETCH_FAILED', `${AT}.url`],
    ['a feed that is no URL', feed('feed'), 'FEED_FETCH_FAILED', `${AT}.url`],
    [
      'a format that is not read',
      { ...feed('https://feeds.example/a.xml'), feed_format: 'shopify' },
      'INVALID_FEED_FORMAT',
      `${AT}.feed_format`,
    ],
  ];

  test.each(CASES)('%s: nothing is kept; of a lenient sync the catalog fails', async (_what, one, code, field) => {
    const server = await boot();
    const catalogs = [one, catalog({ catalog_id: 'good' })];
    const strict = await server.call('sync_catalogs', request({ catalogs }), { version: '3.1' });
    expect(strict.isError).toBe(true);
    expect(strict.payload.errors[0]).toMatchObject({ code, field, suggestion: expect.any(String) });
    expect(await sync(server, {})).toEqual([]);
    const lenient = request({ catalogs, validation_mode: 'lenient' });
    const rows = rowsOf(succeeded(await server.call('sync_catalogs', lenient, { version: '3.1' })));
    expect(rows).toMatchObject([{ action: 'failed', errors: [{ code, field }] }, { action: 'created' }]);
  });

  test.each([
    ['not found', { '/f': (_request, response) => response.writeHead(404).end() }, 'FEED_FETCH_FAILED'],
    ['no JSON', { '/f': '<rss/>' }, 'INVALID_FEED_FORMAT'],
    ['no list', { '/f': '{"products": []}' }, 'INVALID_FEED_FORMAT'],
  ] as readonly (readonly [string, Parameters<typeof serveAssets>[0], string])[])(
    'a feed that is %s',
    async (_what, files, code) => {
      const server = await boot();
      const { url } = await serveAssets(files);
      const answer = await server.call('sync_catalogs', request({ catalogs: [feed(url('/f'))] }), { version: '3.1' });
      expect(answer.payload.errors[0]).toMatchObject({ code, field: `${AT}.url` });
    },
  );

  test('a type that is none, and delete_missing without catalogs', async () => {
    const server = await boot();
    const type = await server.call('sync_catalogs', request({ catalogs: [catalog({ type: 'toString' })] }));
    expect(type.payload.errors[0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'catalogs[0].type' });
    const none = await server.call('sync_catalogs', request({ delete_missing: true }));
    expect(none.payload.errors[0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'catalogs' });
  });
});

describe.each(['3.0', '3.1'] as const)('the answers of %s', (version) => {
  test.skipIf(!hasSchemas(version))('are as its schema has them', async () => {
    const judge = schemaJudge(version);
    const server = await boot();
    const requests = [
      { catalogs: [catalog(), catalog({ catalog_id: 'bad', items: [{}] })], validation_mode: 'lenient' },
      { catalogs: [catalog({ catalog_id: 'bad', items: [{}] })] },
      { catalogs: [catalog({ items: [offering('z')] })], dry_run: true },
      {},
      { catalogs: [catalog({ catalog_id: 'new' })], delete_missing: true },
    ];
    for (const one of requests) {
      const { payload } = await server.call('sync_catalogs', request(one), { version });
      expect(judge('media-buy/sync-catalogs-response', payload)).toEqual([]);
    }
  });
});
