/** What a buyer with very much asks: the usual questions, whose CPU is measured, and searches through all of it, whose holds are. */
import { KEY } from './holds-seller-calls.mjs';

const account = { account_id: 'acct_sandbox' };

/** Each reading task of which there may be very many, as it is asked: `{ what: [task, arguments] }`. */
export const READS = {
  get_media_buys: ['get_media_buys', {}],
  'get_media_buys of an account': ['get_media_buys', { account, status_filter: ['active', 'paused', 'completed'] }],
  get_media_buy_delivery: ['get_media_buy_delivery', {}],
  'get_media_buy_delivery of an account': ['get_media_buy_delivery', { account, status_filter: ['completed'] }],
  get_account_financials: ['get_account_financials', { account }],
  list_creatives: ['list_creatives', {}],
  'list_creatives of an account by update': ['list_creatives', { account, sort: { field: 'updated_date' } }],
  'list_creatives by name': ['list_creatives', { sort: { field: 'name', direction: 'asc' } }],
  list_accounts: ['list_accounts', {}],
  list_tasks: ['list_tasks', {}],
  'list_tasks that wait, by update': [
    'list_tasks',
    { filters: { statuses: ['submitted', 'working'] }, sort: { field: 'updated_at' } },
  ],
  'sync_audiences as a list': ['sync_audiences', { account, idempotency_key: KEY }],
};

const creatives = (filters, field = 'created_date') => ['list_creatives', { filters, sort: { field } }];
const tasks = (filters, field = 'created_at') => ['list_tasks', { filters, sort: { field } }];

/** Questions that no index answers, and a change of very much, asked of a server at `origin`. */
export const searchesOf = (origin) => ({
  'creatives by a name that none has': creatives({ name_contains: 'zebra' }),
  'creatives by a tag that none has': creatives({ tags_any: ['zebra', 'giraffe'] }),
  'creatives that are unassigned': creatives({ unassigned: true }),
  'creatives of a format, by state': creatives({ creative_ids: ['copy-77777'] }, 'status'),
  'creatives by assignments': creatives({}, 'assignment_count'),
  'creatives by state': creatives({}, 'status'),
  'archived creatives': creatives({ statuses: ['archived'] }, 'name'),
  'creatives of a time': creatives({ created_after: '2026-01-01T12:00:00Z', created_before: '2026-01-01T13:00:00Z' }),
  'creatives of packages': creatives({ assigned_to_packages: ['pkg-5'] }),
  'tasks by their context': tasks({ context_contains: 'zebra' }),
  'tasks by state': tasks({}, 'status'),
  'tasks by type': tasks({ task_type: 'create_media_buy' }, 'task_type'),
  'completed tasks': tasks({ status: 'completed' }),
  'delivery of a creative': ['get_creative_delivery', { creative_ids: ['copy-5'] }],
  'all states of buys': [
    'get_media_buys',
    { status_filter: ['pending_creatives', 'pending_start', 'active', 'paused', 'completed', 'rejected', 'canceled'] },
  ],
  'creatives that take the place of a library': [
    'sync_creatives',
    {
      account,
      idempotency_key: KEY,
      delete_missing: true,
      creatives: [
        {
          creative_id: 'copy-5',
          name: 'Banner five',
          format_id: { agent_url: origin, id: 'display_300x250_image' },
          assets: {
            banner_image: { asset_type: 'image', url: 'https://cdn.example/banner.png', width: 300, height: 250 },
            click_url: { asset_type: 'url', url: 'https://acme.example/' },
          },
        },
      ],
    },
  ],
});
