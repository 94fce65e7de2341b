import type { Html } from '../../platform/web/html.js';
import type { KeyFiles, KeyOperation, OperatedKeys } from '../config/keys/operate-keys.js';
import type { Settings } from '../config/settings.js';
import type { App } from '../context.js';
import type { Role } from '../domain/console/access.js';
import type { Limits } from '../http/limits.js';
import type { OneTimeLinks } from './access/links.js';
import type { Visitor } from './access/sessions.js';
import type { ServedRegistry } from './served-registry.js';

/** How many running buys one file takes, and how many of them are in memory at once. */
export type ExportBound = { readonly maxBuys: number; readonly pieceBuys: number };

/** The services and settings of the console. */
export type ConsoleParts = {
  readonly app: App;
  readonly limits: Limits;
  readonly settings: Settings;
  readonly version: string;
  readonly links: OneTimeLinks;
  /** The registry that is served beside the tenants; undefined where none is. */
  readonly registry: ServedRegistry | undefined;
  readonly exportBound: ExportBound;
  /** Why the last edit of the tenant files is not served; undefined where it is. */
  readonly rejectedEdit: () => string | undefined;
  /** Writes what a change makes of a tenant's file, where that can be served. Throws ConfigError with what is wrong with it. */
  readonly editTenant: KeyFiles['edit'];
  /** Makes, revokes or expires a key of a principal in its tenant's file. Throws a TaskError that says why not. */
  readonly operateKeys: (operation: KeyOperation) => Promise<OperatedKeys>;
};

/**
 * The path and the fields of a request, whoever sends it. Names in `query` and `form` that came several times have all
 * their values.
 */
export type Asked = {
  /** The path that was asked for. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  /** What a form brought; empty of a page. */
  readonly form: Fields;
};

/** One request of somebody who is signed in. */
export type Visit = ConsoleParts & Asked & { readonly visitor: Visitor; readonly nowMs: number };

/** The fields of an address or a form. */
export class Fields {
  readonly #values: URLSearchParams;

  constructor(values: URLSearchParams) {
    this.#values = values;
  }

  /** Returns the value of a field without white space around it; undefined where it is empty. */
  text(name: string): string | undefined {
    const text = this.#values.get(name)?.trim();
    return text === '' ? undefined : text;
  }

  /** Returns every value of a field. */
  all(name: string): readonly string[] {
    return this.#values.getAll(name);
  }

  /** Returns the fields with some set otherwise, as an address has them; undefined takes one out. */
  with(changes: Readonly<Record<string, string | undefined>>): string {
    const changed = new URLSearchParams(this.#values);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') changed.delete(name);
      else changed.set(name, value);
    }
    const text = changed.toString();
    return text === '' ? '' : `?${text}`;
  }

  /** Returns every field and value, in their order. */
  entries(): readonly (readonly [name: string, value: string])[] {
    return [...this.#values];
  }
}

/** A page of the console: what stands below its title. */
export type ConsolePage = {
  readonly title: string;
  /** One line below the title. */
  readonly lead?: string | Html | undefined;
  /** What can be done, beside the title. */
  readonly actions?: Html | undefined;
  readonly body: Html;
  readonly status?: number | undefined;
  /** Whether it has a chart, which is drawn from a table. */
  readonly hasChart?: boolean;
};

/** A file that is downloaded, whole or in pieces as they are made. */
export type Download = {
  readonly file: string;
  readonly type: string;
  readonly text: string | AsyncIterable<string>;
};

/** The end of an act: the page where the browser goes then, and the sentence that it shows. */
export type Done = { readonly to: string; readonly says: string };

/** A page at a path, which changes nothing. */
export type View = {
  readonly path: string;
  readonly run: (visit: Visit) => Promise<ConsolePage | Download | undefined>;
};

/** Something that is done by a form, by those who have at least the role. */
export type ConsoleAct = {
  readonly path: string;
  readonly role: Role;
  /** What the log of acts calls it, such as `webhook.replay`. */
  readonly action: string | ((visit: Visit) => string);
  /** The id of what it is done to. */
  readonly subject: (visit: Visit) => string;
  /** What the log says beside that; never a secret. */
  readonly detail?: (visit: Visit) => string | undefined;
  /** What is asked before it is done; undefined where it is done at once. */
  readonly confirm?: (visit: Visit) => Promise<Question | undefined>;
  /** The page to go back to with what it was refused for. */
  readonly back: (asked: Asked) => string;
  /** Does it; a page is answered at once, for what is shown this once. */
  readonly run: (visit: Visit) => Promise<Done | ConsolePage>;
};

/** The question that somebody is asked before an act that cannot be undone. */
export type Question = {
  readonly title: string;
  readonly says: Html | string;
  /** A field of its form. */
  readonly field?: Html | undefined;
  readonly yes: string;
};

/** A screen: its place in the navigation, its pages and what can be done there. */
export type Screen = {
  readonly path: string;
  readonly title: string;
  /** Who sees it; everybody unless given. */
  readonly role?: Role;
  /** Whether there is what it shows; always unless given. */
  readonly isServed?: (parts: ConsoleParts) => boolean;
  readonly views: readonly View[];
  readonly acts: readonly ConsoleAct[];
};
