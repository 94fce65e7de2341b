import path from 'node:path';
import { holdDataFolder } from '../../platform/database/data-folder.js';
import { systemClock } from '../../platform/kernel/clock.js';
import { writeWholeFile } from '../../platform/kernel/files/whole-file.js';
import { systemIds } from '../../platform/kernel/ids.js';
import type { Log } from '../../platform/kernel/log.js';
import { isUrl } from '../../platform/net/url.js';
import type { BootstrapStep } from '../../registry/mirror/bootstrap.js';
import type { ExportManifest } from '../../registry/mirror/export.js';
import { EXPORT_FILE, EXPORT_MANIFEST } from '../../registry/mirror/export-files.js';
import type { MirrorLag } from '../../registry/mirror/mirror.js';
import { openMirrorOf } from '../../registry/mirror/open.js';
import {
  type MirrorActionName,
  type MirrorActions,
  type MirrorLookup,
  operateMirror,
} from '../../registry/mirror/operate.js';
import type { Environment } from '../../seller/config/draft.js';
import type { Settings } from '../../seller/config/settings.js';
import { noRegistry } from '../../seller/registry/open.js';
import { askRunning, OperatorError } from '../operator.js';
import { plain, readableMember } from '../terminal.js';
import { splitProperty } from './explain.js';
import { openOutbound } from './outbound.js';

/** The outcome of a command, as text to show. */
type CommandReport = { readonly ok: boolean; readonly text: string };

/** The surroundings of a command of the mirror. */
export type MirrorCommandContext = {
  readonly settings: Settings;
  readonly env: Environment;
  readonly log: Log;
  /** Shows where a long run is, on a line that is written over. */
  readonly progress: (text: string) => void;
};

/** Reads what is new at the registry, or all of it the first time. Answers text to show; not ok when the registry could not be read. */
export async function syncMirror(context: MirrorCommandContext): Promise<CommandReport> {
  return await withMirror(context, async (ask) => {
    for (let before: string | undefined; ; ) {
      const { done, lag, stats } = await ask('sync', {});
      context.progress(whereItIs(lag));
      const isOver = done && (lag.last_error !== null || lag.cursor === before);
      if (isOver) return { ok: lag.last_error === null, text: [...lagLines(lag), ...lines(stats)].join('\n') };
      if (done) before = lag.cursor;
    }
  });
}

/** Says what the mirror holds and how far it is behind, without asking the registry. */
export async function mirrorStats(context: MirrorCommandContext): Promise<string> {
  const { lag, stats } = await withMirror(context, (ask) => ask('stats', {}));
  return [...lagLines(lag), ...lines(stats)].join('\n');
}

/** Says what the mirror knows of a domain, an agent's URL, or an identifier (`type:value`), without asking the registry. */
export async function lookUp(context: MirrorCommandContext, subject: string): Promise<CommandReport> {
  const asked = readSubject(subject);
  const { is_stale, ...entry } = await withMirror(context, (ask) => ask('lookup', asked));
  const result = [...agentLines(subject, entry), ...propertyLines(entry), ...domainLines(entry)];
  const staleNote = is_stale ? ['(this copy is old: run registry sync)'] : [];
  if (result.length === 0) return { ok: false, text: [`Nothing is known of ${subject}.`, ...staleNote].join('\n') };
  return { ok: true, text: [...result, ...staleNote].map(plain).join('\n') };
}

/** Writes the records as plain JSON, and the manifest beside them, into the data folder, from where the server serves them. */
export async function exportMirror(context: MirrorCommandContext, folder: string): Promise<string> {
  const result = await withMirror(context, (ask) => ask('export', { folder: path.resolve(folder) }));
  const file = path.join(folder, EXPORT_MANIFEST);
  const manifest: { readonly snapshots: readonly ExportManifest[] } = { snapshots: [result] };
  await writeWholeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return `${path.join(folder, EXPORT_FILE)}: ${result.bytes} bytes, sha256 ${result.sha256}\n${file}`;
}

type Ask = <Name extends MirrorActionName>(
  name: Name,
  asked: MirrorActions[Name]['asked'],
) => Promise<MirrorActions[Name]['answer']>;

/** Works on the mirror of the running server where one holds the data folder, else on the one in the folder. */
async function withMirror<T>(context: MirrorCommandContext, run: (ask: Ask) => Promise<T>): Promise<T> {
  const { dataDir } = context.settings;
  if (context.settings.registry === undefined)
    throw new OperatorError(
      'No registry is configured that this could be a copy of. Set registry.url in seller-agent.json, or SELLER_AGENT_REGISTRY_URL; a registry that you serve is written by "seller-agent registry export --whole <file>".',
    );
  const operate = async (action: object): Promise<object | undefined> =>
    await askRunning(dataDir, { path: '/registry', body: action });
  const isRunning = (await operate({ do: 'stats' })) !== undefined;
  try {
    if (!isRunning) return await withOwnMirror(context, run);
    return await run(askWith(operate));
  } finally {
    context.progress('');
  }
}

async function withOwnMirror<T>(
  { env, log, progress, settings }: MirrorCommandContext,
  run: (ask: Ask) => Promise<T>,
): Promise<T> {
  const { dataDir, development: local, registry } = settings;
  if (registry === undefined) throw noRegistry();
  const hold = holdDataFolder(dataDir, log);
  const { outbound } = await openOutbound(settings, env);
  const { maxStalenessMs, token, url } = registry;
  const parts = { url, token, maxStalenessMs, dataDir, outbound, clock: systemClock, ids: systemIds, log, local };
  const open = await openMirrorOf(parts);
  try {
    return await run(askWith((action) => operateMirror(open, action, (step) => progress(barOf(step)))));
  } finally {
    await open.close();
    await outbound.close();
    hold.release();
  }
}

function askWith(operate: (action: object) => Promise<object | undefined>): Ask {
  return async (name, asked) => {
    const answer = await operate({ do: name, ...asked });
    if (answer === undefined) throw new OperatorError('The running server has ended meanwhile. Run the command again.');
    // Both answer by the one table of actions.
    return answer as MirrorActions[typeof name]['answer'];
  };
}

function readSubject(subject: string): MirrorActions['lookup']['asked'] {
  if (isUrl(subject) && /^https?:/i.test(subject)) return { agent: subject };
  const { publisher, reference } = splitProperty(subject);
  const { property } = reference;
  if (property !== undefined && 'type' in property) return { type: property.type, value: property.value };
  return publisher === undefined ? {} : { domain: publisher };
}

const BAR_WIDTH = 24;

function whereItIs({ events, reading }: Pick<MirrorLag, 'events' | 'reading'>): string {
  return reading === null ? `events: ${events.applied}` : barOf(reading);
}

/** Returns a bar where the end is known, else a count. */
function barOf({ done, total, what }: BootstrapStep): string {
  if (total === null) return `${what}: ${done}`;
  const full = total === 0 ? BAR_WIDTH : Math.floor((BAR_WIDTH * done) / total);
  return `${what} [${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${done} of ${total}`;
}

const LABEL_WIDTH = 16;

function lines(members: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => readableMember(name, value))
    .map(([name, text]) => `${name.padEnd(LABEL_WIDTH)}${text}`);
}

function lagLines({ events, last_error, reading, ...lag }: MirrorLag): readonly string[] {
  const counts = Object.entries(events).filter(([, count]) => count > 0);
  return lines({
    ...lag,
    reading: reading === null ? undefined : whereItIs({ events, reading }),
    events: counts.length === 0 ? 'none' : counts.map(([name, count]) => `${count} ${name}`).join(', '),
    last_error: last_error ?? undefined,
  });
}

type LookupContent = Omit<MirrorLookup, 'is_stale'>;

function agentLines(url: string, { agent }: LookupContent): readonly string[] {
  if (agent === undefined) return [];
  const { channels = [], name, type } = agent.record ?? {};
  return [
    ...lines({ agent: url, name, type }),
    ...(channels.length === 0 ? [] : lines({ channels: channels.join(', ') })),
    ...listSome('publishers', agent.domains),
  ];
}

function propertyLines({ properties = [] }: LookupContent): readonly string[] {
  return properties.flatMap(({ property_id, property_rid, publisher_domain }) =>
    lines({ property: property_id ?? property_rid, publisher: publisher_domain }),
  );
}

function domainLines({ brand, publisher }: LookupContent): readonly string[] {
  return [
    ...(publisher === undefined
      ? []
      : lines({ publisher: publisher.record.domain, adagents_json: publisher.record.standing })),
    ...listSome('agents', publisher?.agents ?? []),
    ...(brand === undefined ? [] : lines({ brand: brand.brand_name, canonical_id: brand.canonical_id })),
  ];
}

const MOST_LISTED = 50;

function listSome(name: string, all: readonly string[]): readonly string[] {
  if (all.length === 0) return [];
  const more = all.length - MOST_LISTED;
  return [
    ...lines({ [name]: all.length }),
    ...all.slice(0, MOST_LISTED).map((one) => `  ${one}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
