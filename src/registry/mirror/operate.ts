import path from 'node:path';
import { isoTime } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { startDeadline } from '../../platform/kernel/loop.js';
import { TaskError } from '../../protocol/errors.js';
import type { BrandRecord } from '../model/records.js';
import type { BootstrapStep } from './bootstrap.js';
import { type ExportManifest, exportRecords } from './export.js';
import { EXPORT_FILE } from './export-files.js';
import type { IndexedProperty } from './lookup/answer.js';
import type { IndexStats } from './lookup/registry-index.js';
import type { Mirror, MirrorLag } from './mirror.js';
import type { MirrorOf } from './open.js';

/** How a mirror does, and what it holds. */
type MirrorState = {
  readonly lag: MirrorLag;
  readonly stats: IndexStats;
  /** false: the round in hand takes longer than anybody waits, and goes on. */
  readonly done: boolean;
};

/** A mirror's records of a subject; a member that nothing is known for is left out. */
export type MirrorLookup = {
  readonly agent?: NonNullable<Awaited<ReturnType<Mirror['agent']>>>;
  readonly publisher?: NonNullable<Awaited<ReturnType<Mirror['publisher']>>>;
  readonly brand?: BrandRecord;
  readonly properties?: readonly IndexedProperty[];
  readonly is_stale: boolean;
};

/** The questions of an operator to a mirror, with their answers. */
export type MirrorActions = {
  readonly stats: { readonly asked: object; readonly answer: MirrorState };
  /** One round, now. */
  readonly sync: { readonly asked: object; readonly answer: MirrorState };
  readonly lookup: {
    readonly asked: {
      readonly agent?: string;
      readonly domain?: string;
      readonly type?: string;
      readonly value?: string;
    };
    readonly answer: MirrorLookup;
  };
  /** `folder` is absolute. */
  readonly export: { readonly asked: { readonly folder: string }; readonly answer: ExportManifest };
};

/** A action of the table. */
export type MirrorActionName = keyof MirrorActions;
type Texts = Readonly<Record<string, string | undefined>>;

/** How long one answer is waited for: whoever asks shows in between where the round is. */
const LONGEST_ANSWER_MS = 1000;

const ACTIONS: {
  readonly [Name in MirrorActionName]: (
    open: MirrorOf,
    asked: Texts,
    progress?: (step: BootstrapStep) => void,
  ) => Promise<MirrorActions[Name]['answer']>;
} = {
  stats: async ({ mirror }) => stateOf(mirror, true),
  sync: async ({ mirror }) => {
    const deadline = startDeadline(LONGEST_ANSWER_MS);
    const round = mirror.tick('now').then(() => true);
    const isDone = await Promise.race([round, deadline.passed.catch(() => false)]);
    deadline.end();
    return stateOf(mirror, isDone);
  },
  lookup: async ({ mirror }, { agent, domain, type, value }) => {
    const lookup = agent === undefined ? undefined : await mirror.agent(agent);
    const [publisher, brand] =
      domain === undefined ? [] : await Promise.all([mirror.publisher(domain), mirror.brand(domain)]);
    const properties = type === undefined || value === undefined ? [] : mirror.identifier(type, value);
    return {
      agent: lookup,
      publisher,
      brand,
      properties: properties.length === 0 ? undefined : properties,
      is_stale: mirror.lag().is_stale,
    };
  },
  export: async ({ clock, mirror, store }, { folder = '' }, progress) => {
    if (!path.isAbsolute(folder)) {
      throw new TaskError('INVALID_REQUEST', `${EXPORT_FILE} is written into an absolute folder.`, {
        field: 'folder',
        suggestion: 'Name the folder from the root on.',
      });
    }
    const { cursor, registry } = mirror.lag();
    return await exportRecords(store, folder, { registry, cursor, generated_at: isoTime(clock.now()) }, progress);
  },
};

/** Does what an operator asks of a mirror: `{do, …}` by the table of actions. Throws INVALID_REQUEST. */
export async function operateMirror(
  open: MirrorOf,
  action: unknown,
  progress?: (step: BootstrapStep) => void,
): Promise<object> {
  const { do: name, ...given } = isObject(action) ? action : {};
  if (typeof name !== 'string' || !Object.hasOwn(ACTIONS, name)) {
    throw new TaskError('INVALID_REQUEST', 'Unknown action on the copy of a registry.', {
      field: 'do',
      suggestion: `Send {"do": …} with one of ${Object.keys(ACTIONS).join(', ')}.`,
    });
  }
  const texts = Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return await ACTIONS[name as MirrorActionName](open, Object.fromEntries(texts), progress);
}

function stateOf(mirror: Mirror, done: boolean): MirrorState {
  return { lag: mirror.lag(), stats: mirror.stats(), done };
}
