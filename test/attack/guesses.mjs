/** Ids, cursors, credentials and addresses that are guessed, forged or point inside. */
import { createServer } from 'node:net';
import { bookBuys, goodOrder } from './connections.mjs';

const IDS = [
  '../mb_1',
  "' OR 1=1 --",
  '%',
  '*',
  '',
  'mb_00000000000000000000000000000000',
  '__proto__',
  'constructor',
  '\u0000',
  'a'.repeat(255),
];

/** Spellings of addresses that are not public, https where the scheme is not the point. */
const INSIDE = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0.0.0.0',
    '0',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '0177.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::169.254.169.254]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '169.254.169.254',
    '169.254.43518',
    '0xa9fea9fe',
    '2852039166',
    '168.63.129.16',
    '100.100.100.200',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.0.1',
    '224.0.0.1',
    '255.255.255.255',
    'user:secret@127.0.0.1',
    'example.com@127.0.0.1',
  ].flatMap((host) => [`https://${host}:PORT/x`, `http://${host}:PORT/x`]),
  'file:///etc/passwd',
  'gopher://127.0.0.1/x',
  'ftp://127.0.0.1/x',
  'javascript:alert(1)',
  '//127.0.0.1/x',
];

export const rows = [
  {
    id: 'ids-of-others',
    what: "Another principal's buys are named by id in reads, deliveries and changes, beside ids of nonsense",
    short: true,
    async run(context) {
      await bookBuys(context, 5);
      const { answer } = await context.call('get_media_buys', {
        status_filter: ['pending_start', 'active', 'pending_creatives'],
      });
      const ids = answer.media_buys.map(({ media_buy_id }) => media_buy_id);
      const other = { as: context.principals.innocent };
      const wrong = [];
      let asked = 0;
      for (const id of [...ids, ...IDS]) {
        const tries = [
          ['get_media_buys', { media_buy_ids: [id] }],
          ['get_media_buy_delivery', { media_buy_ids: [id] }],
          [
            'update_media_buy',
            { media_buy_id: id, paused: true, idempotency_key: `guess-${Date.now()}-${asked}-0123456789` },
          ],
        ];
        for (const [task, args] of tries) {
          asked += 1;
          const { status, text } = await context.call(task, args, other);
          const shows = /"total_budget"|"packages":\[\{/.test(text) || /"status":"completed".*"paused":true/.test(text);
          if (status >= 500 || shows || /SERVICE_UNAVAILABLE|\bSQLITE|stack/.test(text))
            wrong.push(`${task} ${id.slice(0, 20)}: ${text.slice(0, 120)}`);
        }
      }
      return {
        held: wrong.length === 0 && ids.length > 0,
        figures: wrong.slice(0, 3).join('; ') || `${asked} guesses, nothing shown, nothing changed`,
      };
    },
  },
  {
    id: 'forged-cursors',
    what: 'Cursors that are invented, cut, of another list or hold other conditions',
    short: true,
    async run(context) {
      const forge = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const cursors = [
        'x',
        '%%%',
        forge({}),
        forge([]),
        forge({ after: "' OR 1=1 --" }),
        forge({ __proto__: { owner: 'innocent' } }),
        forge(['innocent', 0]),
        forge({ offset: -1 }),
        forge({ offset: 1e308 }),
        forge('a'.repeat(3000)),
        Buffer.alloc(300, 0xff).toString('base64'),
        '\u0000',
      ];
      const wrong = [];
      for (const cursor of cursors) {
        for (const task of ['get_media_buys', 'list_creatives', 'list_accounts', 'get_products']) {
          const extra = task === 'get_products' ? { brief: 'video', buying_mode: 'brief' } : {};
          const { status, text } = await context.call(task, { ...extra, pagination: { cursor, max_results: 5 } });
          const isRefused =
            /INVALID_REQUEST|VALIDATION_ERROR|cursor/i.test(text) && !/SERVICE_UNAVAILABLE|Internal error/.test(text);
          if (status >= 500 || !isRefused) wrong.push(`${task} ${cursor.slice(0, 12)}: ${text.slice(0, 120)}`);
        }
      }
      return {
        held: wrong.length === 0,
        figures: wrong.slice(0, 3).join('; ') || `${cursors.length * 4} refused with their field`,
      };
    },
  },
  {
    id: 'credentials',
    what: '3,000 wrong credentials from one address, then the right one from it',
    short: true,
    async run(context) {
      const answers = await context.inTurn(context.size(3000, 500), 20, (index) =>
        context.call('get_products', {}, { as: { token: `guess-${index}` }, from: '127.0.0.3' }),
      );
      const count = (status) => answers.filter((answer) => answer.status === status).length;
      const right = await context.call('get_media_buys', {}, { from: '127.0.0.3' });
      return {
        held: count(401) + count(429) === answers.length && count(429) > 0 && right.status === 200,
        figures: `${count(401)} × 401, ${count(429)} × 429; the right one: ${right.status}`,
      };
    },
  },
  {
    id: 'signatures',
    what: 'Signatures that are garbled, empty, huge, doubled, expired or by nobody, without another credential',
    short: true,
    async run(context) {
      const fields = [
        ['sig1=:AAAA:', 'sig1=("@method");created=1;keyid="x";alg="ed25519"'],
        ['', ''],
        ['sig1=:AAAA:', 'sig1=("@method" "@target-uri");created=99999999999;expires=1;nonce="n";keyid="k";tag="x"'],
        ['sig1=:AAAA:, sig1=:BBBB:', 'sig1=();created=1, sig1=("@authority")'],
        [`sig1=:${'A'.repeat(10_000)}:`, 'sig1=("@method")'],
        ['sig1=:AAAA:', `sig1=(${'"@method" '.repeat(700)})`],
        ['sig1=AAAA', 'sig1=("@method";req;bs;sf;tr)'],
        ['😀', 'sig1=(('],
        ['sig1=:AAAA:', 'sig2=("@method")'],
      ];
      const answers = [];
      for (const [signature, input] of fields) {
        const headers = { signature: Buffer.from(signature).toString('latin1'), 'signature-input': input };
        answers.push((await context.call('get_media_buys', {}, { as: null, headers })).status);
      }
      return {
        held: answers.every((status) => status === 401),
        figures: `answers: ${[...new Set(answers)].join(', ')}`,
      };
    },
  },
  {
    id: 'addresses-inside',
    what: `${INSIDE.length} spellings of addresses inside, as webhook, as asset of a creative and as governance agent`,
    short: true,
    async run(context) {
      const { account } = context.principals.attacker;
      const wrong = [];
      const order = await goodOrder(context);
      const taken = await context.call('create_media_buy', {
        ...order,
        idempotency_key: `ssrf-good-${Date.now()}-0123456789`,
      });
      if (taken.answer?.media_buy_id === undefined)
        throw new Error(`the order is not good: ${taken.text.slice(0, 300)}`);
      let refused = 0;
      let asked = 0;
      let reached = 0;
      const canary = createServer((socket) => {
        reached += 1;
        socket.destroy();
      });
      await new Promise((resolve) => canary.listen(0, '::', resolve));
      for (const [index, spelling] of INSIDE.entries()) {
        const url = spelling.replace('PORT', canary.address().port);
        const key = (kind) => `ssrf-${kind}-${Date.now()}-${index}-0123456789`;
        const tries = {
          // The order itself is good: only the address can be what it is refused for.
          webhook: await context.call('create_media_buy', {
            ...order,
            idempotency_key: key('w'),
            push_notification_config: { url, operation_id: 'op-1' },
          }),
          asset: await context.call('sync_creatives', {
            idempotency_key: key('a'),
            account: { account_id: account },
            creatives: [
              {
                creative_id: `inside-${index}`,
                name: 'Inside',
                format_id: { agent_url: 'https://ads.attacked.example/creative/mcp', id: 'display_300x250_image' },
                assets: { banner_image: { asset_type: 'image', url, width: 300, height: 250 } },
              },
            ],
          }),
          governance: await context.call('sync_governance', {
            idempotency_key: key('g'),
            accounts: [
              {
                account: { account_id: account },
                governance_agents: [{ url, authentication: { schemes: ['Bearer'], credentials: 'x'.repeat(40) } }],
              },
            ],
          }),
        };
        for (const [what, { status, text }] of Object.entries(tries)) {
          asked += 1;
          const isWebhookTaken = what === 'webhook' && /"media_buy_id"/.test(text);
          if (/"errors"|"adcp_error"|"failed"|"rejected"/.test(text)) refused += 1;
          if (status >= 500 || isWebhookTaken || /SERVICE_UNAVAILABLE/.test(text))
            wrong.push(`${what} ${url}: ${text.slice(0, 160)}`);
        }
      }
      canary.close();
      return {
        held: wrong.length === 0 && reached === 0,
        figures:
          wrong.slice(0, 3).join('; ') ||
          `${refused} of ${asked} refused, the listener inside was reached ${reached} times`,
      };
    },
  },
];
