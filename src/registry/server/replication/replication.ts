import type { PartReport } from '../../../platform/health/readiness.js';
import { isoTime, MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import { ConfigError } from '../../../platform/kernel/errors.js';
import { RegistryProblem } from '../service/problem.js';
import type { ServerStore } from '../store/server-store.js';
import {
  becomeMirror,
  becomePrimary,
  type Epoch,
  findEpoch,
  findMirror,
  type MirrorState,
  openEpoch,
} from './epoch.js';
import { Follower, type ReplicaLag, type ReplicationParts } from './follower.js';
import type { Scope } from './scope.js';

/** The registry that is mirrored, and how much of it: with `isStandby`, all that a promotion needs. */
export type MirrorOption = {
  readonly url: string;
  readonly token: string | undefined;
  readonly isStandby?: boolean | undefined;
};

/** How long the primary may take to say that it is there. */
const ANSWER_MS = 5 * SECOND_MS;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** A mirror that is further behind needs a person. */
const MAX_LAG_MS = MINUTE_MS;
/** What is changed in any mirror, and in one of what is public, which has keys of its own. */
const PROMOTE = 'adminPromote';
const LOCAL: ReadonlySet<string> = new Set([
  'adminCreateOrganization',
  'adminCreateKey',
  'adminRevokeKey',
  'adminPutMember',
]);

/** A registry's role, primary or mirror of one, and how it becomes the other. */
export class Replication {
  readonly #parts: ReplicationParts;
  #epoch: Epoch | undefined;
  #mirrored: string | undefined;
  #scope: Scope | undefined;
  #follower: Follower | undefined;
  #option: MirrorOption | undefined;

  private constructor(parts: ReplicationParts) {
    this.#parts = parts;
  }

  /** Opens what the store is: the primary, the mirror that `option` names, or without one, a mirror that rests. Throws ConfigError. */
  static async open(parts: ReplicationParts, option: MirrorOption | undefined): Promise<Replication> {
    const replication = new Replication(parts);
    const state = await findMirror(parts.store.read);
    if (option === undefined) {
      replication.#mirrored = state?.url;
      replication.#scope = state?.scope;
      if (state === undefined) replication.#epoch = await openEpoch(parts);
    } else if (!(await replication.#staysPrimary(option))) {
      await replication.#follow(option, state);
    }
    return replication;
  }

  /** Returns the URL of the registry that this one mirrors; undefined of a primary. */
  get mirrors(): string | undefined {
    return this.#mirrored;
  }

  /** Returns the epoch of this primary; undefined of a mirror. */
  get epoch(): Epoch | undefined {
    return this.#epoch;
  }

  /** Whether requests can be answered: a mirror has to have read all of the primary once. */
  get isWhole(): boolean {
    return this.#follower?.isWhole ?? true;
  }

  /** Returns how far this mirror is behind; undefined of a primary, and of a mirror that rests. */
  lag(): ReplicaLag | undefined {
    return this.#follower?.lag();
  }

  /** Throws method_not_allowed for what an operator changes that is the primary's, by the name of the operation. */
  requireOwn(operation: string): void {
    const isOwn = this.#scope === undefined || operation === PROMOTE || this.lag()?.scope === 'feed';
    if (isOwn || (this.#scope === 'public' && LOCAL.has(operation))) return;
    throw new RegistryProblem('method_not_allowed', `This registry is a mirror of ${this.#mirrored}, which has this.`, {
      suggestion: 'Do it there; it arrives here by itself.',
    });
  }

  /** Returns the state of a mirror, for /readyz. */
  check(): PartReport {
    const lag = this.lag();
    if (lag === undefined) return { status: 'ok' };
    const { failures, lag_ms, scope, state } = lag;
    const facts = { scope, state, failures, lag_seconds: lag_ms === null ? null : Math.round(lag_ms / SECOND_MS) };
    const trouble = failures === 0 ? undefined : describeTrouble(lag);
    if (!this.isWhole) {
      const message = ['the mirror has not read all of its primary yet', trouble].filter(Boolean).join(': ');
      return { status: 'ill', message, ...facts };
    }
    if (lag_ms !== null && lag_ms <= MAX_LAG_MS) return { status: 'ok', ...facts };
    return { status: 'degraded', message: `the mirror is behind: ${trouble ?? 'it reads what it missed'}`, ...facts };
  }

  /** Reads what the primary has by now. */
  async catchUp(): Promise<void> {
    await this.#follower?.catchUp();
  }

  /** Follows the primary for a while, as soon as something happens there; a failure is tried again later. */
  async follow(): Promise<void> {
    await this.#follower?.follow();
  }

  /**
   * Makes this mirror the primary of a new epoch, in one transaction of the given store: whatever ends it, the registry is the mirror that it was,
   * or wholly a primary. Returns the epoch, also of one that was promoted before. Throws conflict for any other primary, for a mirror that
   * is not whole or has not all that a primary needs, and, unless it is forced, while the primary answers.
   */
  async promote(store: Pick<ServerStore, 'read' | 'transact'>, isForced: boolean): Promise<Epoch> {
    const { clock, ids, log } = this.#parts;
    if (this.#epoch?.promoted_from !== undefined) return this.#epoch;
    const state = requirePromotable(await findMirror(store.read));
    if (!isForced && (await this.#isAnswering(state.url)))
      throw refuseWith(
        `The primary at ${state.url} still answers.`,
        'Stop it first; --force makes two primaries of them.',
      );
    await this.#follower?.close();
    try {
      const epoch = await store.transact(async (tx) => {
        const last = requirePromotable(await findMirror(tx));
        const promoted: Epoch = {
          id: ids.uuid(),
          term: last.epoch.term + 1,
          since: isoTime(clock.now()),
          promoted_from: last.url,
          promoted_at_event: await tx.events.head(),
        };
        await becomePrimary(tx, promoted);
        return promoted;
      });
      this.#follower = undefined;
      this.#mirrored = undefined;
      this.#scope = undefined;
      this.#epoch = epoch;
      log.warn({ term: epoch.term, from: state.url }, 'this registry was promoted to primary');
      return epoch;
    } catch (error) {
      await this.#followAgain().catch((err: unknown) =>
        log.error({ err }, 'this mirror does not follow until it is started again'),
      );
      throw error;
    }
  }

  /** Gives up what is waited for of the primary; nothing more is read. */
  stop(): void {
    this.#follower?.stop();
  }

  async close(): Promise<void> {
    await this.#follower?.close();
  }

  /** Goes on as the mirror that the store is still, after a promotion that came to nothing. */
  async #followAgain(): Promise<void> {
    const state = await findMirror(this.#parts.store.read);
    if (state !== undefined && this.#option !== undefined) await this.#follow(this.#option, state);
  }

  async #follow(option: MirrorOption, before: MirrorState | undefined): Promise<void> {
    const { isStandby = false, token, url } = option;
    this.#option = option;
    const scope = isStandby ? 'whole' : 'public';
    const isSame = before?.url === url && before.scope === scope;
    const state: MirrorState = {
      syncedAt: 0,
      isWhole: false,
      ...before,
      url,
      scope,
      cursor: isSame ? before.cursor : '',
    };
    this.#mirrored = url;
    this.#scope = scope;
    this.#follower = await Follower.open(this.#parts, state, token);
  }

  /** Whether this store stays a primary though a mirror was asked for: it was promoted from there. Throws ConfigError for another primary. */
  async #staysPrimary(option: MirrorOption): Promise<boolean> {
    const { log, store } = this.#parts;
    const epoch = await this.#findOwnEpoch();
    if (epoch === undefined) return false;
    if (epoch.promoted_from === option.url) {
      log.warn(
        { term: epoch.term, from: option.url },
        'this registry was promoted: it is the primary, and mirrors nobody',
      );
      this.#epoch = epoch;
      return true;
    }
    const theirs = await this.#termOf(option.url);
    if (theirs === undefined || theirs <= epoch.term) throw otherPrimary(epoch, theirs);
    log.warn(
      { term: epoch.term, now: theirs, primary: option.url },
      'another registry was promoted: this one mirrors it from now on',
    );
    const scope = option.isStandby === true ? 'whole' : 'public';
    await store.transact((tx) =>
      becomeMirror(tx, {
        url: option.url,
        scope,
        cursor: '',
        epoch: { id: epoch.id, term: epoch.term },
        isWhole: false,
        syncedAt: 0,
      }),
    );
    return false;
  }

  /** Returns the epoch that this store has as a primary, also as one that an earlier version wrote. */
  async #findOwnEpoch(): Promise<Epoch | undefined> {
    const { clock, ids, store } = this.#parts;
    if ((await findMirror(store.read)) !== undefined) return undefined;
    const epoch = await findEpoch(store.read);
    if (epoch !== undefined) return epoch;
    const isUsed = (await store.read.events.head()) !== undefined || (await store.read.organization.count()) > 0;
    return isUsed ? { id: ids.uuid(), term: 1, since: isoTime(clock.now()) } : undefined;
  }

  /** Returns the term of the primary at a URL; undefined where there is none that says so. */
  async #termOf(url: string): Promise<number | undefined> {
    const answer = await this.#ask(`${url}/api`);
    try {
      const { epoch } = JSON.parse(answer ?? '{}') as { readonly epoch?: { readonly term?: unknown } };
      return typeof epoch?.term === 'number' ? epoch.term : undefined;
    } catch {
      return undefined;
    }
  }

  async #isAnswering(url: string): Promise<boolean> {
    return (await this.#ask(`${url}/healthz`)) !== undefined;
  }

  /** Returns what is answered at a URL, whatever its status; undefined where nobody answers. */
  async #ask(url: string): Promise<string | undefined> {
    try {
      const { bytes } = await this.#parts.outbound.fetch(url, {
        method: 'GET',
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: ANSWER_MS,
        trusted: true,
        headers: { accept: 'application/json' },
      });
      return bytes.toString();
    } catch {
      return undefined;
    }
  }
}

type PromotableState = MirrorState & { readonly epoch: NonNullable<MirrorState['epoch']> };

/** Returns where a mirror stands that has all that a primary needs. Throws conflict for any other, and for a primary. */
function requirePromotable(state: MirrorState | undefined): PromotableState {
  if (state === undefined) throw refuseWith('This registry is the primary already.', 'There is nothing to be done.');
  const { epoch, isWhole, scope } = state;
  if (!isWhole || epoch === undefined)
    throw refuseWith(
      'This mirror has not read all of the primary yet.',
      'Wait until registry serve says that it follows.',
    );
  if (scope !== 'whole')
    throw refuseWith(
      'This mirror carries what is public, and no keys and members.',
      'Promote one that is served with --standby.',
    );
  return { ...state, epoch };
}

function refuseWith(message: string, suggestion: string): RegistryProblem {
  return new RegistryProblem('conflict', message, { suggestion });
}

function otherPrimary({ term }: Epoch, theirs: number | undefined): ConfigError {
  const why = theirs === undefined ? 'no primary answers there' : `the primary there is of term ${theirs}`;
  return new ConfigError([
    {
      file: 'flag --mirror',
      line: 0,
      pointer: '',
      message: `the data folder is a primary itself, of term ${term}, and ${why}`,
      fix: 'Use an empty data folder for a mirror; a primary becomes one of a registry that was promoted after it.',
    },
  ]);
}

/** Returns why the last round of a mirror failed, and what its operator does then. */
function describeTrouble({ last_status, url }: ReplicaLag): string {
  const mend = 'put one into SELLER_AGENT_REGISTRY_TOKEN and start this mirror again';
  if (last_status === 401)
    return `${url} does not take the key of this mirror (401): make one there with "registry key new <org>" (--role admin for a standby), ${mend}`;
  if (last_status === 403)
    return `${url} gives a standby nothing with this key (403): make one of an admin there with "registry key new <org> --role admin", ${mend}`;
  return `see whether ${url} answers; it is tried again by itself, and the log says what the last try met`;
}
