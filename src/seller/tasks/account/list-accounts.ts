import { z } from 'zod';
import { bindList, cutPage, readPage } from '../../../platform/kernel/cursor.js';
import type { Call } from '../../context.js';
import { ACCOUNT_STATUSES, type Account, accountWire } from '../../domain/account/account.js';
import type { Reader } from '../../store/store.js';
import { findAccount } from '../pipeline/resolve-account.js';
import { accountRef, envelopeFields, pagination } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { subscribersWire } from './subscribers.js';

const listInput = z.looseObject({
  account: accountRef.optional(),
  status: z.enum(ACCOUNT_STATUSES).optional().meta({ unlisted: true }),
  sandbox: z.boolean().optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** list_accounts: the caller's accounts. */
export const listAccounts = query({
  name: 'list_accounts',
  title: 'Your accounts',
  description:
    'The accounts you have synced, with their ids and states; account shows any one. Orders name one of them, or a brand and operator.',
  kinds: ['sales', 'creative', 'signals', 'governance', 'brand'],
  rows: 'accounts',
  input: listInput,
  empty: { accounts: [] },
  run: async ({ call, args, db }) => {
    const { account: reference, status, sandbox } = args;
    const list = bindList('accounts', call.owner, reference, status, sandbox);
    const page = readPage(list, args.pagination);
    const rows =
      reference === undefined
        ? await db.accounts.list(call.owner, page, { status, sandbox, declared: true })
        : [await findAccount(call, reference, db)].flatMap((account) =>
            account === undefined ? [] : { seq: 0, account },
          );
    const cut = cutPage(list, rows, page, (row) => row.seq);
    const accounts: object[] = [];
    for (const { account } of cut.rows)
      accounts.push({
        ...accountWire(account),
        account_scope: 'operator_brand',
        ...(await governanceWire(call, db, account)),
        notification_configs: subscribersWire(await db.subscribers.list(call.owner, account.account_id)),
      });
    return {
      accounts,
      pagination: cut.info,
    };
  },
});

/** Returns the agent that decides about an account's spending, where one was appointed; never its credentials. */
async function governanceWire(call: Call, db: Reader, { account_id }: Account): Promise<object> {
  const agent = await db.governance.findAgent(call.owner, account_id);
  return agent === undefined ? {} : { governance_agents: [{ url: agent.url }] };
}
