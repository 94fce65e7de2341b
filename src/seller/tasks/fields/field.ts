import type { ErrorCode } from '../../../protocol/errors.js';

/** The places in which a carried field comes back, or the reasons for which it does not. */
type CarriedTo =
  /** The answer of the call. */
  | 'answer'
  /** The media buy, as get_media_buys shows it. */
  | 'media buy'
  /** The package, as get_media_buys shows it. */
  | 'package'
  /** The creative, as list_creatives shows it. */
  | 'creative'
  /** The store; no answer of the protocol has a place for it. */
  | 'store'
  /** Nowhere: it asks for nothing that would be done otherwise. */
  | 'nowhere';

/** A field that changes what is done or answered. */
type Honored = {
  readonly use: 'honored';
  /** The file below `src` that gives the field its meaning. */
  readonly by: string;
  /** Its members, or `whole` where all that it holds is judged as one value; absent where it has none. */
  readonly members?: Members | 'whole';
  /** No public schema of its task has it; it is accepted nevertheless. */
  readonly beyond?: true;
};

/** A field that means nothing to the seller. What is within it is carried with it. */
type Carried = {
  readonly use: 'carried';
  readonly to: CarriedTo;
  /** A sentence that says why nothing follows from it. */
  readonly because?: string;
  /** No public schema of its task has it; clients send it nevertheless. */
  readonly beyond?: true;
};

/** A field that a request cannot have, with all that is within it. */
export type Refused = {
  readonly use: 'refused';
  readonly code: ErrorCode;
  /** A sentence that says what is not done. */
  readonly because: string;
  /** A sentence that says what to do instead. */
  readonly instead: string;
  /** Values that ask for nothing beyond what is done anyway. */
  readonly unless: readonly unknown[];
  /** The file below `src` that refuses it, where that depends on more than the field; absent: the table itself. */
  readonly by?: string;
  /** No public schema of its task has it; it is refused nevertheless, for it would be passed over in silence. */
  readonly beyond?: true;
};

/** The treatment of a field of a request. */
export type Field = Honored | Carried | Refused;

/** Fields by name. The items of a list have the members of the list; `*` stands for every key of a map. */
export type Members = { readonly [name: string]: Field };

/** Returns a field that the file `by` (below `src/seller`, or `~` for `src`) gives its meaning. */
export function honored(by: string, members?: Members | 'whole'): Honored {
  return { use: 'honored', by: by.startsWith('~/') ? by.slice(2) : `seller/${by}`, members };
}

/** Returns fields that the table judges although no public schema of their task has them. */
export function beyond(fields: Members): Members {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, beyond: true } as Field]));
}

/** Returns a field that is stored or echoed. */
export function carried(to: CarriedTo, because?: string): Carried {
  return { use: 'carried', to, because };
}

/** Returns a field that is read over. `because` says why nothing follows from it. */
export function unused(because: string): Carried {
  return { use: 'carried', to: 'nowhere', because };
}

/** Returns a field that is refused. */
export function refused(
  because: string,
  instead: string,
  { code = 'UNSUPPORTED_FEATURE', unless = [], by }: Partial<Pick<Refused, 'code' | 'unless' | 'by'>> = {},
): Refused {
  return { use: 'refused', code, because, instead, unless, by: by === undefined ? undefined : `seller/${by}` };
}

/** Returns fields of one treatment. */
export function fieldsOf(names: readonly string[], field: Field): Members {
  return Object.fromEntries(names.map((name) => [name, field]));
}
