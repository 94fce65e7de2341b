import type { Booted } from './boot.js';
import {
  createRequest,
  creative,
  freshKey,
  KIT_TOKEN,
  SANDBOX_ACCOUNT,
  SANDBOX_ACCOUNT_2,
  succeeded,
} from './buyer.js';
import type { Answer, Payload, WireMediaBuy } from './wire.js';

/** A buyer with a token and an account, for stories: every step must succeed, and answers its payload. */
export type Shopper = {
  readonly create: (changes?: object) => Promise<Payload>;
  /** Changes a buy; without a revision unless `changes` name one. */
  readonly update: (mediaBuyId: string, changes: object) => Promise<Payload>;
  /** The buy as get_media_buys shows it, with its history. */
  readonly read: (mediaBuyId: string, options?: object) => Promise<WireMediaBuy>;
  /** Sends banners and puts them into packages: `{ banner: ['pkg_1'] }`. */
  readonly sync: (assignments: Readonly<Record<string, readonly string[]>>, changes?: object) => Promise<Payload>;
  /** What a buy delivered; with `days` per package and day. */
  readonly delivered: (mediaBuyId: string, options?: object) => Promise<Payload['media_buy_deliveries'][number]>;
  /** Any call, successful or not, in this buyer's name. */
  readonly call: (tool: string, args?: object) => Promise<Answer>;
  /** The code that a call must fail with. */
  readonly refused: (tool: string, args: object) => Promise<string>;
};

/** Who buys, and how its account is named. */
const SHOPPERS = {
  /** Needs no creatives; the first token of the shipped tenant. */
  first: { token: 'sandbox-token', account: { account_id: SANDBOX_ACCOUNT } },
  /** The second token of the shipped tenant. */
  second: { token: 'sandbox-token-2', account: { account_id: SANDBOX_ACCOUNT_2 } },
  /** A public test kit: its packages need creatives. */
  kit: {
    token: KIT_TOKEN,
    account: { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' },
  },
} as const;

/** A buyer on a server; one of the three of the shipped tenant, or any token and account. */
export function shopper(
  server: Booted,
  who: keyof typeof SHOPPERS | { readonly token: string; readonly account: object } = 'first',
): Shopper {
  const { token, account } = typeof who === 'string' ? SHOPPERS[who] : who;
  const call = (tool: string, args: object = {}): Promise<Answer> => server.call(tool, args, { token });
  const must = async (tool: string, args: object): Promise<Payload> => succeeded(await call(tool, args));
  return {
    call,
    create: (changes = {}) => must('create_media_buy', createRequest({ account, ...changes })),
    update: (media_buy_id, changes) =>
      must('update_media_buy', { idempotency_key: freshKey(), account, media_buy_id, ...changes }),
    read: async (id, options = {}) => {
      const { media_buys } = await must('get_media_buys', { media_buy_ids: [id], include_history: 100, ...options });
      const [buy] = media_buys;
      if (buy === undefined) throw new Error('the media buy is not there');
      return buy;
    },
    sync: (assignments, changes = {}) =>
      must('sync_creatives', {
        idempotency_key: freshKey(),
        account,
        creatives: Object.keys(assignments).map((id) => creative(id)),
        assignments: Object.entries(assignments).flatMap(([creative_id, packages]) =>
          packages.map((package_id) => ({ creative_id, package_id })),
        ),
        ...changes,
      }),
    delivered: async (id, options = {}) => {
      const payload = await must('get_media_buy_delivery', { media_buy_ids: [id], ...options });
      const [delivery] = payload.media_buy_deliveries;
      if (delivery === undefined) throw new Error('there is no delivery of the media buy');
      return delivery;
    },
    refused: async (tool, args) => {
      const { payload, isError } = await call(tool, args);
      if (!isError) throw new Error(`${tool} was not refused`);
      return payload.code;
    },
  };
}

/** Ids of the packages of an answer, in their order. */
export function packageIds({ packages }: Pick<Payload, 'packages'>): readonly string[] {
  return packages.map((line) => line.package_id);
}
