import type { LiveOrder } from '../../../domain/booking/live-order.js';
import { RetryLaterError } from '../../errors.js';
import { idOf } from '../mapping/names.js';
import { type GamNetwork, quoteText } from '../network.js';
import { NotOfferedError } from '../rest.js';

const MAX_COMPANY_CHARS = 127;

/** Returns the id of the company of an order's brand: the one of the settings, the one that has the domain as its external id, or a new one. */
export async function bringCompany(
  { rest, settings }: GamNetwork,
  { brand }: Pick<LiveOrder, 'brand'>,
  signal: AbortSignal,
): Promise<string> {
  const { domain } = brand;
  const configured = settings.advertisers?.[domain];
  if (configured !== undefined) return configured;
  const filter = `externalId = ${quoteText(domain)}`;
  const present = (await rest.list('companies', filter, signal)).find(
    ({ externalId, type }) => externalId === domain && type === 'ADVERTISER',
  );
  if (present !== undefined) return idOf(present.name);
  const company = { displayName: domain.slice(0, MAX_COMPANY_CHARS), type: 'ADVERTISER', externalId: domain };
  try {
    return idOf((await rest.create('companies', company, signal)).name);
  } catch (error) {
    if (!(error instanceof NotOfferedError)) throw error;
    throw new RetryLaterError(
      `${error.message} Create the company of ${domain} in Ad Manager, and name it in ad_server.advertisers.`,
    );
  }
}
