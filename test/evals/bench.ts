import { ownerKey } from '../../src/seller/domain/tenant/principal.js';
import { type Booted, boot } from '../kit/boot.js';
import { temporaryFolder } from '../kit/surroundings.js';
import { SHIPPED, shippedTenant, writeTenant } from '../kit/tenants.js';
import { Desk } from './desk.js';
import type { EvalTask, Facts } from './task.js';

/** What may do a task: it has a desk, and the words of the person or what they want. */
export type Driver = (seat: { readonly desk: Desk; readonly task: EvalTask; readonly given: Facts }) => Promise<void>;

/** What came of a task. */
export type Outcome = {
  readonly id: string;
  /** Why the store is not as was asked for; undefined where it is. */
  readonly problem: string | undefined;
  readonly calls: number;
  readonly wrongCalls: number;
  readonly bytes: number;
  readonly listedBytes: number;
  readonly steps: Desk['steps'];
};

/** Boots a seller with the shipped tenants, and a sandbox principal with an account for each task. */
export async function bootBench(tasks: readonly EvalTask[]): Promise<Booted> {
  const folder = temporaryFolder('seller-agent-evals-');
  for (const name of SHIPPED) {
    const tenant = shippedTenant(name);
    for (const { id } of tasks.filter((task) => task.tenant === name)) {
      tenant.principals.push({
        id,
        name: `Buyer of ${id}`,
        sandbox: true,
        public_token: tokenOf(id),
        policies: tenant.principals[0]?.policies,
      });
      tenant.accounts.push({ ...tenant.accounts[0], account_id: accountOf(id), principal: id });
    }
    writeTenant(folder, tenant, name);
  }
  return boot({ tenants: folder });
}

/** Has a driver do a task, and looks into the store whether it is done. */
export async function runTask(server: Booted, task: EvalTask, driver: Driver): Promise<Outcome> {
  const account = accountOf(task.id);
  const before = new Desk(server, task.tenant, tokenOf(task.id));
  const given =
    (await task.arrange?.(async (name, args) => succeeded(name, await before.call(name, args)), account)) ?? {};
  const desk = new Desk(server, task.tenant, tokenOf(task.id));
  const problem = await problemOf(async () => {
    await driver({ desk, task, given });
    const { read } = server.server().app.store;
    const owner = ownerKey(task.tenant, task.id);
    const rows = await read.mediaBuys.list(owner, { after: undefined, limit: 100 }, {});
    const buys = rows.map(({ buy }) => buy).reverse();
    await task.grade({ read, owner, account, buys, given, steps: desk.steps });
  });
  const { steps } = desk;
  const { listed, read } = desk.bytes;
  const wrongCalls = steps.filter(({ reply }) => reply.isError).length;
  return { id: task.id, problem, calls: steps.length, wrongCalls, bytes: read, listedBytes: listed, steps };
}

function succeeded(name: string, { isError, text }: { isError: boolean; text: string }) {
  if (isError) throw new Error(`${name}: ${text}`);
  return JSON.parse(text.split('\n')[0] ?? 'null');
}

async function problemOf(action: () => Promise<void>): Promise<string | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function tokenOf(id: string): string {
  return `eval-token-of-${id}`;
}

function accountOf(id: string): string {
  return `acct_${id.replaceAll('-', '_')}`;
}
