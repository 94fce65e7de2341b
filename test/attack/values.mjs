/** Bodies that are hard to read, texts that are hard to parse, uploads that are long. */
import { randomUUID } from 'node:crypto';

const MIB = 1024 * 1024;
const list = (count, item) => Array.from({ length: count }, (_, at) => item(at));

/** Posts a body to the sales endpoint as the attacker. */
function post(context, body) {
  return context.send({
    method: 'POST',
    path: '/sales/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${context.principals.attacker.token}`,
    },
    body,
  });
}

const call = (args, task = 'get_products') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${task}","arguments":${args}}}`;

/** Ten bodies that each held the event loop once, by what is hard about them. */
const BODIES = {
  '300,000 names': () => call(`{"ext":{${list(300_000, (at) => `"k${at}":1`).join(',')}}}`),
  '1,900,000 lists in one another': () => call(`{"ext":${'['.repeat(1_900_000)}${']'.repeat(1_900_000)}}`),
  '500,000 objects in one another': () => call(`{"ext":${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}}`),
  '1,300,000 empty lists': () => call(`{"ext":[${'[],'.repeat(1_300_000)}1]}`),
  '1,300,000 empty objects': () => call(`{"packages":[${'{},'.repeat(1_300_000)}{}]}`, 'create_media_buy'),
  '1,900,000 numbers': () => call(`{"audiences":[${'1,'.repeat(1_900_000)}1]}`, 'sync_audiences'),
  '250,000 objects of another name each': () => call(`{"ext":[${list(250_000, (at) => `{"n${at}":1}`).join(',')}]}`),
  '9,000 wrong channels': () => call(JSON.stringify({ filters: { channels: list(9000, () => 'x') } })),
  'a text of 2,000,000 quotation marks': () => call(`{"context":{"t":"${'\\"'.repeat(1_900_000)}"}}`),
  '3.8 MB that are no JSON': () => `[${'[1],'.repeat(950_000)}`,
};

async function askAll(context, bodies) {
  const answers = [];
  for (const make of bodies) answers.push(await post(context, make()));
  return answers;
}

export const rows = [
  {
    id: 'bodies-of-many-values',
    what: 'ten bodies of up to 3.9 MB: 300,000 names, 1.9 million lists in one another, and their kin',
    short: true,
    async run(context) {
      const answers = await askAll(context, Object.values(BODIES));
      const before = context.cpu();
      await askAll(context, Object.values(BODIES).slice(0, context.size(10, 3)));
      const seconds = context.cpu() - before;
      const refused = answers.filter(({ status, text }) => status === 400 || text.includes('INVALID_REQUEST')).length;
      return {
        held: refused === answers.length,
        figures: `${refused} of ${answers.length} refused; ${seconds.toFixed(1)} s of CPU for them again`,
      };
    },
  },
  {
    id: 'answer-caches',
    what: '768 questions that differ in 200 KB of `ext`, `context` or an unknown field alone',
    short: false,
    bounds: { growthMiB: 300 },
    async run(context) {
      const names = ['ext', 'context', 'unknown'];
      const ask = (at) =>
        post(
          context,
          call(
            JSON.stringify({ brief: 'video', [names[at % 3]]: { text: `${at}`.padEnd(200_000, 'x'), more: at } }),
            at % 2 === 0 ? 'get_products' : 'list_creative_formats',
          ),
        );
      for (let at = 0; at < 100; at += 1) await ask(at);
      const before = context.memory();
      const answers = await context.inTurn(context.size(768, 96), 2, (at) => ask(1000 + at));
      const growth = context.memory() - before;
      const answered = answers.filter(({ status }) => status === 200).length;
      return { held: answered === answers.length && growth < 200, figures: `${growth.toFixed(0)} MiB more` };
    },
  },
  {
    id: 'svg-that-backtracks',
    what: 'SVG pictures of 1.9 MB in data URLs: `url(` and spaces, unclosed comments, names, numbers',
    short: true,
    async run(context) {
      const size = 1.9 * MIB;
      const svgs = [
        `<svg><a b="url(${' '.repeat(size)}"/></svg>`,
        `<svg>${'url( '.repeat(size / 5)}</svg>`,
        `<svg>${'</svg><!--'.repeat(size / 10)}</svg>`,
        `<svg>${'<a'.repeat(size / 2)}</svg>`,
        `<svg>${'&#65;'.repeat(size / 5)}</svg>`,
      ];
      const before = context.cpu();
      for (const svg of svgs) {
        const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
        await context.call(
          'preview_creative',
          {
            request_type: 'single',
            creative_manifest: {
              format_id: { agent_url: context.target.origin, id: 'display_300x250_image' },
              assets: { banner_image: { asset_type: 'image', url, width: 300, height: 250 } },
            },
          },
          { tenant: 'creative' },
        );
      }
      const seconds = context.cpu() - before;
      return { held: seconds < 5, figures: `${seconds.toFixed(1)} s of CPU for ${svgs.length} pictures` };
    },
  },
  {
    id: 'long-uploads',
    what: 'audiences of 30,000 people and 10,000 events in one call each, again and again',
    short: false,
    async run(context) {
      const { account } = context.principals.attacker;
      const people = list(30_000, (at) => ({ external_id: `p${at}`, hashed_email: `${at}`.padStart(64, 'a') }));
      const answers = await context.inTurn(context.size(10, 3), 1, (at) =>
        context.call('sync_audiences', {
          idempotency_key: randomUUID(),
          account: { account_id: account },
          audiences: [{ audience_id: `attack-${at}`, add: people }],
        }),
      );
      const taken = answers.filter(({ answer }) => answer?.audiences?.[0]?.uploaded_count === people.length).length;
      return { held: taken === answers.length, figures: `${taken} of ${answers.length} taken` };
    },
  },
];
