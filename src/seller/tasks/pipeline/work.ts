import { isObject } from '../../../platform/kernel/json/json.js';
import { finished, type Payload } from '../../../protocol/envelope.js';
import type { App, Call } from '../../context.js';
import type { GovernanceApproval } from '../../domain/governance/verdict.js';
import type { Writer } from '../../store/store.js';
import { consultGovernance, runGoverned } from './consult-governance.js';
import { type Mutation, type MutationContext, type Tool, toolName } from './define.js';
import { readArguments } from './read-arguments.js';
import { keepAccount, resolveAccount } from './resolve-account.js';
import type { AccountArgument } from './shapes.js';

/** A changing call whose arguments are read: what is left is to prepare it, and to do it in a transaction. */
export type PreparedMutation = {
  readonly args: unknown;
  /** What is slow or remote; absent where nothing is. */
  readonly prepare: (() => Promise<void>) | undefined;
  /** What `run` is given in a transaction. An account that the call opens is kept from here on. */
  readonly turn: (db: Writer) => Promise<MutationContext>;
  /** Does it in that transaction, if whoever has to let it through did. */
  readonly run: (turn: MutationContext) => Promise<Payload>;
};

/** Reads the arguments of a changing call. Throws INVALID_REQUEST as `readArguments` does. */
export function prepareMutation(
  app: App,
  tool: Mutation,
  call: Call,
  raw: Readonly<Record<string, unknown>>,
): PreparedMutation {
  const args = readArguments(tool.input, raw, toolName(tool, call.seller.names));
  let prepared: unknown;
  let approval: GovernanceApproval | undefined;
  const prepare = tool.prepares?.(args) === false ? undefined : tool.prepare;
  const turn: PreparedMutation['turn'] = async (db) => {
    const resolved = await resolveAccount(tool, app, call, accountOf(args), db);
    await keepAccount(call, resolved, db);
    return { app, call, args, db, prepared, ...resolved };
  };
  const trial = { app, call, args, db: app.store.read, account: undefined, accountIsNew: false };
  return {
    args,
    prepare:
      prepare === undefined && tool.commits === undefined
        ? undefined
        : async () => {
            prepared = await prepare?.(trial);
            approval = await consultGovernance(tool, trial, (attempt) =>
              app.store.transact((tx) => tx.rehearse(async () => attempt(await turn(tx)))),
            );
          },
    turn,
    run: (given) => runGoverned(tool, given, approval),
  };
}

/** The account that a task's arguments name. */
export function accountOf(args: unknown): AccountArgument | undefined {
  return isObject(args) ? (args.account as AccountArgument | undefined) : undefined;
}

/** What a task answered, in the shape of the caller's release and with the task's status. */
export function shaped(tool: Tool, payload: Payload, call: Call): Payload {
  return finished(tool.shape?.(payload, call.to.release) ?? payload);
}
