import type { Outbound } from '../../platform/net/fetch.js';
import { discoverAdagents } from '../adagents/discovery.js';
import { discoverBrand } from '../brand/discovery.js';
import type { Finding } from '../documents/finding.js';
import { createReport } from '../documents/finding.js';
import { readJsonObject } from '../documents/json-document.js';
import { walkSteps } from '../documents/walk.js';
import { compareFiles, type Difference } from './diff.js';
import type { PublishedFile } from './publish.js';

/** The file that a domain serves today beside the one that it should serve. */
type ServedComparison = {
  /** Where the file that counts today was read; undefined when there is none. */
  readonly url?: string;
  /** Nothing stands there, as it does before the first upload. */
  readonly isAbsent: boolean;
  /** Why there is none, in a sentence, and what to do about it. */
  readonly message: string;
  readonly fix: string;
  readonly differences: readonly Difference[];
  readonly findings: readonly Finding[];
};

/** How a domain is asked. */
type ComparisonOptions = {
  readonly outbound: Pick<Outbound, 'fetch'>;
  /** Milliseconds. */
  readonly nowMs: number;
  /** Development mode: http and loopback are let through. */
  readonly local: boolean;
};

/** Fetches what stands at a file's domain today, along pointers and managers, and compares. */
export async function compareServed(file: PublishedFile, options: ComparisonOptions): Promise<ServedComparison> {
  const { local, nowMs, outbound } = options;
  const documents = new Map<string, Uint8Array>();
  const walk = {
    local,
    seen: ({ url }: { url: string }, { bytes }: { bytes: Uint8Array }) => void documents.set(url, bytes),
  };
  if (file.kind === 'brand_json') {
    const { findings, fix, message, reason, url } = await walkSteps(discoverBrand(file.domain, local), outbound, walk);
    return { ...compareAt(url, documents, file), isAbsent: reason === 'not_found', findings, fix, message };
  }
  const steps = discoverAdagents(file.domain, { nowMs, local });
  const { effective, findings, fix, message, reason } = await walkSteps(steps, outbound, walk);
  const isAbsent = reason === 'not_found';
  return { ...compareAt(effective?.url, documents, file), isAbsent, findings, fix, message };
}

function compareAt(
  url: string | undefined,
  documents: ReadonlyMap<string, Uint8Array>,
  { content }: PublishedFile,
): Pick<ServedComparison, 'url' | 'differences'> {
  const bytes = url === undefined ? undefined : documents.get(url);
  if (url === undefined || bytes === undefined) {
    return { differences: [{ pointer: '', kind: 'missing', wanted: content }] };
  }
  return { url, differences: compareFiles(readJsonObject(bytes, createReport(url)), content) };
}
