import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import type { FetchReason } from '../../platform/net/fetch-error.js';
import { asTaskError, TaskError, taskErrorOrThrow } from '../../protocol/errors.js';
import type { Format } from '../formats/format.js';
import { readManifest } from '../formats/manifest.js';
import { type AssetFiles, readFaultReason } from '../probe/asset-files.js';
import { checkManifestFiles, openFiles, type RenderContext, type Renderer } from '../renderer.js';
import { createManifestError, type Finding } from './finding.js';

/** A creative as it was sent: its format, its assets, and where it stands in the arguments, such as `creatives[3]`. */
export type Submission = { readonly format: Format; readonly assets: unknown; readonly field: string };

/** The result of checking a submission: the error that keeps it out of the library, and warnings for its buyer. */
export type SubmissionResult = { readonly error?: TaskError; readonly warnings: readonly string[] };

/**
 * The consequence of a file that could not be read. Buyers send creatives before their files are up, so what can be mended
 * before they run is a warning; an address that no viewer can ever be sent to is refused.
 */
const UNREAD_FILES: Readonly<Record<FetchReason, 'warned' | 'refused'>> = {
  unresolved: 'warned',
  unreachable: 'warned',
  timeout: 'warned',
  insecure: 'warned',
  not_https: 'warned',
  broken_answer: 'warned',
  too_many_redirects: 'warned',
  not_a_url: 'refused',
  credentials: 'refused',
  private_address: 'refused',
  too_large: 'refused',
};

/** How many files are fetched at once, and for how long all of them together. */
const CONCURRENT_FILES = 12;
const BUDGET_MS = 10_000;
const MAX_WARNINGS = 20;

/**
 * Judges creatives for the library, each by itself: what was sent and cannot run is an error; slots that nothing fills, files
 * that cannot be read now and keys that the format does not know are warnings. Takes at most about `budgetMs`; files that were
 * not read by then were not looked at.
 */
export function checkSubmissions(
  renderer: Renderer,
  submissions: readonly Submission[],
  visitor: RenderContext,
  budgetMs = BUDGET_MS,
): Promise<readonly SubmissionResult[]> {
  const files = openFiles(renderer, visitor);
  const queue = new PQueue({ concurrency: CONCURRENT_FILES });
  const signal = AbortSignal.timeout(budgetMs);
  // Every file that is read listens to it.
  setMaxListeners(0, signal);
  const read = <T>(work: () => Promise<T>): Promise<T> => queue.add(work, { signal });
  return Promise.all(submissions.map((submission) => checkSubmission(renderer, submission, visitor, files, read)));
}

type Read = <T>(work: () => Promise<T>) => Promise<T>;

async function checkSubmission(
  renderer: Renderer,
  { format, assets, field }: Submission,
  visitor: RenderContext,
  files: AssetFiles,
  read: Read,
): Promise<SubmissionResult> {
  const unread: string[] = [];
  try {
    const manifest = readManifest({ format_id: format.format_id, assets }, field);
    const noted = noteUnreadFiles(files, read, unread);
    const findings = await checkManifestFiles(renderer, manifest, format, visitor, noted);
    const error = createManifestError(
      findings.filter((finding) => !isWarningOnly(finding)),
      pointerOf(field),
    );
    const warnings = [...unread, ...findings.filter(isWarningOnly).map(({ message }) => message)].slice(
      0,
      MAX_WARNINGS,
    );
    return { warnings, error };
  } catch (error) {
    return { error: taskErrorOrThrow(error), warnings: [] };
  }
}

function isWarningOnly({ severity, missing }: Finding): boolean {
  return severity === 'warning' || missing === true;
}

/** Reads files as `files` does; one whose absence is only told counts as one that is not there, and is noted. */
function noteUnreadFiles(files: AssetFiles, read: Read, unread: string[]): AssetFiles {
  const noting =
    <T>(from: (url: string) => Promise<T>) =>
    async (url: string): Promise<T> => {
      try {
        return await read(() => from(url));
      } catch (error) {
        const reason = readFaultReason(error);
        if (reason !== undefined && UNREAD_FILES[reason] === 'refused') throw error;
        const why = asTaskError(error)?.message ?? 'There was no time left to look at it.';
        unread.push(`A file could not be looked at. ${why}`);
        throw new TaskError('VALIDATION_ERROR', why);
      }
    };
  return { ...files, read: noting(files.read), readWhole: noting(files.readWhole) };
}

/** `packages[0].creatives[1]` as a pointer. */
function pointerOf(field: string): string {
  return `/${field.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`;
}
