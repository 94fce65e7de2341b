import type { App, Call, Interceptor, TaskRequest } from '../../context.js';
import type { GovernanceApproval } from '../../domain/governance/verdict.js';
import type { Progress } from '../../domain/task/task.js';
import type { Mutation, MutationContext, Tool } from './tool.js';

/** A call whose caller, release and time are known. */
export type Received<Kind extends Tool = Mutation> = {
  readonly app: App;
  readonly tool: Kind;
  /** The name of the task at its tenant. */
  readonly task: string;
  readonly call: Call;
  readonly request: TaskRequest;
  readonly interceptor: Interceptor | undefined;
};

/** A call whose arguments are read. */
export type Parsed<Kind extends Tool = Mutation> = Received<Kind> & { readonly args: unknown };

/** A changing call after all that is slow or remote: the task's preparation, and the verdict of the governance agent. */
export type Prepared = Parsed & {
  readonly prepared: unknown;
  /** Undefined where no governance agent has to approve the call. */
  readonly approval: GovernanceApproval | undefined;
  /** Whether the governance agent of the account was asked, where there is one. */
  readonly isConsulted: boolean;
  /** The preparation that goes on, of a call that takes longer than its caller waits. */
  readonly pending?: PendingPreparation;
};

/** A preparation that goes on after its call was answered. */
export type PendingPreparation = {
  readonly preparing: Promise<Prepared>;
  /** How far it is; undefined before its first step is done. */
  readonly progress: () => Progress | undefined;
  /** Calls `listener` at every further step. */
  readonly listen: (listener: () => void) => void;
};

/** A changing call in its transaction, with its account. */
export type Admitted = Prepared & {
  readonly context: MutationContext;
  /** Whether the caller has any governance agent, which may have to approve the call. */
  readonly isGoverned: boolean;
};
