import { z } from 'zod';
import type { Written } from '../../../platform/kernel/json/json.js';
import { completePayload, type Payload } from '../../../protocol/envelope.js';
import type { ProtocolNames } from '../../../protocol/names.js';
import type { Release } from '../../../protocol/releases.js';
import type { App, Call, TaskRequest } from '../../context.js';
import type { Account, AccountUse } from '../../domain/account/account.js';
import type { Scope } from '../../domain/account/scope.js';
import type { Commitment, Money } from '../../domain/governance/commitment.js';
import type { Stake } from '../../domain/task/approval.js';
import type { Progress } from '../../domain/task/task.js';
import type { Tenant, TenantKind } from '../../domain/tenant/tenant.js';
import type { Reader, Writer } from '../../store/store.js';

/**
 * Most values of the body of a call: each list and object counts, and each item or member but the first of its own. An order of 150
 * packages has some 9,000.
 */
export const MAX_VALUES = 10_000;
/** Most values of a body that brings many things at once: orders, creatives, reports of use. */
export const MAX_VALUES_OF_MANY = 50_000;
/** Most values of a body that brings a whole list of people, events or things: 75,000 people of two identifiers each. */
export const MAX_VALUES_OF_LISTS = 300_000;

/** Stands in `root` for the member that names the release, whose name follows from the protocol's. */
export const VERSION_MEMBER = '@version';
/** Stands in `root` for a message that only answers which go on have. */
export const MESSAGE_WHILE_ONGOING = '@message';

type Common<Input> = {
  /** The task's name, or how it follows from the protocol's name. */
  readonly name: string | ((names: ProtocolNames) => string);
  /** Other names of the protocol that it answers to; never listed. */
  readonly aliases?: readonly string[];
  readonly title: string;
  /** For a language model: when to use it, what comes next, units. */
  readonly description: string;
  readonly kinds: readonly TenantKind[];
  /** The release that it came with: it is of tenants that serve that, for callers who ask for it. Of every release unless set. */
  readonly since?: Release;
  /** The only members that the roots of its answers have, by the schemas of its release; any unless set. */
  readonly root?: readonly string[];
  /** Whether a tenant of these kinds offers it; every one does unless set. */
  readonly offered?: (tenant: Tenant) => boolean;
  /** Whether such a tenant puts it in tools/list; every one does unless set. One that is not in there still answers. */
  readonly listed?: (tenant: Tenant) => boolean;
  /** A release whose callers it is refused to, with why and what to do instead. */
  readonly notIn?: { readonly release: Release; readonly because: string; readonly instead: string };
  /** It is of the sandbox: listed to sandbox principals alone, and it refuses live ones itself. */
  readonly sandboxOnly?: true;
  /** The one schema: it reads the arguments and is published in tools/list. */
  readonly input: z.ZodType<Input>;
  /** Most values of the body that calls it (`MAX_VALUES` unless set), for a task that is meant to take long lists. */
  readonly maxValues?: number;
  /** What the task wants with the account it names; a mutation opens it when the tenant allows that. */
  readonly account?: { readonly use: AccountUse; readonly required: boolean };
  /** Members that a task's schema wants even in a failed answer. */
  readonly empty?: Payload;
  /** Its failures carry an `error: {code, message, status}` at the root too. */
  readonly creative?: true;
  /** Turns the task's own answer into the shape of a release, where the two differ. */
  readonly shape?: (payload: Payload, release: Release) => Payload;
};

/** The context that a task runs in. */
type TaskContext<Input, Access> = {
  readonly app: App;
  readonly call: Call;
  readonly args: Input;
  readonly db: Access;
  /** The account that the arguments name: it exists, is the caller's, and may be used for this. */
  readonly account: Account | undefined;
  /** Whose things the call reaches: those in the account that it names, all of the caller's where it names none or its policy says so. */
  readonly scope: Scope;
  /** The arguments name an account that was never opened: there is nothing in it. */
  readonly accountIsNew: boolean;
};

/** The context that a mutation runs in: one transaction. */
export type MutationContext<Input = unknown, Prepared = unknown> = TaskContext<Input, Writer> & {
  readonly prepared: Prepared;
};

/** Looks at what is there before a task runs, and then says what its answer commits the account to; undefined: to nothing more. */
export type Commits<Input> = (
  context: TaskContext<Input, Reader>,
) => Promise<(answer: Payload) => Promise<Commitment | undefined>>;

/** A task that only reads; it is given nothing that could write. */
export type Query<Input = unknown> = Common<Input> & {
  readonly kind: 'query';
  /** It reads the tenant's files alone, never the store: the same question has the same answer until they change. */
  readonly fromCatalog?: true;
  /** The member of its answer that comes in pages, where one does. */
  readonly rows?: string;
  /** Whether a request asks for what is long by itself, such as markup, so that its answer is not shortened for a language model. */
  readonly isLong?: (request: TaskRequest) => boolean;
  /** Sellers may take their time for it, so that clients follow its calls as tasks; here each is over with its answer. */
  readonly isTakenTimeFor?: true;
  /** A written answer is sent as it stands. */
  readonly run: (context: TaskContext<Input, Reader>) => Promise<Payload | Written>;
};

/** A task that changes state: once per idempotency key, in one transaction. */
export type Mutation<Input = unknown, Prepared = unknown> = Common<Input> & {
  readonly kind: 'mutation';
  /** The task may be called without an idempotency key, which then protects nothing. */
  readonly keyOptional?: true;
  /** Whether this call has anything to prepare, every one unless set. One that has not is done in one transaction; its `prepared` is undefined. */
  readonly prepares?: (args: Input, call: Call) => boolean;
  /** What is slow or remote, done before the transaction; it tells how far it is. */
  readonly prepare?: (context: TaskContext<Input, Reader>, report: (progress: Progress) => void) => Promise<Prepared>;
  /** Its preparation may take longer than a caller waits: the call is then answered `submitted`, and goes on as a task. */
  readonly outlasts?: true;
  /** Whether this call only tries: all that it writes is undone, and it answers what would have come of it. */
  readonly dryRun?: (args: Input) => boolean;
  /** What it binds the account to, and the seller: the account's governance agent may have to decide first, or a person of the seller. */
  readonly commits?: Commits<Input>;
  /** Returns what its answer charges at once, beside what it commits to. */
  readonly fee?: (answer: Payload) => Money | undefined;
  /** What a person of the seller would decide about, where that is no media buy; in the transaction, with the answer. */
  readonly stake?: (context: MutationContext<Input, Prepared>, answer: Payload) => Promise<Stake | undefined>;
  /** Returns the id of the media buy that a call changes, where its arguments do not name it. */
  readonly changes?: (context: MutationContext<Input, Prepared>) => Promise<string | undefined>;
  /** Members of the task's own that it answers while a person decides. */
  readonly pending?: (context: MutationContext<Input, Prepared>) => Payload;
  /** It can end something for good. */
  readonly destructive?: true;
  readonly run: (context: MutationContext<Input, Prepared>) => Promise<Payload>;
};

/** A row of the table of tasks. */
export type Tool = Query | Mutation;

/** Whether a tenant offers a task; those of the sandbox only `withSandbox`, and where the tenant has them. */
export function isOffered(tool: Tool, tenant: Tenant, withSandbox: boolean): boolean {
  if (tool.sandboxOnly === true && !(withSandbox && tenant.hasTestController)) return false;
  if (tool.since !== undefined && !tenant.releases.includes(tool.since)) return false;
  return tool.kinds.some((kind) => tenant.kinds.includes(kind)) && tool.offered?.(tenant) !== false;
}

/** Declares a reading task. */
export function query<Input>(definition: Omit<Query<Input>, 'kind'>): Tool {
  return { ...definition, kind: 'query' } as Tool;
}

/** Declares a changing task. */
export function mutation<Input, Prepared = undefined>(definition: Omit<Mutation<Input, Prepared>, 'kind'>): Tool {
  return { ...definition, kind: 'mutation' } as Tool;
}

/** Returns the name under which a tenant lists a task. */
export function toolName(tool: Tool, names: ProtocolNames): string {
  return typeof tool.name === 'string' ? tool.name : tool.name(names);
}

/** Whether the calls of a task may be followed as tasks: those that may go on after their answer, and those that sellers elsewhere take their time for. */
export function canBeTask(tool: Tool): boolean {
  if (tool.kind === 'query') return tool.isTakenTimeFor === true;
  return tool.commits !== undefined || tool.outlasts === true;
}

/** Returns the names of the arguments that a task takes. */
export function argumentNames({ input }: Tool): readonly string[] {
  if (input instanceof z.ZodObject) return Object.keys(input.shape);
  throw new Error('the arguments of a task are an object');
}

/** Returns a task's own answer in the shape of the caller's release, with the task's status. */
export function shapeAnswer(tool: Tool, answer: Payload, call: Call): Payload {
  return completePayload(tool.shape?.(answer, call.to.release) ?? answer);
}
