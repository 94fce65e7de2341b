/**
 * The worst bodies that a buyer may send to a seller, and worse ones that are refused: for each task every list and object of its
 * schema filled with what is slow to look at, the largest uploads that are taken, and bodies that are hard to read at all.
 */
import { z } from 'zod';
import { TOOLS } from '../../dist/seller/tasks/index.js';
import { MAX_VALUES } from '../../dist/seller/tasks/pipeline/tool.js';

/** Stands in a body where a fresh idempotency key belongs, and is as long. */
export const KEY = '00000000-0000-4000-8000-000000000000';
const MIB = 1024 * 1024;
/** Most bytes of a body, unless the seller says otherwise; less what stands around the arguments. */
const MAX_BYTES = 4 * MIB - 2048;
const LEVELS = 4;

const TENANT = { sales: 'sales', creative: 'creative', signals: 'signals' };
const list = (count, item) => Array.from({ length: count }, (_, at) => item(at));

/** Values that are slow to look at, `count` of them. */
const FILLINGS = {
  numbers: (count) => list(count, () => 1),
  texts: (count) => list(count, (at) => `t${at}`),
  objects: (count) => list(Math.floor(count / 2), () => ({})),
  named: (count) => list(Math.floor(count / 2), (at) => ({ [`k${at}`]: 1 })),
  wide: () => Object.fromEntries(list(999, (at) => [`k${at}`, at])),
};

/** The places of a schema where a list or an object may stand, as paths. */
function placesOf(schema, path = []) {
  if (typeof schema !== 'object' || schema === null || path.length > LEVELS) return [];
  const below = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => placesOf(one, [...path, name])),
    ...placesOf(schema.items, [...path, 0]),
    ...(schema.anyOf ?? []).flatMap((one) => placesOf(one, path)),
  ];
  const isText = ['string', 'number', 'integer', 'boolean'].includes(schema.type);
  return path.length === 0 || path.at(-1) === 0 || isText ? below : [path, ...below];
}

function valueAt([step, ...rest], value) {
  if (step === undefined) return value;
  return typeof step === 'number' ? [valueAt(rest, value)] : { [step]: valueAt(rest, value) };
}

const ACCOUNT = { account_id: 'acct_sandbox' };
const call = (name, args) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${typeof args === 'string' ? args : JSON.stringify(args)}}}`;
const withKey = (args) => ({ idempotency_key: KEY, account: ACCOUNT, ...args });

function fillingsOf(tool, maxPlaces) {
  const schema = z.toJSONSchema(tool.input, { unrepresentable: 'any', io: 'input' });
  const places = [...new Map(placesOf(schema).map((path) => [path.join('.'), path])).values()].slice(0, maxPlaces);
  return places.flatMap((path) =>
    Object.entries(FILLINGS).map(([what, fill]) => {
      const value = path[0] === 'account' ? {} : { account: ACCOUNT };
      const args = { idempotency_key: KEY, ...value, ...valueAt(path, fill(MAX_VALUES - 50)) };
      return [`${path.join('.')} of ${what}`, args];
    }),
  );
}

const SHA = 'a'.repeat(60);
const people = (count, name) =>
  list(count, (at) => ({ external_id: `${name}${at}`, hashed_email: `${SHA}${String(at % 10_000).padStart(4, '0')}` }));
const hotel = (at) => ({
  hotel_id: `h${at}`,
  name: `Hotel ${at}`,
  location: { city: 'Oslo', country: 'NO' },
  price: at,
});

/** The largest uploads that a task is meant to take, and others as large that it has to turn away. */
const UPLOADS = {
  sync_audiences: [
    ['30,000 people', withKey({ audiences: [{ audience_id: 'a1', add: people(30_000, 'p') }] })],
    ['the same people removed', withKey({ audiences: [{ audience_id: 'a1', remove: people(30_000, 'p') }] })],
    [
      '290,000 numbers',
      withKey({ audiences: [{ audience_id: 'a2', add: list(99_000, () => 1), remove: list(99_000, () => 1) }] }),
    ],
    [
      '1000 audiences of 90',
      withKey({ audiences: list(300, (at) => ({ audience_id: `m${at}`, add: people(90, 'q') })) }),
    ],
  ],
  sync_catalogs: [
    ['9,900 items', withKey({ catalogs: [{ catalog_id: 'c1', type: 'hotel', items: list(9900, hotel) }] })],
    [
      'other 9,900 items',
      withKey({ catalogs: [{ catalog_id: 'c1', type: 'hotel', items: list(9900, (at) => hotel(at + 1)) }] }),
    ],
    [
      'items of lists',
      withKey({
        catalogs: [
          {
            catalog_id: 'c2',
            type: 'hotel',
            items: list(9900, (at) => ({ hotel_id: `l${at}`, n: list(25, () => 1) })),
          },
        ],
      }),
    ],
    ['what is there', withKey({})],
  ],
  sync_event_sources: [
    ['a source', withKey({ event_sources: [{ event_source_id: 's1', name: 'Shop', event_types: ['purchase'] }] })],
  ],
  log_event: [
    [
      '10,000 events',
      withKey({
        event_source_id: 's1',
        events: list(10_000, (at) => ({
          event_id: `e${at}`,
          event_type: 'purchase',
          event_time: new Date().toISOString(),
          user_match: { hashed_email: `${SHA}0001` },
          custom_data: { value: at, currency: 'USD' },
        })),
      }),
    ],
    ['10,000 numbers', withKey({ event_source_id: 's1', events: list(10_000, () => 1) })],
  ],
  report_usage: [['12,000 rows', withKey({ usage: list(12_000, (at) => ({ signal_id: `s${at}`, impressions: at })) })]],
  create_media_buy: [
    [
      '2,000 packages',
      withKey({
        packages: list(2000, (at) => ({ product_id: `p${at}`, pricing_option_id: 'x', budget: 100 })),
        start_time: 'asap',
        end_time: '2030-01-01T00:00:00Z',
        brand: { domain: 'a.example' },
      }),
    ],
    ['8,000 numbers', withKey({ packages: list(8000, () => 1) })],
  ],
  sync_creatives: [
    [
      '4,000 creatives',
      withKey({
        creatives: list(4000, (at) => ({
          creative_id: `c${at}`,
          name: 'x',
          format_id: { agent_url: 'https://a.example', id: 'f' },
          assets: {},
        })),
      }),
    ],
  ],
};

const nested = (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`;
const crowd = (bytes, value) => `[${`${value},`.repeat(Math.floor(bytes / (value.length + 1)) - 1)}${value}]`;
const names = (bytes) => `{${list(Math.floor(bytes / 12), (at) => `"k${String(at).padStart(6, '0')}":1`).join(',')}}`;
const one = (bytes) => list(Math.floor(bytes / 14), (at) => `{"k${String(at).padStart(6, '0')}":1}`).join(',');
const BYTES = MAX_BYTES - 256;

/** Arguments that are hard to read, and those that carry them. */
const HARD = [
  ['300,000 names', names(BYTES)],
  ['nested lists', nested(BYTES)],
  ['nested objects', `${'{"a":'.repeat(BYTES / 7)}1${'}'.repeat(BYTES / 7)}`],
  ['empty lists', crowd(BYTES, '[]')],
  ['empty objects', crowd(BYTES, '{}')],
  ['numbers', crowd(BYTES, '1')],
  ['objects of one name', `[${one(BYTES)}]`],
  ['a text', `{"t":"${'x'.repeat(BYTES)}"}`],
  ['a text of escapes', `{"t":"${'\\u00e9'.repeat(BYTES / 6)}"}`],
  ['a text of quotation marks', `{"t":"${'\\"'.repeat(BYTES / 2)}"}`],
  ['a text of two-byte letters', `{"t":"${'é'.repeat(BYTES / 2)}"}`],
  ['no JSON', `[${crowd(BYTES, '1')}`],
];

function hardBodies() {
  const tasks = [
    'get_products',
    'list_creative_formats',
    'create_media_buy',
    'sync_audiences',
    'get_adcp_capabilities',
  ];
  return tasks.flatMap((task) =>
    HARD.flatMap(([what, json]) =>
      ['context', 'ext', 'unknown'].map((field) => ({
        operation: task,
        what: `${field} of ${what}`,
        body: call(task, `{"idempotency_key":"${KEY}","${field}":${json}}`),
      })),
    ),
  );
}

/** A call of a skill over A2A; `input` is JSON. */
const skill = (name, input) =>
  `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"data","data":{"skill":"${name}","input":${input}}}]}}}`;

/** Returns the hard arguments in messages of A2A, and beside a context that has to come back to the digit. */
function hardMessages() {
  return HARD.flatMap(([what, json]) => [
    {
      operation: 'message/send',
      what: `input of ${what}`,
      body: skill('get_products', `{"ext":${json}}`),
      path: '/sales/a2a',
    },
    {
      operation: 'get_products',
      what: `a context of numbers after ${what}`,
      body: call('get_products', `{"ext":${json},"context":{"n":1.0}}`),
    },
  ]);
}

function batches() {
  const many = list(50, (at) => call('get_products', { brief: `video ${at}` })).join(',');
  return [
    { operation: 'batch', what: '50 searches', body: `[${many}]` },
    {
      operation: 'batch',
      what: '50 of 1,000 values',
      body: `[${list(50, () => call('get_products', { ext: { n: list(1000, () => 1) } })).join(',')}]`,
    },
    {
      operation: 'batch',
      what: '10,000 contexts of numbers',
      body: `[${list(10_000, () => call('get_products', { context: { n: 1 } })).join(',')}]`,
    },
    { operation: 'batch', what: 'numbers', body: crowd(BYTES, '1') },
    { operation: 'message', what: 'names', body: names(BYTES) },
    { operation: 'message', what: 'nested lists', body: nested(BYTES) },
  ];
}

/**
 * Every request of a buyer to the seller: `{ operation, what, path, body }`; of each task at most `maxPlaces` places of its schema are filled,
 * for those beyond them are alike.
 */
export function sellerCalls(maxPlaces) {
  const filled = TOOLS.flatMap((tool) => {
    const name = typeof tool.name === 'string' ? tool.name : 'get_adcp_capabilities';
    const kind = TENANT[tool.kinds[0]];
    return [...(UPLOADS[name] ?? []), ...fillingsOf(tool, maxPlaces)].map(([what, args]) => ({
      operation: name,
      what,
      body: call(name, args),
      path: `/${tool.kinds.includes('sales') ? 'sales' : kind}/mcp`,
    }));
  });
  return [...hardBodies(), ...hardMessages(), ...batches(), ...filled].map((one) => ({ path: '/sales/mcp', ...one }));
}
