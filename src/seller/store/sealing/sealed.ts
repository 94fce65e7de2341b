import { isObject } from '../../../platform/kernel/json/json.js';
import { isSealed, type Sealer } from '../../../platform/sealing/sealer.js';
import type { Subscriber } from '../../domain/account/subscriber.js';
import type { Grant } from '../../domain/brand/grant.js';
import type { Catalog } from '../../domain/catalog/catalog.js';
import type { GovernanceAgent } from '../../domain/governance/governance.js';
import type { InventoryList } from '../../domain/governance/lists/inventory-list.js';
import type { ActionState, LogEntry } from '../../domain/governance/plans/log.js';
import type { GovernanceApproval } from '../../domain/governance/verdict.js';
import type { ListDoc } from '../../domain/targeting/followed-list.js';
import type { A2aPush } from '../../domain/task/a2a.js';
import type { Task } from '../../domain/task/task.js';

/** A column that holds secrets of others, as far as another key goes. */
export type SealedColumn = {
  /** Returns the stored text sealed with the present key; undefined where it is, or holds nothing to be sealed. */
  readonly renew: (stored: string) => string | undefined;
};

/** Every column that holds secrets, by its repository. */
export type SealedColumns = ReturnType<typeof sealedColumns>;

/** Returns the columns that hold secrets of others, over a sealer. */
export function sealedColumns(sealer: Sealer) {
  return {
    /** The `callbacks` of a buy, as they are in its document. */
    callbacks: new SealedMember<StoredCallbacks>(sealer, 'media_buy', 'callbacks', hasRegistration),
    tasks: new SealedMember<Task>(sealer, 'task', 'request', () => true),
    catalogs: new SealedMember<Catalog>(sealer, 'catalog', 'url', (url) => url !== undefined),
    agents: new SealedText<GovernanceAgent>(sealer, 'governance_agent', jsonForm(), () => true),
    subscribers: new SealedText<readonly Subscriber[]>(sealer, 'account_subscriber', jsonForm(), () => true),
    grants: new SealedMember<Grant>(sealer, 'rights_grant', 'revocation', () => true),
    approvals: new SealedText<GovernanceApproval>(sealer, 'governance_approval', jsonForm(), () => true),
    actions: new SealedMember<ActionState>(sealer, 'governed_action', 'governance_context', () => true),
    entries: new SealedMember<LogEntry>(
      sealer,
      'governance_entry',
      'governance_context',
      (context) => context !== undefined,
    ),
    // A registration of a buy only names the buy; one with a single call is stored whole.
    channels: new SealedText<string>(sealer, 'webhook_event', TEXT_FORM, (text) => text.startsWith('{"channel":')),
    followed: new SealedText<ListDoc>(sealer, 'followed_list', jsonForm(), () => true),
    lists: new SealedMember<InventoryList>(sealer, 'inventory_list', 'subscriber', (one) => one !== undefined),
    pushes: new SealedText<A2aPush>(sealer, 'a2a_push', jsonForm(), () => true),
    secrets: new SealedText<string>(sealer, 'shared_secret', TEXT_FORM, () => true),
    // The answer of a call that registers subscribers shows their addresses; that of one that makes a list, its token.
    answers: new SealedText<string>(sealer, 'idempotency', TEXT_FORM, (text) => SHOWN_SECRETS.test(text)),
    bodies: new SealedText<string>(sealer, 'webhook_body', TEXT_FORM, (text) => text.includes('"token":')),
  };
}

const SHOWN_SECRETS = /"(notification_configs":\[\{|webhook_url":"|auth_token":")/;

/** A document as far as its callbacks go. */
type StoredCallbacks = { readonly callbacks: Readonly<Record<string, unknown>> };

/** Whether callbacks hold a secret; buys without a callback, which are most, do not. */
function hasRegistration(callbacks: unknown): boolean {
  return isObject(callbacks) && Object.values(callbacks).some(isObject);
}

/** A document of which one member is sealed where it holds a secret. */
class SealedMember<Noun extends object> implements SealedColumn {
  readonly #sealer: Sealer;
  readonly #use: string;
  readonly #member: keyof Noun & string;
  readonly #isSecret: (value: unknown) => boolean;

  constructor(sealer: Sealer, table: string, member: keyof Noun & string, isSecret: (value: unknown) => boolean) {
    this.#sealer = sealer;
    this.#use = `${table}.${member}`;
    this.#member = member;
    this.#isSecret = isSecret;
  }

  write(noun: Noun): string {
    return JSON.stringify(this.seal(noun));
  }

  read(stored: string): Noun {
    return this.open(JSON.parse(stored) as object);
  }

  /** Returns a document with the member sealed. */
  seal<Doc extends Noun>(doc: Doc): object {
    const value = doc[this.#member];
    if (!this.#isSecret(value)) return doc;
    return { ...doc, [this.#member]: this.#sealer.seal(JSON.stringify(value), this.#use) };
  }

  /** Returns a document with the member readable. */
  open<Doc extends Noun>(doc: object): Doc {
    const { [this.#member]: value } = doc as Readonly<Record<string, unknown>>;
    if (typeof value !== 'string' || !isSealed(value)) return doc as Doc;
    return { ...doc, [this.#member]: JSON.parse(this.#sealer.open(value, this.#use)) } as Doc;
  }

  renew(stored: string): string | undefined {
    const doc = JSON.parse(stored) as Noun;
    const value: unknown = doc[this.#member];
    if (typeof value !== 'string' || !isSealed(value)) return this.#isSecret(value) ? this.write(doc) : undefined;
    const renewed = this.#sealer.renew(value, this.#use);
    return renewed === undefined ? undefined : JSON.stringify({ ...doc, [this.#member]: renewed });
  }
}

/** How a value is written as text. */
type Form<Value> = { readonly write: (value: Value) => string; readonly read: (text: string) => Value };

/** Returns the form of a column that holds JSON. */
function jsonForm<Value>(): Form<Value> {
  return { write: (value) => JSON.stringify(value), read: (text) => JSON.parse(text) as Value };
}

const TEXT_FORM: Form<string> = { write: (text) => text, read: (text) => text };

/** A text that is sealed as a whole where it holds a secret. */
class SealedText<Value> implements SealedColumn {
  readonly #sealer: Sealer;
  readonly #use: string;
  readonly #form: Form<Value>;
  readonly #isSecret: (text: string) => boolean;

  constructor(sealer: Sealer, table: string, form: Form<Value>, isSecret: (text: string) => boolean) {
    this.#sealer = sealer;
    this.#use = table;
    this.#form = form;
    this.#isSecret = isSecret;
  }

  write(value: Value): string {
    const text = this.#form.write(value);
    return this.#isSecret(text) ? this.#sealer.seal(text, this.#use) : text;
  }

  read(stored: string): Value {
    return this.#form.read(this.#sealer.open(stored, this.#use));
  }

  renew(stored: string): string | undefined {
    return isSealed(stored) || this.#isSecret(stored) ? this.#sealer.renew(stored, this.#use) : undefined;
  }
}
