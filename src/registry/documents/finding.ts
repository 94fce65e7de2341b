import { pointerStep } from '../../platform/kernel/json/json.js';
/** The kind of a finding, for machines; `message` is for people. */
export type FindingKeyword =
  | 'json'
  | 'html'
  | 'type'
  | 'required'
  | 'pattern'
  | 'enum'
  | 'range'
  | 'too_many'
  | 'duplicate'
  | 'conflict'
  | 'undefined'
  | 'ambiguous'
  | 'look_alike'
  | 'unsafe'
  | 'private'
  | 'deprecated'
  | 'unknown'
  | 'stale'
  | 'content_type'
  | 'fallback'
  | 'version'
  | 'truncated';

/** One thing about a file that somebody serves: an error makes what it stands in count for nothing, a warning does not. */
export type Finding = {
  /** URL or path of the file. */
  readonly file: string;
  /** RFC 6901; empty for the whole file. */
  readonly pointer: string;
  readonly severity: 'error' | 'warning';
  readonly keyword: FindingKeyword;
  readonly message: string;
  readonly fix: string;
};

/** A finding before it is known of which file. */
export type Remark = Omit<Finding, 'file'>;

/** Takes findings of one file and keeps a bounded number of them, errors before warnings. */
export type Report = {
  readonly add: (remark: Remark) => void;
  readonly warn: (pointer: string, keyword: FindingKeyword, message: string, fix: string) => void;
  readonly findings: () => readonly Finding[];
};

/** Most findings of each severity that are kept: a hostile file must not make a report as large as itself. */
const MAX_LISTED = 100;

/** Opens a report on a file. */
export function createReport(file: string): Report {
  const listed: Readonly<Record<Finding['severity'], Finding[]>> = { error: [], warning: [] };
  const counted = { error: 0, warning: 0 };
  function add(remark: Remark): void {
    counted[remark.severity] += 1;
    const list = listed[remark.severity];
    if (list.length < MAX_LISTED) list.push({ file, ...remark });
  }
  return {
    add,
    warn: (pointer, keyword, message, fix) => add({ pointer, severity: 'warning', keyword, message, fix }),
    findings: () =>
      (['error', 'warning'] as const).flatMap((severity) => [
        ...listed[severity],
        ...noteMore(file, severity, counted[severity] - listed[severity].length),
      ]),
  };
}

/** Whether a file with these findings is valid: warnings do not count. */
export function isValid(findings: readonly Finding[]): boolean {
  return !findings.some(({ severity }) => severity === 'error');
}

/** Returns the pointer of a member or item. */
export function pointerBelow(pointer: string, step: string | number): string {
  return `${pointer}${pointerStep(step)}`;
}

const MAX_SHOWN = 80;

/** Returns a value of a stranger as a sentence may quote it: one line, short, nothing that moves the cursor. */
export function quoteValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const line = text.slice(0, MAX_SHOWN + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
  return `"${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line}"`;
}

function noteMore(file: string, severity: Finding['severity'], more: number): readonly Finding[] {
  if (more === 0) return [];
  return [
    {
      file,
      pointer: '',
      severity,
      keyword: 'truncated',
      message: `there are ${more} more findings of this severity`,
      fix: 'Correct the ones that are listed and validate again.',
    },
  ];
}
