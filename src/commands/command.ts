import type { Readable } from 'node:stream';
import type { Log } from '../platform/kernel/log.js';
import type { Environment } from '../seller/config/draft.js';
import type { Settings, SettingsFlags } from '../seller/config/settings.js';

/** An option as the help shows it, such as `--port <number>`, and its description. */
export type Option = readonly [flag: string, description: string];

/** The surroundings of a command, from the one file that reads the process. */
export type CommandContext = {
  readonly env: Environment;
  readonly cwd: string;
  readonly version: string;
  /** Standard output is a terminal. */
  readonly hasColor: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly out: (text: string) => void;
  /** Writes a line to standard error. */
  readonly err: (text: string) => void;
  /** Shows where a long run is, on one line of a terminal that is written over. */
  readonly progress: (text: string) => void;
  /** Opens the log of the process, at the level of the environment, else at the usual one of the command. */
  readonly log: (usual: 'info' | 'warn') => Promise<Log>;
  readonly settings: (flags: SettingsFlags) => Promise<Settings>;
  /** Asks the person at the terminal; undefined where there is none. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Standard input, for what reads it as it comes. */
  readonly input: Readable;
  /** All of standard input, without white space around it. */
  readonly readInput: () => Promise<string>;
  /** Resolves at the first signal to end; `onHangup` is called at each SIGHUP of a process without a terminal. */
  readonly untilStopped: (onHangup?: () => void) => Promise<void>;
};

/** The text that a command shows at its end; the process ends with 1 where it is not ok. */
export type CommandResult = string | { readonly ok: boolean; readonly text: string };

/** A command as it was typed: its arguments in order, and its flags. */
type Invocation<Flags> = {
  readonly args: readonly string[];
  readonly flags: Flags;
};

/** A row of the table of commands. */
export type Command = {
  /** The words and arguments, such as `keys new <tenant> <principal>`; an optional argument stands in square brackets. */
  readonly usage: string;
  readonly description: string;
  /** Runs when only the words before its last one were typed. */
  readonly isDefault?: true;
  readonly options?: readonly Option[];
  /** Options that have to be there. */
  readonly required?: readonly Option[];
  /** Loads the command's code, runs it, and returns what to show, if anything is left to show. */
  readonly run: (context: CommandContext, call: Invocation<SettingsFlags>) => Promise<CommandResult | undefined>;
};

/** Declares a command whose flags are `Flags`; the parser of the command line makes them from the options of its row. */
export function command<Flags extends object = Record<never, never>>(
  row: Omit<Command, 'run'> & {
    readonly run: (
      context: CommandContext,
      call: Invocation<Flags & SettingsFlags>,
    ) => Promise<CommandResult | undefined>;
  },
): Command {
  return row as Command;
}

/** The folder of tenant files, for commands that read nothing else. */
export const TENANTS_OPTION: Option = [
  '--tenants <dir>',
  'folder of tenant files (default: ./tenants, else the shipped ones)',
];

/** The settings, for commands that work on a server's data. */
export const SETTINGS_OPTIONS: readonly Option[] = [
  TENANTS_OPTION,
  ['--data <dir>', 'data folder (default: ./data)'],
  ['--store <url>', 'store of the durable state (default: a SQLite file in the data folder)'],
  ['--port <number>', 'port (default: 3000)'],
  ['--host <address>', 'address to bind (default: 127.0.0.1)'],
  ['--admin-port <number>', 'port of the operator on the loopback, with /metrics (default: the system chooses)'],
  ['--base-url <url>', 'address that callers use (default: from host and port)'],
  ['--protocol-name <name>', 'the protocol’s name on the wire (default: adcp)'],
];
