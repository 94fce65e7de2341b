import { z } from 'zod';
import { checkCallbackHost, checkCallbackUrl } from '../../../platform/net/callback-url.js';
import { HEADER_TOKEN } from '../../../platform/net/url.js';
import { errorObject } from '../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { accountNotFound, checkAccountUse } from '../../domain/account/account.js';
import type { GovernanceAgent } from '../../domain/governance/governance.js';
import type { Writer } from '../../store/store.js';
import { canNameLocal } from '../pipeline/order-context.js';
import { findAccount, openAccount, readNaturalKey } from '../pipeline/resolve-account.js';
import { accountRef, envelopeFields, keyField } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';

const agent = z
  .looseObject({
    url: z.string().min(1).max(2048),
    authentication: z.looseObject({
      schemes: z.array(z.string().max(64)).length(1),
      credentials: z.string().min(32).max(4096),
    }),
  })
  .meta({ brief: true, description: '{url, authentication: {schemes: ["Bearer"], credentials}}' });

const entry = z.looseObject({ account: accountRef, governance_agents: z.array(agent).min(1).max(10) });
type Entry = z.output<typeof entry>;

const input = z.looseObject({ ...keyField, accounts: z.array(entry).min(1).max(100), ...envelopeFields });

/** The outcome of each entry before the transaction: the agent, or why it cannot be called. */
type Judged = readonly (GovernanceAgent | TaskError)[];

/**
 * sync_governance: sets the agent that decides about an account's spending, in place of any other; nothing is committed on the account
 * without it. Its credentials are never shown again.
 */
export const syncGovernance = mutation({
  name: 'sync_governance',
  title: 'Appoint governance agents',
  description:
    'Appoints the agent that decides before every commitment of an account; orders then need its plan_id and governance_context.',
  kinds: ['sales', 'signals', 'brand'],
  offered: ({ governance }) => governance !== 'off',
  listed: ({ governance }) => governance === 'listed',
  input,
  empty: {},
  prepare: async ({ app, call, args }): Promise<Judged> =>
    Promise.all(args.accounts.map((one, index) => judgeAgent(app, call, one, `accounts[${index}]`))),
  run: async ({ app, call, args, db, prepared }) => {
    const accounts: object[] = [];
    // An entry that names no account at all could not be told apart from the others.
    for (const [index, { account }] of args.accounts.entries())
      if (account.account_id === undefined) readNaturalKey(account, `accounts[${index}].account`);
    for (const [index, one] of args.accounts.entries())
      accounts.push(await appoint({ app, call, db }, one, prepared[index], `accounts[${index}]`));
    return { accounts };
  },
});

async function judgeAgent(app: App, call: Call, one: Entry, path: string): Promise<GovernanceAgent | TaskError> {
  const field = `${path}.governance_agents`;
  const [only, second] = one.governance_agents;
  if (only === undefined || second !== undefined) {
    return new TaskError('INVALID_REQUEST', 'An account has one governance agent.', {
      field: only === undefined ? field : `${field}[1]`,
      suggestion: 'Name the one agent that decides about the whole account; it can ask others itself.',
    });
  }
  const { url, authentication } = only;
  if (authentication.schemes[0] !== 'Bearer') {
    return new TaskError('UNSUPPORTED_FEATURE', 'This seller calls governance agents with bearer credentials only.', {
      field: `${field}[0].authentication.schemes[0]`,
      suggestion: 'Send schemes ["Bearer"] and a token as credentials.',
      details: { allowed_values: ['Bearer'] },
    });
  }
  if (!HEADER_TOKEN.test(authentication.credentials)) {
    return new TaskError('INVALID_REQUEST', 'The token cannot be sent in a header.', {
      field: `${field}[0].authentication.credentials`,
      suggestion: 'Send a token of letters, digits and signs without spaces.',
    });
  }
  const policy = { local: canNameLocal(app, call), what: 'governance agent' };
  try {
    checkCallbackUrl(url, `${field}[0].url`, policy);
    await checkCallbackHost(url, `${field}[0].url`, policy, app.renderer().outbound);
  } catch (error) {
    return taskErrorOrThrow(error);
  }
  return { url, credentials: authentication.credentials };
}

async function appoint(
  { app, call, db }: { readonly app: App; readonly call: Call; readonly db: Writer },
  { account: reference }: Entry,
  judged: GovernanceAgent | TaskError | undefined,
  path: string,
): Promise<object> {
  try {
    if (judged === undefined) throw new Error('an entry that was not judged');
    if (judged instanceof TaskError) throw judged;
    const existing = await findAccount(call, reference, db, `${path}.account`);
    const account = existing ?? openAccount(app, call, reference);
    if (account === undefined) throw accountNotFound([], `${path}.account`);
    checkAccountUse(account, 'sync', `${path}.account`);
    if (existing === undefined) await db.accounts.save(call.owner, account);
    await db.governance.saveAgent(call.owner, account.account_id, judged);
    return { account: reference, status: 'synced', governance_agents: [{ url: judged.url }] };
  } catch (thrown) {
    const error = taskErrorOrThrow(thrown);
    return { account: reference, status: 'failed', errors: [errorObject(error, call.to.release)] };
  }
}
