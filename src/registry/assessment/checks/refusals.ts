import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../platform/kernel/json/json.js';
import { ERROR_CODES } from '../../../protocol/errors.js';
import { quoteValue } from '../../documents/finding.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import { SENT_CONTEXT, type TaskAnswer } from '../evidence.js';
import { describeSightings } from '../sightings.js';
import { describeExchange, errorOf, hasErrorObject, isRefused } from '../task-error.js';

/** Clients drop an error that is longer. */
const MAX_ERROR_BYTES = 4096;
/** Characters of a code, by the schema of an error. */
const MAX_CODE_CHARACTERS = 64;
/** Codes for an input that its schema rules out. */
const FITTING: ReadonlySet<unknown> = new Set(['INVALID_REQUEST', 'VALIDATION_ERROR', 'UNSUPPORTED_FEATURE']);
const RECOVERIES: ReadonlySet<unknown> = new Set(['transient', 'correctable', 'terminal']);
/** What a program says to its own people: frames of a stack, statements of SQL, paths of a machine. */
const INTERNAL =
  /\n\s+at .+:\d+:\d+|\bSQLSTATE\b|\bviolates \w+ constraint\b|\bECONN(?:REFUSED|RESET)\b|Traceback \(most recent|\bSELECT\b.+\bFROM\b|(?:^|[\s"'(])\/(?:home|usr|var|app|srv)\/[\w./-]+/;

/** How the agent refuses what is wrong. */
export const REFUSAL_CHECKS: readonly Check[] = [
  check({
    id: 'errors.unknown-task',
    severity: 'error',
    needs: ['unknownTool'],
    rule: 'A call of a task that there is not is an error of the tool or of JSON-RPC, never a success.',
    reference: REFERENCES.errors,
    fix: 'Answer isError with the code INVALID_REQUEST and the message "Unknown tool: <name>".',
    judge: ({ unknownTool }) => {
      const { exchange } = unknownTool;
      if (!exchange.ok) return [describeExchange(exchange)];
      return faultsOf(
        [!isRefused(unknownTool), `It is answered ${exchange.status}, as a success.`],
        [isErrorUnmarked(unknownTool), 'It is answered with an error object, and isError is not true.'],
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
    judge: ({ wrongInput }) => {
      const { exchange, field, task } = wrongInput;
      if (!exchange.ok || exchange.status >= 500)
        return [`${task} with a wrong ${field}: ${describeExchange(exchange)}`];
      return faultsOf([!isRefused(wrongInput), `${task} takes a wrong ${field}.`]);
    },
  }),
  check({
    id: 'errors.code',
    severity: 'error',
    needs: ['wrongInput'],
    rule: 'An error has a fitting code and a message, in adcp_error of an answer with isError.',
    reference: REFERENCES.errors,
    fix: 'Answer {"adcp_error": {"code": "INVALID_REQUEST", "message", "recovery"}} with isError, as text and as structured content.',
    judge: ({ names, wrongInput }) => {
      const { exchange, isError, payload } = wrongInput;
      const isUnheard = !exchange.ok || exchange.status >= 500 || exchange.status === 429;
      if (isUnheard || !isRefused(wrongInput)) return 'not_applicable';
      if (payload === undefined) return [`The error is no payload of a tool. ${describeExchange(exchange)}`];
      const error = payload[names.error];
      const shownError = errorOf(payload);
      return faultsOf(
        [!isError, 'isError is not true.'],
        [error === undefined, `There is no ${names.error}.`],
        [
          isListed(shownError?.code) && !FITTING.has(shownError?.code),
          `The code is ${quoteValue(shownError?.code)}, which is not about an input.`,
        ],
        [
          !isCode(shownError?.code),
          `The code is ${quoteValue(shownError?.code)}, and has to be a text of up to 64 characters.`,
        ],
        [typeof shownError?.message !== 'string' || shownError.message === '', 'There is no message.'],
      );
    },
  }),
  check({
    id: 'errors.vocabulary',
    severity: 'warning',
    needs: ['wrongInput'],
    rule: 'The code of an error is one of the protocol’s where one fits, else X_<VENDOR>_<CODE>: programs know no others, and go by recovery alone.',
    reference: REFERENCES.errors,
    fix: 'Answer what is wrong in an input with INVALID_REQUEST or VALIDATION_ERROR, and say the rest in details.',
    judge: ({ wrongInput }) => {
      const code = errorOf(wrongInput.payload)?.code;
      if (!isRefused(wrongInput) || !isCode(code)) return 'not_applicable';
      const isVendors = /^X_[A-Z][A-Z0-9]{1,19}_[A-Z][A-Z0-9_]{1,39}$/.test(code);
      return faultsOf([
        !isListed(code) && !isVendors,
        `The code is ${quoteValue(code)}, which is none of the protocol’s.`,
      ]);
    },
  }),
  check({
    id: 'errors.both',
    severity: 'warning',
    needs: ['wrongInput'],
    rule: 'An error that ends a call stands in adcp_error and in errors, the same in both: clients of either release look at one of them.',
    reference: REFERENCES.errors,
    fix: 'Put the object of adcp_error into the list "errors" too.',
    judge: ({ names, wrongInput: { payload } }) => {
      const named = payload?.[names.error];
      if (payload === undefined || !isObject(named)) return 'not_applicable';
      const [first]: readonly unknown[] = Array.isArray(payload.errors) ? payload.errors : [];
      if (!isObject(first)) return ['There are no errors.'];
      return faultsOf([
        first.code !== named.code,
        `${names.error} has the code ${quoteValue(named.code)}, and errors has ${quoteValue(first.code)}.`,
      ]);
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
      return faultsOf([!isNamed, `${wrongInput.field} was wrong, and field is ${quoteValue(error.field)}.`]);
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
      return faultsOf([!RECOVERIES.has(error.recovery), `recovery is ${quoteValue(error.recovery)}.`]);
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
    needs: ['wrongInput', 'unknownTool', 'sightings'],
    rule: 'An error shows no stack, statement or path, and is no longer than 4096 bytes.',
    reference: REFERENCES.errors,
    fix: 'Log the cause, and answer with a sentence that is written for callers.',
    judge: ({ sightings, unknownTool, wrongInput }) => {
      const shown = [unknownTool, wrongInput].flatMap(internalsOf);
      return shown.length > 0 ? shown : describeSightings(sightings, 'trace');
    },
  }),
  check({
    id: 'errors.cursor',
    severity: 'error',
    needs: ['wrongCursor'],
    rule: 'A cursor that the agent did not give out is refused with INVALID_REQUEST.',
    reference: REFERENCES.errors,
    fix: 'Sign cursors or look them up; do not begin anew for one that is not known.',
    judge: ({ wrongCursor }) => {
      if (!wrongCursor.exchange.ok || wrongCursor.exchange.status === 429) return 'not_applicable';
      if (!isRefused(wrongCursor)) return [`${wrongCursor.task} takes a cursor that is none.`];
      const code = errorOf(wrongCursor.payload)?.code;
      const isFit = code === 'INVALID_REQUEST' || code === 'VALIDATION_ERROR';
      return code === undefined ? 'not_applicable' : faultsOf([!isFit, `The code is ${quoteValue(code)}.`]);
    },
  }),
];

function internalsOf({ payload, task }: TaskAnswer): readonly string[] {
  const error = errorOf(payload);
  const bytes = error === undefined ? 0 : JSON.stringify(error).length;
  const plain = [error?.message, error?.details].map((part) =>
    typeof part === 'string' ? part : JSON.stringify(part),
  );
  return faultsOf(
    [INTERNAL.test(plain.join('\n')), `The error of ${task} shows what is inside the agent.`],
    [bytes > MAX_ERROR_BYTES, `The error of ${task} has ${bytes} bytes.`],
  );
}

/** Whether an answer holds an error object and is not marked as one: clients take it for a success. */
function isErrorUnmarked({ exchange, isError, payload }: TaskAnswer): boolean {
  return exchange.ok && exchange.status < 400 && !isError && hasErrorObject(payload);
}

function isCode(code: unknown): code is string {
  return typeof code === 'string' && code.length > 0 && code.length <= MAX_CODE_CHARACTERS;
}

function isListed(code: unknown): boolean {
  return typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
}
