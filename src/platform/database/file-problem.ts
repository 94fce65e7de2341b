import { ConfigError } from '../kernel/errors.js';

/** What to do about a database that is lost or damaged. */
export const RESTORE =
  'Restore a backup into an empty folder ("seller-agent restore <dir>"), or put the right file back.';

/** A file or folder that cannot be used as it is: what is wrong with it, and what to do. */
export class FileProblem extends ConfigError {
  constructor(file: string, message: string, { fix }: { readonly fix: string }) {
    super([{ file, line: 0, pointer: '', message, fix }]);
  }
}
