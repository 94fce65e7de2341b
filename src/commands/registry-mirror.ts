import path from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import type { Environment } from '../config/draft.js';
import type { Settings } from '../config/settings.js';
import { systemClock } from '../kernel/clock.js';
import { TaskError } from '../kernel/errors.js';
import { systemIds } from '../kernel/ids.js';
import type { Log } from '../kernel/log.js';
import { isUrl } from '../kernel/url.js';
import { type ExportManifest, exportRecords } from '../registry/snapshot/export.js';
import { EXPORT_FILE, EXPORT_MANIFEST } from '../registry/snapshot/export-files.js';
import type { Mirror, MirrorLag } from '../registry/snapshot/mirror.js';
import { type MirrorOf, openMirrorOf } from '../registry/snapshot/open.js';
import { holdDataFolder } from '../store/data-folder.js';
import { splitProperty } from './registry-explain.js';
import { openOutbound } from './registry-outbound.js';
import { plain } from './terminal.js';

/** What the commands of the mirror run with. */
export type MirrorDesk = {
  readonly settings: Settings;
  readonly env: Environment;
  readonly log: Log;
  /** Shows where a long run is, on a line that is written over. */
  readonly progress: (text: string) => void;
};

/** Reads what is new at the registry, or all of it the first time. Answers text to show; not ok when the registry could not be read. */
export async function syncMirror(desk: MirrorDesk): Promise<{ readonly ok: boolean; readonly text: string }> {
  return await withMirror(desk, async ({ mirror }) => {
    let before: string;
    do {
      before = mirror.lag().cursor;
      await mirror.tick('now');
      desk.progress(`events: ${mirror.lag().events.applied}`);
    } while (mirror.lag().last_error === null && mirror.lag().cursor !== before);
    const { last_error, ...lag } = mirror.lag();
    return { ok: last_error === null, text: [...lagLines({ ...lag, last_error }), ...statLines(mirror)].join('\n') };
  });
}

/** Says what the mirror holds and how far it is behind, without asking the registry. */
export async function mirrorStats(desk: MirrorDesk): Promise<string> {
  return await withMirror(desk, async ({ mirror }) => [...lagLines(mirror.lag()), ...statLines(mirror)].join('\n'));
}

/** Says what the mirror knows of a domain, an agent's URL, or an identifier (`type:value`), without asking the registry. */
export async function lookUp(
  desk: MirrorDesk,
  subject: string,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  return await withMirror(desk, async ({ mirror }) => {
    const lines =
      isUrl(subject) && /^https?:/i.test(subject)
        ? await agentLines(mirror, subject)
        : await placeLines(mirror, subject);
    const isOld = mirror.lag().is_stale ? ['(this copy is old: run registry sync)'] : [];
    if (lines.length === 0) return { ok: false, text: [`Nothing is known of ${subject}.`, ...isOld].join('\n') };
    return { ok: true, text: [...lines, ...isOld].map(plain).join('\n') };
  });
}

/** Writes the records as plain JSON, and the manifest beside them, into the data folder, from where the server serves them. */
export async function exportMirror(desk: MirrorDesk, folder: string): Promise<string> {
  return await withMirror(desk, async ({ mirror, store }) => {
    const { cursor, registry } = mirror.lag();
    const generated_at = new Date(systemClock.now()).toISOString();
    const told = await exportRecords(store, folder, { registry, cursor, generated_at }, (noun, done) =>
      desk.progress(`${noun}: ${done}`),
    );
    const file = path.join(folder, EXPORT_MANIFEST);
    const manifest = new Low<{ snapshots: ExportManifest[] }>(new JSONFile(file), { snapshots: [] });
    manifest.data.snapshots.push(told);
    await manifest.write();
    return `${path.join(folder, EXPORT_FILE)}: ${told.bytes} bytes, sha256 ${told.sha256}\n${file}`;
  });
}

async function withMirror<T>(
  { env, log, progress, settings }: MirrorDesk,
  work: (open: MirrorOf) => Promise<T>,
): Promise<T> {
  const { dataDir, registry } = settings;
  if (registry === undefined) {
    throw new TaskError('INVALID_REQUEST', 'No registry is configured.', {
      suggestion: 'Set registry.url in seller-agent.json, or SELLER_AGENT_REGISTRY_URL.',
    });
  }
  const hold = holdDataFolder(dataDir);
  const { outbound } = await openOutbound(settings, env);
  const { maxStalenessMs, token, url } = registry;
  const parts = { url, token, maxStalenessMs, dataDir, outbound, clock: systemClock, ids: systemIds, log };
  const open = await openMirrorOf({ ...parts, progress: (what, done) => progress(`${what}: ${done}`) });
  try {
    return await work(open);
  } finally {
    progress('');
    await open.close();
    await outbound.close();
    hold.release();
  }
}

const LABEL_WIDTH = 16;

function lines(members: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(members).map(([name, value]) => `${name.padEnd(LABEL_WIDTH)}${String(value)}`);
}

function lagLines({ events, last_error, ...lag }: MirrorLag): readonly string[] {
  const told = Object.entries(events).filter(([, count]) => count > 0);
  return lines({
    ...lag,
    events: told.length === 0 ? 'none' : told.map(([name, count]) => `${count} ${name}`).join(', '),
    ...(last_error === null ? {} : { last_error }),
  });
}

function statLines(mirror: Mirror): readonly string[] {
  return lines(mirror.stats());
}

async function agentLines(mirror: Mirror, url: string): Promise<readonly string[]> {
  const agent = await mirror.agent(url);
  if (agent === undefined) return [];
  const { channels = [], name, type } = agent.record ?? {};
  return [
    ...lines({ agent: url, ...(name === undefined ? {} : { name }), ...(type === undefined ? {} : { type }) }),
    ...(channels.length === 0 ? [] : lines({ channels: channels.join(', ') })),
    ...listed('publishers', agent.domains),
  ];
}

async function placeLines(mirror: Mirror, subject: string): Promise<readonly string[]> {
  const { publisher, reference } = splitProperty(subject);
  const { property } = reference;
  if (property !== undefined && 'type' in property) {
    return mirror
      .identifier(property.type, property.value)
      .flatMap(({ property_id, property_rid, publisher_domain }) =>
        lines({ property: property_id ?? property_rid, publisher: publisher_domain }),
      );
  }
  if (publisher === undefined) return [];
  const [known, brand] = [await mirror.publisher(publisher), await mirror.brand(publisher)];
  return [
    ...(known === undefined ? [] : lines({ publisher: known.record.domain, adagents_json: known.record.standing })),
    ...listed('agents', known?.agents ?? []),
    ...(brand === undefined ? [] : lines({ brand: brand.brand_name, canonical_id: brand.canonical_id })),
  ];
}

const MOST_LISTED = 50;

function listed(name: string, all: readonly string[]): readonly string[] {
  if (all.length === 0) return [];
  const more = all.length - MOST_LISTED;
  return [
    ...lines({ [name]: all.length }),
    ...all.slice(0, MOST_LISTED).map((one) => `  ${one}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
