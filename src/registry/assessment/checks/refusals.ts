import { isDeepStrictEqual } from 'node:util';
import { quoted } from '../../documents/finding.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import { SENT_CONTEXT, type TaskAnswer } from '../evidence.js';
import { errorOf } from '../task-error.js';

/** Clients drop an error that is longer. */
const MAX_ERROR_BYTES = 4096;
const RECOVERIES: ReadonlySet<unknown> = new Set(['transient', 'correctable', 'terminal']);
/** What a program says to its own people: frames of a stack, statements of SQL, paths of a machine. */
const INTERNAL =
  /\n\s+at .+:\d+:\d+|Traceback \(most recent|\bSELECT\b.+\bFROM\b|(?:^|[\s"'(])\/(?:home|usr|var|app|srv)\/[\w./-]+/;

/** How the agent refuses what is wrong. */
export const REFUSAL_CHECKS: readonly Check[] = [
  check({
    id: 'errors.unknown-task',
    severity: 'error',
    needs: ['unknownTool'],
    rule: 'A call of a task that there is not is an error of the tool or of JSON-RPC, never a success.',
    reference: REFERENCES.errors,
    fix: 'Answer isError with the code INVALID_REQUEST and the message "Unknown tool: <name>".',
    judge: ({ unknownTool: { exchange, isError } }) => {
      if (!exchange.ok) return [`There was no answer: ${exchange.reason.replaceAll('_', ' ')}.`];
      const isRefused = isError || exchange.message?.error !== undefined || exchange.status >= 400;
      return faultsOf(
        [!isRefused, `It is answered ${exchange.status}, as a success.`],
        [exchange.status >= 500, `It is answered ${exchange.status}.`],
      );
    },
  }),
  check({
    id: 'errors.wrong-input',
    severity: 'error',
    needs: ['wrongInput'],
    rule: 'An input that its schema rules out is refused.',
    reference: REFERENCES.errors,
    fix: 'Check every argument by its schema before the task runs.',
    judge: ({ wrongInput }) =>
      faultsOf([!isRefused(wrongInput), `${wrongInput.task} takes a wrong ${wrongInput.field}.`]),
  }),
  check({
    id: 'errors.code',
    severity: 'error',
    needs: ['wrongInput'],
    rule: 'An error has a code of the protocol and a message, in adcp_error of an answer with isError.',
    reference: REFERENCES.errors,
    fix: 'Answer {"adcp_error": {"code", "message", "recovery"}} with isError, as text and as structured content.',
    judge: ({ names, wrongInput }) => {
      const { isError, payload } = wrongInput;
      if (!isRefused(wrongInput)) return 'not_applicable';
      if (payload === undefined) return ['The error is no payload of a tool.'];
      const error = payload[names.error];
      const found = errorOf(payload);
      return faultsOf(
        [!isError, 'isError is not true.'],
        [error === undefined, `There is no ${names.error}.`],
        [!/^[A-Z][A-Z0-9_]{0,63}$/.test(String(found?.code)), `The code is ${quoted(found?.code)}.`],
        [typeof found?.message !== 'string' || found.message === '', 'There is no message.'],
      );
    },
  }),
  check({
    id: 'errors.field',
    severity: 'warning',
    needs: ['wrongInput'],
    rule: 'An error about an argument names it in field.',
    reference: REFERENCES.errors,
    fix: 'Name the argument, such as "packages[0].budget".',
    judge: ({ wrongInput }) => {
      const error = errorOf(wrongInput.payload);
      if (!isRefused(wrongInput) || error === undefined) return 'not_applicable';
      const isNamed = typeof error.field === 'string' && error.field.includes(wrongInput.field);
      return faultsOf([!isNamed, `${wrongInput.field} was wrong, and field is ${quoted(error.field)}.`]);
    },
  }),
  check({
    id: 'errors.suggestion',
    severity: 'warning',
    needs: ['wrongInput'],
    rule: 'An error that the caller can correct says how, in suggestion.',
    reference: REFERENCES.errors,
    fix: 'Say what to send instead.',
    judge: ({ wrongInput }) => {
      const error = errorOf(wrongInput.payload);
      if (!isRefused(wrongInput) || error === undefined) return 'not_applicable';
      return faultsOf([typeof error.suggestion !== 'string' || error.suggestion === '', 'There is no suggestion.']);
    },
  }),
  check({
    id: 'errors.recovery',
    severity: 'warning',
    needs: ['wrongInput'],
    rule: 'Every error says in recovery what a program does next: transient, correctable or terminal.',
    reference: REFERENCES.errors,
    fix: 'Add "recovery": "correctable" to what a caller can correct.',
    judge: ({ wrongInput }) => {
      const error = errorOf(wrongInput.payload);
      if (!isRefused(wrongInput) || error === undefined) return 'not_applicable';
      return faultsOf([!RECOVERIES.has(error.recovery), `recovery is ${quoted(error.recovery)}.`]);
    },
  }),
  check({
    id: 'errors.context',
    severity: 'error',
    needs: ['wrongInput'],
    rule: 'The context of a request comes back with an error too.',
    reference: REFERENCES.envelope,
    fix: 'Copy "context" into every answer, whatever became of the call.',
    judge: ({ wrongInput }) => {
      if (!isRefused(wrongInput) || wrongInput.payload === undefined) return 'not_applicable';
      return faultsOf([!isDeepStrictEqual(wrongInput.payload.context, SENT_CONTEXT), 'The error has lost it.']);
    },
  }),
  check({
    id: 'errors.internals',
    severity: 'error',
    needs: ['wrongInput', 'unknownTool'],
    rule: 'An error shows no stack, statement or path, and is no longer than 4096 bytes.',
    reference: REFERENCES.errors,
    fix: 'Log the cause, and answer with a sentence that is written for callers.',
    judge: ({ unknownTool, wrongInput }) =>
      [unknownTool, wrongInput].flatMap(({ exchange, payload, task }) => {
        const error = errorOf(payload);
        const text = JSON.stringify(exchange.ok ? (exchange.message ?? {}) : {});
        const plain = [error?.message, error?.details].map((part) =>
          typeof part === 'string' ? part : JSON.stringify(part),
        );
        return faultsOf(
          [INTERNAL.test(plain.join('\n')), `The error of ${task} shows what is inside the agent.`],
          [
            error !== undefined && JSON.stringify(error).length > MAX_ERROR_BYTES,
            `The error of ${task} has ${text.length} bytes.`,
          ],
        );
      }),
  }),
  check({
    id: 'errors.cursor',
    severity: 'error',
    needs: ['wrongCursor'],
    rule: 'A cursor that the agent did not give out is refused with INVALID_REQUEST.',
    reference: REFERENCES.errors,
    fix: 'Sign cursors or look them up; do not begin anew for one that is not known.',
    judge: ({ wrongCursor }) => {
      if (!isRefused(wrongCursor)) return [`${wrongCursor.task} takes a cursor that is none.`];
      const code = errorOf(wrongCursor.payload)?.code;
      const isFit = code === 'INVALID_REQUEST' || code === 'VALIDATION_ERROR';
      return code === undefined ? 'not_applicable' : faultsOf([!isFit, `The code is ${quoted(code)}.`]);
    },
  }),
];

function isRefused({ exchange, isError }: TaskAnswer): boolean {
  return !exchange.ok || isError || exchange.status >= 400 || exchange.message?.error !== undefined;
}
