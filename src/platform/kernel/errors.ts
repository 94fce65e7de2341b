/** The members of an error beside its message. `field` is a path such as `packages[0].budget`. */
export type ErrorExtras = {
  readonly field?: string;
  readonly suggestion?: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** The base of errors that are meant to be shown: `message` says what happened, `extras` where and what to do about it. */
export class AppError<Code extends string = string, Extras extends ErrorExtras = ErrorExtras> extends Error {
  readonly code: Code;
  readonly extras: Partial<Extras>;

  constructor(code: Code, message: string, extras: Partial<Extras> = {}) {
    super(message);
    this.code = code;
    this.extras = extras;
  }
}

/** Returns what happened and what to do, as two sentences. */
export function joinSentences(message: string, suggestion: string | undefined): string {
  if (suggestion === undefined || suggestion === '') return message;
  return `${message}${/[.!?:]$/.test(message) ? '' : '.'} ${suggestion}`;
}

/** The base of errors that pass by themselves, such as a database that is away: whoever does something again and again only warns of them. */
export abstract class PassingError extends Error {
  /** Returns what happened, with what caused it, in one line. */
  get reason(): string {
    return this.cause instanceof Error ? `${this.message}: ${this.cause.message}` : this.message;
  }
}

/** Codes of the errors below the protocol, whose table of codes has them too. */
type InputErrorCode = 'INVALID_REQUEST' | 'VALIDATION_ERROR' | 'REFERENCE_NOT_FOUND' | 'INVALID_STATE';

/** The error of a layer that knows no task: something that was handed in, or its state, is not as it must be. */
export class InputError extends AppError<InputErrorCode> {
  override readonly name: string = 'InputError';
}

/** A position in a file. */
export type FilePosition = {
  /** 1-based; 0 when the file could not be read at all. */
  readonly line: number;
  /** 1-based, in UTF-16 units as editors count; undefined where only the line is known. */
  readonly column?: number;
};

/** One fault of a configuration file, with its position and what to do about it. */
export type ConfigProblem = FilePosition & {
  readonly file: string;
  /** RFC 6901; empty for the whole file. */
  readonly pointer: string;
  readonly message: string;
  readonly fix: string;
};

/** All faults of a configuration at once; `serve` refuses to start on it and `check` prints it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}

/** Returns one problem as one paragraph: `file:line:column pointer: message`, without a position that is none, and the fix below it. */
export function describeProblem({ column, file, fix, line, message, pointer }: ConfigProblem): string {
  const position = [file, line || undefined, column].filter((part) => part !== undefined).join(':');
  const at = [position, pointer].filter((part) => part !== '').join(' ');
  return `${at}: ${message}\n    fix: ${fix}`;
}
