/** Everything that one principal has, named by another. */
import { randomUUID } from 'node:crypto';
import { goodOrder } from './connections.mjs';

/** Stands in everything that the one has: nobody else may ever read it. */
const SECRET = 'nobody-else-may-read-this';
/** Orders for this advertiser wait for a person. */
const WAITING = 'waiting-outdoor.example';

const key = () => ({ idempotency_key: randomUUID() });

function requirePart(answer, path) {
  const part = path.split('.').reduce((value, name) => value?.[name], answer.answer);
  if (part === undefined) throw new Error(`no ${path}: ${answer.text.slice(0, 400)}`);
  return part;
}

/** Gives the one who is spied on a thing of each kind; returns their ids. */
async function ownThings(context) {
  const { account } = context.principals.attacker;
  const owner = { account: { account_id: account } };
  const order = { ...(await goodOrder(context)), po_number: SECRET };
  const make = async (task, args, path) => requirePart(await context.call(task, { ...key(), ...args }), path);
  const items = [{ offering_id: 'o', name: SECRET }];
  const creative = {
    creative_id: `creative-${randomUUID()}`,
    name: SECRET,
    format_id: { agent_url: 'https://ads.attacked.example/creative/mcp', id: 'display_300x250_image' },
    assets: {
      banner_image: { asset_type: 'image', url: `https://cdn.example/${SECRET}.png`, width: 300, height: 250 },
      click_url: { asset_type: 'url', url: 'https://buyer.example/' },
    },
  };
  const media_buy_id = await make('create_media_buy', order, 'media_buy_id');
  const listed = await make('sync_creatives', { ...owner, creatives: [creative] }, 'creatives');
  if (listed[0].action === 'failed') throw new Error(JSON.stringify(listed).slice(0, 400));
  const audience_id = `audience-${randomUUID()}`;
  const audience = { audience_id, name: SECRET, add: [{ external_id: 'p', hashed_email: 'a'.repeat(64) }] };
  await make('sync_audiences', { ...owner, audiences: [audience] }, 'audiences.0.seller_id');
  const catalog_id = `catalog-${randomUUID()}`;
  const catalog = { catalog_id, name: SECRET, type: 'offering', items };
  await make('sync_catalogs', { ...owner, catalogs: [catalog] }, 'catalogs.0.platform_id');
  return {
    media_buy_id,
    creative,
    audience_id,
    catalog_id,
    task_id: await make('create_media_buy', { ...order, brand: { domain: WAITING } }, 'task_id'),
    proposal_id: await make(
      'get_products',
      { ...owner, buying_mode: 'brief', brief: 'video and display, 50,000 USD' },
      'proposals.0.proposal_id',
    ),
  };
}

/** Everything that somebody may try with the ids of another: task, arguments. */
function guesses(mine, order, theirs) {
  const { audience_id, catalog_id, creative, media_buy_id, proposal_id, task_id } = mine;
  const { creative_id } = creative;
  const [own, other] = [{ account: { account_id: theirs.own } }, { account: { account_id: theirs.other } }];
  const taken = { ...creative, name: 'taken', tags: ['taken'] };
  const audience = { audience_id, delete: true };
  return [
    ['get_media_buys', { media_buy_ids: [media_buy_id] }],
    ['get_media_buys', { ...other }],
    ['get_media_buy_delivery', { media_buy_ids: [media_buy_id] }],
    ['get_media_buy_delivery', { ...other }],
    ['update_media_buy', { ...key(), media_buy_id, paused: true }],
    ['update_media_buy', { ...key(), ...other, media_buy_id, canceled: true }],
    ['provide_performance_feedback', { ...key(), media_buy_id, measurement_period: PERIOD, performance_index: 1 }],
    ['get_creative_delivery', { media_buy_ids: [media_buy_id] }],
    ['get_creative_delivery', { creative_ids: [creative_id] }],
    ['list_creatives', { filters: { creative_ids: [creative_id] } }],
    ['list_creatives', { ...other }],
    ['sync_creatives', { ...key(), ...other, creatives: [taken] }],
    ['sync_creatives', { ...key(), ...own, creatives: [], assignments: [{ creative_id, package_id: 'pkg_1' }] }],
    ['sync_creatives', { ...key(), ...own, creatives: [taken], delete_missing: true }],
    ['preview_creative', { request_type: 'single', creative_id }],
    ['get_task_status', { task_id, include_result: true }],
    ['list_tasks', {}],
    ['list_tasks', { filters: { task_ids: [task_id] } }],
    ['create_media_buy', { ...order, ...key(), ...own, packages: undefined, proposal_id, total_budget: TOTAL }],
    ['create_media_buy', { ...order, ...key(), ...other, po_number: 'taken' }],
    [
      'get_products',
      { ...own, buying_mode: 'refine', refine: [{ scope: 'proposal', proposal_id, action: 'finalize' }] },
    ],
    ['get_account_financials', { ...other }],
    ['list_accounts', {}],
    ['sync_audiences', { ...key(), ...other, audiences: [audience] }],
    ['sync_audiences', { ...key(), ...own, audiences: [audience] }],
    ['sync_audiences', { ...key(), ...own, audiences: [], delete_missing: true }],
    ['sync_catalogs', { ...key(), ...other, catalogs: [{ catalog_id, type: 'offering', items: [] }] }],
    ['sync_catalogs', { ...key(), ...own, catalogs: [], delete_missing: true }],
    ['sync_event_sources', { ...key(), ...other, event_sources: [], delete_missing: true }],
    ['sync_governance', { ...key(), accounts: [{ ...other, governance_agents: [] }] }],
    ['report_usage', { ...key(), usage: [{ ...other, media_buy_id }] }],
  ];
}

const PERIOD = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' };
const TOTAL = { amount: 50_000, currency: 'USD' };

/** What the one who is spied on sees of all that, as text. */
async function lookAround(context, { creative, media_buy_id, task_id }) {
  const { account } = context.principals.attacker;
  const asks = [
    ['get_media_buys', { media_buy_ids: [media_buy_id] }],
    ['list_creatives', { filters: { creative_ids: [creative.creative_id] } }],
    ['get_task_status', { task_id }],
    ['sync_audiences', { ...key(), account: { account_id: account } }],
    ['sync_catalogs', { ...key(), account: { account_id: account } }],
  ];
  const answers = [];
  for (const [task, args] of asks) {
    const { answer, text } = await context.call(task, args);
    if (answer?.adcp_error !== undefined) throw new Error(`${task}: ${text.slice(0, 300)}`);
    answers.push(JSON.stringify(answer).replace(/"(status_as_of|idempotency_key)":"[^"]*"/g, ''));
  }
  return answers;
}

export const rows = [
  {
    id: 'things-of-others',
    what: "Another principal's buy, creative, task, proposal, audience, catalog and account, named in every task and address that takes them",
    short: true,
    target: 'own',
    async run(context) {
      const bend = (tenant, name) => {
        if (name === 'sales') tenant.approvals = [{ advertisers: [WAITING] }];
      };
      await context.watch(await context.launch({ bend }));
      const mine = await ownThings(context);
      const before = await lookAround(context, mine);
      const { attacker, innocent } = context.principals;
      const order = await goodOrder(context);
      const tries = guesses(mine, order, { own: innocent.account, other: attacker.account });
      const wrong = [];
      for (const [task, args] of tries) {
        for (const tenant of ['sales', 'creative']) {
          const { status, text } = await context.call(task, args, { as: innocent, tenant });
          if (status >= 500 || text.includes(SECRET) || /SERVICE_UNAVAILABLE/.test(text))
            wrong.push(`${task} ${JSON.stringify(args).slice(0, 100)}: ${status} ${text.slice(0, 200)}`);
        }
      }
      const pages = ['approvals', 'previews', 'previews/media', 'previews/assets'].flatMap((folder) =>
        Object.values(mine).map((id) => `/${folder}/${typeof id === 'string' ? id : id.creative_id}`),
      );
      for (const path of pages) {
        const { status, text } = await context.send({ path });
        if (status < 400 || text.includes(SECRET)) wrong.push(`${path}: ${status}`);
      }
      const after = await lookAround(context, mine);
      for (const [at, text] of before.entries()) {
        const differs = [...text].findIndex((letter, index) => letter !== after[at][index]);
        if (text !== after[at])
          wrong.push(
            `changed: ${text.slice(Math.max(0, differs - 60), differs + 60)} to ${after[at].slice(Math.max(0, differs - 60), differs + 60)}`,
          );
      }
      return {
        held: wrong.length === 0 && before.join().includes(SECRET),
        figures:
          wrong.slice(0, 3).join('; ') || `${tries.length * 2 + pages.length} guesses, nothing shown, nothing changed`,
      };
    },
  },
];
