import { CommanderError, Command as Parser } from 'commander';
import { AppError } from '../platform/kernel/errors.js';
import { findNearest } from '../platform/kernel/nearest.js';
import type { Command, CommandContext } from './command.js';
import { explainError } from './explain-error.js';
import { COMMANDS, GROUPS } from './index.js';

/** Runs the command that the words name, shows its result or what is wrong, and returns the code that the process has to end with. */
export async function runCommandLine(words: readonly string[], context: CommandContext): Promise<number> {
  const line = new CommandLine(context);
  try {
    await line.run(words);
    return line.exitCode;
  } catch (error) {
    // The parser has shown its own message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode;
    context.err(explainError(error));
    return 1;
  }
}

function unknownCommand(group: Parser, path: string, word: string): AppError {
  const names = group.commands.map((one) => one.name());
  const meant = findNearest(word, names);
  const shown = `${path} ${word}`.trimStart().slice(0, 80);
  const suggestion =
    meant === undefined
      ? `Commands: ${names.join(', ')}.`
      : `Did you mean "${`${path} ${meant}`.trimStart()}"? Commands: ${names.join(', ')}.`;
  return new AppError('UNKNOWN_COMMAND', `There is no command "${shown}".`, { suggestion });
}

/** The parsers of the table of commands. */
class CommandLine {
  readonly #context: CommandContext;
  readonly #program: Parser;
  /** The parser of each group of commands, by the words that lead to it. */
  readonly #groups: Map<string, Parser>;
  /** The groups whose default command takes words of its own, such as `backup <dir>`. */
  readonly #openGroups = new Set<string>();
  #exitCode = 0;

  constructor(context: CommandContext) {
    this.#context = context;
    this.#program = new Parser('seller-agent')
      .description('One command stands up an advertising seller for buyers’ agents.')
      .version(context.version)
      .showHelpAfterError()
      .exitOverride()
      .configureOutput({ writeOut: context.out, writeErr: context.err });
    this.#groups = new Map([['', this.#program]]);
    for (const row of COMMANDS) this.#add(row);
  }

  /** Returns the code of what ran: 0, or 1 where its result is not ok. */
  get exitCode(): number {
    return this.#exitCode;
  }

  /** Runs a command. Throws its error, or that of the parser. */
  async run(words: readonly string[]): Promise<void> {
    this.#refuseUnknown(words);
    await this.#program.parseAsync(words, { from: 'user' });
  }

  /** Throws for a word that is no command, where the parser would hand it to a default one that takes none. */
  #refuseUnknown(words: readonly string[]): void {
    let group = this.#program;
    let path = '';
    for (const word of words) {
      if (word.startsWith('-') || word === 'help') return;
      const command = group.commands.find((one) => one.name() === word);
      if (command === undefined) {
        if (this.#openGroups.has(path)) return;
        throw unknownCommand(group, path, word);
      }
      group = command;
      path = `${path} ${word}`.trimStart();
      if (!this.#groups.has(path)) return;
    }
  }

  #add({ description, isDefault, options = [], required = [], run, usage }: Command): void {
    const [, words = '', args = ''] = /^([a-z -]*[a-z])((?: [<[].*)?)$/.exec(usage) ?? [];
    const cut = words.lastIndexOf(' ');
    const group = cut < 0 ? '' : words.slice(0, cut);
    if (isDefault === true && args !== '') this.#openGroups.add(group);
    const parser = this.#group(group)
      .command(`${words.slice(cut + 1)}${args}`, { isDefault: isDefault === true })
      .description(description);
    for (const option of required) parser.requiredOption(...option);
    for (const option of options) parser.option(...option);
    parser.action(async () => {
      const result = await run(this.#context, { args: parser.args, flags: parser.opts() });
      if (result === undefined) return;
      const { ok, text } = typeof result === 'string' ? { ok: true, text: result } : result;
      this.#context.out(text);
      if (!ok) this.#exitCode = 1;
    });
  }

  #group(words: string): Parser {
    const existing = this.#groups.get(words);
    if (existing !== undefined) return existing;
    const cut = words.lastIndexOf(' ');
    const group = this.#group(cut < 0 ? '' : words.slice(0, cut))
      .command(words.slice(cut + 1))
      .description(GROUPS[words] ?? '');
    this.#groups.set(words, group);
    return group;
  }
}
