import type { Deal } from '../../domain/booking/deals.js';
import type { LiveOrder } from '../../domain/booking/live-order.js';
import type { ProductMapping } from '../port/answers.js';
import type { DeliveryRow } from '../port/delivery.js';

/** A line as an ad server has it, whoever made it. Times as it writes them: ISO 8601, UTC. */
export type AdServerLine = {
  /** Its id there, and that of the order that it is in. */
  readonly id: string;
  readonly order: string;
  /** Ours, as they can be read there. */
  readonly media_buy_id: string;
  readonly package_id: string;
  /** Whether it would deliver within its flight: `ended` never again. */
  readonly state: 'running' | 'paused' | 'ended';
  readonly goal: number;
  readonly price: number;
  readonly start_time: string;
  readonly end_time: string;
  /** Ours, of the creatives that may run in it. */
  readonly creative_ids: readonly string[];
  /** The addresses of the pictures that may run in it. */
  readonly pictures: readonly string[];
};

/** A private deal as an SSP has it, whoever made it; its terms in the words of OpenRTB. */
export type AdServerDeal = Pick<Deal, 'dsp' | 'bidfloor' | 'bidfloorcur' | 'at' | 'wseat'> & {
  readonly id: string;
  /** Ours, as they can be read there. */
  readonly media_buy_id: string;
  readonly package_id: string;
  readonly state: AdServerLine['state'];
  readonly start_time: string;
  readonly end_time: string;
};

/** The ad server that a contract is tried on: a fake of it, or an account that nothing else uses. */
export type ContractAdServer = {
  readonly url: string;
  /** Returns the tenant's `ad_server` object for the ad server at an address: the kit stands between. */
  readonly settings: (url: string) => Readonly<Record<string, unknown>>;
  /** The `adapter` object of a product that it has. */
  readonly product: ProductMapping['adapter'];
  /** One of a product that it does not have. */
  readonly unknownProduct: ProductMapping['adapter'];
  /** Whether a request changes something there; all that is no GET unless it is said here. */
  readonly isWrite?: (method: string, path: string, body: string) => boolean;
  /** Forgets all that was booked. */
  readonly reset: () => Promise<void>;
  /** Every line that is there. */
  readonly lines: () => Promise<readonly AdServerLine[]>;
  /** Every private deal that is there; of an ad server that takes them. */
  readonly deals?: () => Promise<readonly AdServerDeal[]>;
  /** Lets a line deliver; what was delivered on a day before is replaced. */
  readonly deliver: (
    line: AdServerLine,
    row: Pick<DeliveryRow, 'creative_id' | 'date' | 'impressions'>,
  ) => Promise<void>;
  /** Deletes, or pauses, a line as a person would by hand. */
  readonly removeByHand: (line: AdServerLine) => Promise<void>;
  readonly pauseByHand: (line: AdServerLine) => Promise<void>;
  /** Whether reports that are ordered from now on never end. */
  readonly holdReports: (isHeld: boolean) => void;
  /** Returns the order as the ad server refuses it for good. */
  readonly spoil: (order: LiveOrder) => LiveOrder;
  readonly stop: () => Promise<void>;
};
