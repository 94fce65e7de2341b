import type { Clock } from '../../../platform/kernel/clock.js';
import type { TimeZone } from '../../domain/time-zone.js';
import type { GamRest } from './rest.js';
import type { GamSettings } from './settings.js';
import type { GamSoap } from './soap/services.js';

/** A network, and all that it is spoken to with. */
export type GamNetwork = {
  readonly settings: GamSettings;
  readonly zone: TimeZone;
  readonly rest: GamRest;
  readonly soap: GamSoap;
  readonly clock: Pick<Clock, 'now'>;
};

/** Quotes a text for a filter of the REST API. */
export function quoteText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '')}"`;
}
