import { isObject } from '../../../platform/kernel/json/json.js';
import { JUDGED_READS } from '../answer-shapes.js';
import type { Evidence, Gathered, JsonObject, TaskAnswer } from '../evidence.js';
import type { SandboxAccount } from '../sandbox-account.js';
import { textsOf } from '../texts.js';
import type { Gathering, Stage } from './stage.js';
import type { Wire } from './wire.js';

const TASK = 'sync_accounts';
/** Searches whose answers say whether they are of a sandbox. */
const MARKED_SEARCHES = ['get_products', 'get_signals'];

/**
 * Tries a change five times in the sandbox account, where one is declared: without a key, under one that is too short, under a good one,
 * again, and as another request under the same one. The change opens the very account, so that nothing else is touched even where an
 * agent takes all five.
 */
export const trySandbox: Stage = async (gathering, evidence) => {
  const { sandbox, uuid, wire } = gathering;
  if (sandbox === undefined || !isSandboxOffered(evidence)) return {};
  const account = await accountToOpen(wire, sandbox);
  if (account === undefined) return {};
  const billing = textsOf(
    isObject(evidence.declared?.account) ? evidence.declared.account.supported_billing : undefined,
  );
  const opened = { ...account, sandbox: true, ...(billing[0] !== undefined && { billing: billing[0] }) };
  const args = { accounts: [opened] };
  const keyed = { ...args, idempotency_key: uuid() };
  return {
    trial: {
      withoutKey: await wire.call(TASK, args),
      shortKey: await wire.call(TASK, { ...args, idempotency_key: 'short' }),
      first: await wire.call(TASK, keyed),
      replay: await wire.call(TASK, keyed),
      conflict: await wire.call(TASK, { ...keyed, ext: { doctor: { request: 'another' } } }),
    },
    ...(await searchSandbox(wire, evidence, { ...account, sandbox: true })),
    ...(await subscribe(gathering, evidence, opened)),
  };
};

async function searchSandbox(wire: Wire, { tools = [] }: Evidence, account: JsonObject): Promise<Partial<Gathered>> {
  const offered = MARKED_SEARCHES.filter((task) => tools.some(({ name }) => name === task));
  const search = JUDGED_READS.find(({ task }) => offered.includes(task));
  return search === undefined ? {} : { sandboxSearch: await wire.call(search.task, { ...search.args, account }) };
}

/** Subscribes to webhooks of the account, for which an agent of 3.1 sends a signed challenge to the address, and ends that again. */
async function subscribe(
  { uuid, webhooks, wire }: Gathering,
  { declared, names }: Evidence,
  account: JsonObject,
): Promise<Partial<Gathered>> {
  const root = declared?.[names.capabilitiesRoot];
  const release = textsOf(isObject(root) ? root.supported_versions : undefined).find((one) => one === '3.1');
  if (webhooks === undefined || release === undefined) return {};
  const send = (configs: readonly object[]): Promise<TaskAnswer> =>
    wire.call(TASK, {
      [names.version]: release,
      idempotency_key: uuid(),
      accounts: [{ ...account, notification_configs: configs }],
    });
  const url = webhooks.urlFor('account');
  const answer = await send([{ subscriber_id: 'doctor', url, event_types: ['creative.status_changed'] }]);
  const arrived = webhooks.arrived('account');
  await send([]);
  return { subscription: { answer, arrived } };
}

/** Whether the agent declares sandbox accounts, and the task that opens them. */
export function isSandboxOffered({ declared, tools }: Evidence): boolean {
  const account = isObject(declared?.account) ? declared.account : {};
  return account.sandbox === true && tools?.some(({ name }) => name === TASK) === true;
}

/** Returns brand and operator of the sandbox account; undefined for an account that the agent does not list as a sandbox. */
export async function accountToOpen(wire: Wire, sandbox: SandboxAccount): Promise<JsonObject | undefined> {
  if ('brand' in sandbox) return { brand: sandbox.brand, operator: sandbox.operator };
  const { payload } = await wire.call('list_accounts', { account: sandbox, sandbox: true });
  const accounts: readonly unknown[] = Array.isArray(payload?.accounts) ? payload.accounts : [];
  const account = accounts.filter(isObject).find(({ account_id }) => account_id === sandbox.account_id);
  if (account?.sandbox !== true || !isObject(account.brand) || typeof account.operator !== 'string') return undefined;
  return { brand: { domain: account.brand.domain }, operator: account.operator };
}
