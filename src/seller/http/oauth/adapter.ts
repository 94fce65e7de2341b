import { errors, type OidcAdapter } from 'oidc-provider';
import { type Clock, DAY_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { OauthItem } from '../../store/oauth/items.js';
import type { Store } from '../../store/store.js';
import { endGrant } from '../../tasks/grant/end-grant.js';

/** How long a client stays that nobody lets do anything. */
export const UNUSED_CLIENT_MS = 7 * DAY_MS;

/** The member of every payload that is its id, and may be a secret: it is not stored, for whoever asks brings it. */
const ID = 'jti';

/** The library's storage of one kind, in our store. */
export class StoreAdapter implements OidcAdapter {
  readonly #model: string;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(model: string, { clock, store }: { readonly clock: Clock; readonly store: Store }) {
    this.#model = model;
    this.#store = store;
    this.#clock = clock;
  }

  async upsert(id: string, payload: Record<string, unknown>, expiresIn: number | undefined): Promise<void> {
    const { [ID]: _id, ...doc } = payload;
    const expires_at = this.#clock.now() + (expiresIn === undefined ? UNUSED_CLIENT_MS : expiresIn * SECOND_MS);
    const item = { model: this.#model, doc, expires_at };
    const marks = { grantId: textOf(payload.grantId), uid: textOf(payload.uid) };
    await this.#store.transact((tx) => tx.oauthItems.save(id, item, marks));
  }

  async find(id: string): Promise<Record<string, unknown> | undefined> {
    return this.#payload(await this.#store.read.oauthItems.find(this.#model, id), id);
  }

  async findByUid(uid: string): Promise<Record<string, unknown> | undefined> {
    return this.#payload(await this.#store.read.oauthItems.findByUid(this.#model, uid), undefined);
  }

  /** Returns nothing: there is no sign-in by codes that people type. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /** Notes that a code or token was used. Of two who use it at once one is refused, and what the other got ends too. */
  async consume(id: string): Promise<void> {
    const { value, isFirst } = await this.#store.transact(async (tx) => ({
      value: await tx.oauthItems.find(this.#model, id),
      isFirst: await tx.oauthItems.consume(this.#model, id, this.#clock.now()),
    }));
    if (isFirst) return;
    const grantId = textOf(value?.doc.grantId);
    if (grantId !== undefined) await this.revokeByGrantId(grantId);
    throw new errors.InvalidGrant('it was used already');
  }

  async destroy(id: string): Promise<void> {
    await this.#store.transact(async (tx) => {
      await tx.oauthItems.remove(this.#model, id);
      if (this.#model === 'Grant') await tx.oauthGrants.remove(id);
    });
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#store.transact((tx) => endGrant(tx, grantId));
  }

  #payload(item: OauthItem | undefined, id: string | undefined): Record<string, unknown> | undefined {
    if (item === undefined || item.expires_at <= this.#clock.now()) return undefined;
    const payload = id === undefined || this.#model === 'Client' ? { ...item.doc } : { ...item.doc, [ID]: id };
    return item.consumed_at === null ? payload : { ...payload, consumed: Math.floor(item.consumed_at / SECOND_MS) };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
