import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import { asTaskError, type TaskError, taskErrorOrThrow } from '../../protocol/errors.js';
import type { Format } from '../formats/format.js';
import { readManifest } from '../formats/manifest.js';
import { type AssetFiles, fileFault, unreadFile } from '../probe/asset-files.js';
import { checkManifestFiles, openFiles, type RenderContext, type Renderer } from '../renderer.js';
import { createManifestError, type Finding } from './finding.js';

/** A creative as it was sent: its format, its assets, and where it stands in the arguments, such as `creatives[3]`. */
export type Submission = { readonly format: Format; readonly assets: unknown; readonly field: string };

/** The result of checking a submission: the error that keeps it out of the library, and warnings for its buyer. */
export type SubmissionResult = {
  readonly error?: TaskError;
  readonly warnings: readonly string[];
  /** What keeps it from running as it is; absent where nothing does. */
  readonly hold?: CreativeHold;
};

/** Why a creative cannot run yet: required assets are not there, or files that nobody could look at now. */
export type CreativeHold = { readonly kind: 'incomplete' | 'unread'; readonly why: string };

/** How many files are fetched at once, and for how long all of them together. */
const CONCURRENT_FILES = 12;
const BUDGET_MS = 10_000;
const MAX_WARNINGS = 20;

/** The findings of a submission, before anybody judges by them. */
type Examination = {
  readonly findings: readonly Finding[];
  /** Why files could not be looked at now. */
  readonly unread: readonly string[];
};

/**
 * Returns the files of one call, each fetched once: a few at a time, and all of them within about `budgetMs`. Those that could not be
 * looked at by then, or at all, count as not there, and are noted in the list that is given.
 */
export function openNotedFiles(
  renderer: Renderer,
  visitor: RenderContext,
  budgetMs = BUDGET_MS,
): (unread: string[]) => AssetFiles {
  const files = openFiles(renderer, visitor);
  const queue = new PQueue({ concurrency: CONCURRENT_FILES });
  const signal = AbortSignal.timeout(budgetMs);
  // Every file that is read listens to it.
  setMaxListeners(0, signal);
  const read = <T>(task: () => Promise<T>): Promise<T> => queue.add(task, { signal });
  return (unread) => noteUnreadFiles(files, read, unread);
}

/** Returns a function that checks submissions, each by itself, with the files of `openNotedFiles`. It throws INVALID_REQUEST for what is no manifest. */
export function openExamination(
  renderer: Renderer,
  visitor: RenderContext,
  budgetMs?: number,
): (submission: Submission) => Promise<Examination> {
  const noted = openNotedFiles(renderer, visitor, budgetMs);
  return async ({ format, assets, field }) => {
    const unread: string[] = [];
    const manifest = readManifest({ format_id: format.format_id, assets }, field);
    return { findings: await checkManifestFiles(renderer, { format, manifest }, visitor, noted(unread)), unread };
  };
}

/**
 * Judges creatives for the library, each by itself: what was sent and cannot run is an error; slots that nothing fills, files
 * that cannot be read now and keys that the format does not know are warnings. Takes at most about `budgetMs`.
 */
export function checkSubmissions(
  renderer: Renderer,
  submissions: readonly Submission[],
  visitor: RenderContext,
  budgetMs?: number,
): Promise<readonly SubmissionResult[]> {
  const examine = openExamination(renderer, visitor, budgetMs);
  return Promise.all(submissions.map((submission) => checkSubmission(submission, examine)));
}

type Read = <T>(task: () => Promise<T>) => Promise<T>;

async function checkSubmission(
  submission: Submission,
  examine: ReturnType<typeof openExamination>,
): Promise<SubmissionResult> {
  try {
    const { findings, unread } = await examine(submission);
    const error = createManifestError(
      findings.filter((finding) => !isWarningOnly(finding)),
      pointerOf(submission.field),
    );
    const warnings = [...unread, ...findings.filter(isWarningOnly).map(({ message }) => message)].slice(
      0,
      MAX_WARNINGS,
    );
    return { warnings, error, hold: findHold(findings, unread) };
  } catch (error) {
    return { error: taskErrorOrThrow(error), warnings: [] };
  }
}

/** Assets that are not there come first: whoever sends them sends the files again too. */
function findHold(findings: readonly Finding[], unread: readonly string[]): CreativeHold | undefined {
  const missing = findings.filter(({ severity, missing }) => severity === 'error' && missing === true);
  if (missing.length > 0) {
    const slots = [...new Set(missing.map(({ asset_id }) => asset_id))].slice(0, MAX_WARNINGS).join(', ');
    return { kind: 'incomplete', why: `Required assets are missing: ${slots}. Send the creative again with them.` };
  }
  const [first] = unread;
  return first === undefined
    ? undefined
    : { kind: 'unread', why: `${first} Send the creative again once its files are up.` };
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
        if (fileFault(error) === 'wrong') throw error;
        const why = asTaskError(error)?.message ?? 'There was no time left to look at it.';
        unread.push(`A file could not be looked at. ${why}`);
        throw unreadFile(why);
      }
    };
  return { ...files, read: noting(files.read), readWhole: noting(files.readWhole) };
}

/** Returns a field such as `packages[0].creatives[1]` as a JSON pointer. */
function pointerOf(field: string): string {
  return `/${field.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`;
}
