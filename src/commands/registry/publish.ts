import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hostKind } from '../../platform/net/address.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { createRegistryClient } from '../../registry/client/client.js';
import { type Finding, isValid } from '../../registry/documents/finding.js';
import { hostOf } from '../../registry/publish/adagents.js';
import type { Difference } from '../../registry/publish/diff.js';
import { checkPublished, type PublishedFile, publishedFiles } from '../../registry/publish/publish.js';
import { compareServed } from '../../registry/publish/served.js';
import type { Publication } from '../../registry/publish/types.js';
import type { Environment } from '../../seller/config/draft.js';
import type { Settings } from '../../seller/config/settings.js';
import { describePublication } from '../../seller/http/operator/operations.js';
import { asOperator } from '../operator.js';
import { plainLines } from '../terminal.js';
import { type Announced, announcePublisher } from './announce.js';
import { openOutbound } from './outbound.js';

/** Options of `registry publish`. */
type PublishOptions = {
  /** Folder that the files are written into; `published` unless given. */
  readonly out?: string | undefined;
  /** Writes and checks, and asks nobody. */
  readonly offline?: boolean | undefined;
  /** Milliseconds. */
  readonly now: number;
};

/** Whether every domain serves what it should, and what a person should read. */
type PublishResult = { readonly ok: boolean; readonly text: string };

/** The outcome for one domain. */
type FileReport = { readonly ok: boolean; readonly lines: readonly string[] };

const MOST_SHOWN = 20;

/**
 * Writes the files that say who may sell what, one folder for each domain, and holds them against what the domains serve today; with a
 * registry configured, the publishers are saved and crawled there. `ok` is false while a file is wrong, a domain serves something else,
 * or the registry refuses one.
 */
export async function publishFiles(
  settings: Settings,
  env: Environment,
  options: PublishOptions,
): Promise<PublishResult> {
  const publication = await asOperator<Publication>(settings, env, { path: '/publication' }, ({ app }) =>
    describePublication(app),
  );
  const folder = path.resolve(options.out ?? 'published');
  const { outbound } = await openOutbound(settings, env);
  try {
    const reports: FileReport[] = [];
    for (const file of publishedFiles(publication)) {
      reports.push(await publishOne(file, { settings, publication, folder, outbound, options }));
    }
    const lines = reports.flatMap(({ lines: some }) => some);
    const ok = reports.every((one) => one.ok);
    return { ok, text: plainLines([...lines, ...remarks(publication), writeClosing(reports, options)].join('\n')) };
  } finally {
    await outbound.close();
  }
}

type PublishRun = {
  readonly settings: Settings;
  readonly publication: Publication;
  readonly folder: string;
  readonly outbound: Outbound;
  readonly options: PublishOptions;
};

async function publishOne(file: PublishedFile, run: PublishRun): Promise<FileReport> {
  const { folder, publication, settings, options } = run;
  const target = await writeInto(
    path.join(folder, file.domain),
    file.url,
    `${JSON.stringify(file.content, null, 2)}\n`,
  );
  const findings = checkPublished(file, options.now, settings.development);
  const head = [`${file.url}`, `  written to ${target}`, ...findings.map(shownFinding)];
  if (!isValid(findings)) return { ok: false, lines: [...head, ''] };
  if (file.domain === hostOf(publication)) return { ok: true, lines: [...head, '  served by this server itself', ''] };
  if (options.offline === true) return { ok: true, lines: [...head, ''] };
  const compared = await compareFile(file, run);
  const announced = file.kind === 'publisher_adagents' ? await announceFile(file, run) : NOTHING;
  for (const { text, url } of announced.files ?? []) await writeInto(path.join(folder, file.domain), url, text);
  return { ok: compared.ok && announced.ok, lines: [...head, ...compared.lines, ...announced.lines, ''] };
}

/** Writes a file where its URL says, below the folder of its domain; answers where. */
async function writeInto(folder: string, url: string, text: string): Promise<string> {
  const target = path.join(folder, new URL(url).pathname);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
  return target;
}

const NOTHING: Announced = { ok: true, lines: [] };

async function compareFile(file: PublishedFile, { outbound, settings, options }: PublishRun): Promise<FileReport> {
  const comparing = { outbound, nowMs: options.now, local: settings.development };
  const { differences, fix, isAbsent, message, url } = await compareServed(file, comparing);
  if (url === undefined)
    return { ok: false, lines: [`  not served: ${message}`, `    fix: ${isAbsent ? 'Upload the file.' : fix}`] };
  const at = url === file.url ? 'served as it is here' : `served as it is here, at ${url}`;
  if (differences.length === 0) return { ok: true, lines: [`  ${at}`] };
  const lost = differences.filter(
    ({ kind, pointer }) => kind === 'surplus' && pointer.startsWith('/authorized_agents/'),
  );
  return {
    ok: false,
    lines: [
      `  differs from ${url} in ${differences.length === 1 ? 'one place' : `${differences.length} places`}`,
      ...differences.slice(0, MOST_SHOWN).map(shownDifference),
      ...(differences.length > MOST_SHOWN ? [`    … and ${differences.length - MOST_SHOWN} more`] : []),
      lost.length === 0
        ? '    fix: Upload the file.'
        : '    fix: Copy the entries of other sellers into "other_agents" of publishers.json if they are to stay, then upload the file.',
    ],
  };
}

async function announceFile(file: PublishedFile, { outbound, publication, settings }: PublishRun): Promise<Announced> {
  const { registry } = settings;
  const publisher = publication.publishers.find(({ domain }) => domain === file.domain);
  if (registry === undefined || publisher === undefined) return NOTHING;
  const { token, url } = registry;
  return announcePublisher(createRegistryClient({ url, token, outbound }), publisher, file);
}

const SIGNS = { missing: '+', surplus: '-', changed: '~' } as const;

function shownDifference({ kind, pointer, served, wanted }: Difference): string {
  const value = kind === 'changed' ? `${short(served)} -> ${short(wanted)}` : short(wanted ?? served);
  return `    ${SIGNS[kind]} ${pointer === '' ? '/' : pointer}  ${value}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

/** Returns a finding as two lines: where and what, and the fix. */
export function shownFinding({ fix, message, pointer, severity }: Finding): string {
  return `  ${severity}${pointer === '' ? '' : ` ${pointer}`}: ${message}\n    fix: ${fix}`;
}

function remarks({ jwksUri, publishers }: Publication): readonly string[] {
  const lines: string[] = [];
  if (publishers.length === 0) {
    lines.push('No publishers are configured: list them in publishers.json beside the tenant files.');
  }
  if (hostKind(new URL(jwksUri).hostname) === 'loopback') {
    lines.push(
      'The agents have addresses on this machine, which nobody else can reach: set --base-url before uploading.',
    );
  }
  return lines;
}

function writeClosing(reports: readonly FileReport[], { offline }: PublishOptions): string {
  const wrong = reports.filter(({ ok }) => !ok).length;
  if (offline === true && wrong === 0) return `${reports.length} files written. Nobody was asked what is served today.`;
  return wrong === 0
    ? `${reports.length} files, all served as they are here.`
    : `${wrong} of ${reports.length} files need work.`;
}
