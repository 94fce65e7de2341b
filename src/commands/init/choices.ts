import { createReadStream } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../platform/kernel/errors.js';
import { readCsv } from '../orders/csv.js';
import { readStarterProducts } from './products.js';
import type { StarterProduct } from './starter.js';

/** The kinds of agents that `init` writes, in the order in which it asks for them. */
const STARTER_KINDS = ['sales', 'creative', 'signals'] as const;

/** A kind of agent that `init` writes. */
export type StarterKind = (typeof STARTER_KINDS)[number];

/** The flags of `init`; on a terminal what is missing is asked for. */
export type InitFlags = {
  readonly kinds?: string;
  readonly name?: string;
  readonly domain?: string;
  readonly from?: string;
  readonly oauth?: boolean;
};

/** The choices that `init` writes a configuration for. */
export type InitChoices = {
  readonly kinds: readonly StarterKind[];
  readonly name: string;
  readonly domain: string;
  /** Those of a file; three examples without one. */
  readonly products: readonly StarterProduct[] | undefined;
  /** Whether people may connect an assistant by signing in. */
  readonly hasOauth: boolean;
};

type Surroundings = {
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly cwd: string;
};

const DEFAULTS = { kinds: STARTER_KINDS.join(','), name: 'Example Publisher', domain: 'publisher.example' };
const DOMAIN = /^(?=.{4,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;

/** Reads what to write from the flags, then from whoever sits at the terminal. Throws ConfigError for what is none of the choices. */
export async function readInitChoices(flags: InitFlags, { ask, cwd }: Surroundings): Promise<InitChoices> {
  const answer = <T>(name: keyof typeof DEFAULTS, question: string, read: (text: string) => T): T | Promise<T> => {
    const given = flags[name];
    if (given !== undefined || ask === undefined) return read(given ?? DEFAULTS[name]);
    return askUntilRead(ask, { question, usual: DEFAULTS[name] }, read);
  };
  const kinds = await answer('kinds', 'Which agents: sales, creative, signals?', readKinds);
  const name = await answer('name', 'Who sells?', (text) => text);
  const domain = await answer('domain', 'On which domain?', readDomain);
  const file = flags.from === undefined ? undefined : path.resolve(cwd, flags.from);
  const products =
    file === undefined
      ? undefined
      : await readStarterProducts(file, readCsv(createReadStream(file, { encoding: 'utf8' })), domain);
  return { kinds, name, domain, products, hasOauth: flags.oauth === true };
}

/** Asks a question again, with what was wrong, until its answer is one of the choices; an empty one is the usual. */
async function askUntilRead<T>(
  ask: NonNullable<Surroundings['ask']>,
  { question, usual }: { readonly question: string; readonly usual: string },
  read: (text: string) => T,
): Promise<T> {
  for (let problem = ''; ; ) {
    const text = await ask(`${problem}${question} [${usual}] `);
    try {
      return read(text === '' ? usual : text);
    } catch (fault) {
      if (!(fault instanceof ConfigError)) throw fault;
      problem = fault.problems.map(({ fix, message }) => `No: ${message}. ${fix}\n`).join('');
    }
  }
}

function readKinds(text: string): readonly StarterKind[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const unknown = words.find((word) => !STARTER_KINDS.some((kind) => kind === word));
  if (unknown !== undefined || words.length === 0)
    throw wrongFlag('--kinds', `there is no kind "${unknown ?? ''}"`, `Name some of ${STARTER_KINDS.join(', ')}.`);
  return STARTER_KINDS.filter((kind) => words.includes(kind));
}

function readDomain(text: string): string {
  const domain = text.toLowerCase();
  if (DOMAIN.test(domain)) return domain;
  throw wrongFlag('--domain', `"${text.slice(0, 80)}" is no domain`, 'Write a domain such as "news.example".');
}

function wrongFlag(flag: string, message: string, fix: string): ConfigError {
  return new ConfigError([{ file: `flag ${flag}`, line: 0, pointer: '', message, fix }]);
}
