import { InputError } from '../../../platform/kernel/errors.js';
import { isObject } from '../../../platform/kernel/json/json.js';

/** The ids that an order has in the seller's ad server: its own, and by our ids those of its packages and creatives. */
export type ForeignIds = {
  readonly order?: string;
  readonly packages?: Readonly<Record<string, string>>;
  readonly creatives?: Readonly<Record<string, string>>;
  /** The ids of private deals that packages are delivered as, by package and DSP (`pkg_1@dsp.example`), or by package for all of its DSPs: buyers are told them. */
  readonly deals?: Readonly<Record<string, string>>;
  /** Whatever else the adapter has to find again, under keys of its own, such as `advertiser` or `ad:pkg_1:banner`. */
  readonly others?: Readonly<Record<string, string>>;
};

const ID_TABLES = ['packages', 'creatives', 'deals', 'others'] as const;

const MAX_FOREIGN_ID_CHARS = 200;
/** Of an order, in each of its tables. */
const MAX_FOREIGN_IDS = 5000;

/** Returns the ids that an adapter answered; undefined where it answered none. Throws VALIDATION_ERROR for what no ids are. */
export function readForeignIds(value: unknown): ForeignIds | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw notIds('the answer', 'is no object');
  return {
    ...(value.order === undefined ? {} : { order: readId('order', value.order) }),
    ...Object.fromEntries(
      ID_TABLES.flatMap((name) => (value[name] === undefined ? [] : [[name, readTable(name, value[name])]])),
    ),
  };
}

/** Returns ids with those that were learnt since; nothing that was there is forgotten. */
export function joinForeignIds(before: ForeignIds | undefined, learnt: ForeignIds | undefined): ForeignIds | undefined {
  if (before === undefined || learnt === undefined) return learnt ?? before;
  return {
    ...before,
    ...learnt,
    ...Object.fromEntries(
      ID_TABLES.flatMap((name) => {
        const table = { ...before[name], ...learnt[name] };
        return Object.keys(table).length === 0 ? [] : [[name, table]];
      }),
    ),
  };
}

function readTable(name: string, value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) throw notIds(name, 'is no object');
  const entries = Object.entries(value);
  if (entries.length > MAX_FOREIGN_IDS) throw notIds(name, `has more than ${MAX_FOREIGN_IDS} members`);
  return Object.fromEntries(entries.map(([key, id]) => [key, readId(`${name}.${key}`, id)]));
}

function readId(name: string, id: unknown): string {
  // A number may have lost digits on its way here.
  if (typeof id !== 'string') throw notIds(name, 'is no string');
  if (id === '' || id.length > MAX_FOREIGN_ID_CHARS)
    throw notIds(name, `has not 1 to ${MAX_FOREIGN_ID_CHARS} characters`);
  return id;
}

function notIds(name: string, what: string): InputError {
  return new InputError('VALIDATION_ERROR', `The adapter of the ad server answered ids of which ${name} ${what}.`);
}
