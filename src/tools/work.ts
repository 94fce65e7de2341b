import type { App, Call } from '../context.js';
import { isObject } from '../kernel/json.js';
import { finished, type Payload } from '../protocol/envelope.js';
import type { Writer } from '../store/store.js';
import { type Mutation, type Tool, type Turn, toolName } from './define.js';
import { readArguments } from './read-arguments.js';
import { keepAccount, resolveAccount } from './resolve-account.js';
import type { AccountArgument } from './shapes.js';

/** What a mutation's `run` is given. */
export type MutationTurn = Turn<unknown, Writer> & { readonly prepared: unknown };

/** A changing call whose arguments are read: what is left is to prepare it, and to do it in a transaction. */
export type Work = {
  readonly args: unknown;
  /** What is slow or remote; absent where nothing is. */
  readonly prepare: (() => Promise<void>) | undefined;
  /** What `run` is given in a transaction. An account that the call opens is kept from here on. */
  readonly turn: (db: Writer) => Promise<MutationTurn>;
};

/** Reads the arguments of a changing call. Throws INVALID_REQUEST as `readArguments` does. */
export function readWork(app: App, tool: Mutation, call: Call, raw: Readonly<Record<string, unknown>>): Work {
  const args = readArguments(tool.input, raw, toolName(tool, call.seller.names));
  let prepared: unknown;
  const { prepare } = tool;
  return {
    args,
    prepare:
      prepare === undefined || tool.prepares?.(args) === false
        ? undefined
        : async () => {
            const turn = { app, call, args, db: app.store.read, account: undefined, accountIsNew: false };
            prepared = await prepare(turn);
          },
    turn: async (db) => {
      const resolved = await resolveAccount(tool, app, call, accountOf(args), db);
      await keepAccount(call, resolved, db);
      return { app, call, args, db, prepared, ...resolved };
    },
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
