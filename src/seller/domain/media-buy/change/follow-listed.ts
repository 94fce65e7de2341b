import { steerReach } from '../../optimization/steering.js';
import { computeReach } from '../../targeting/reach.js';
import type { Package } from '../media-buy.js';
import { flightDays } from '../order.js';

/** Returns a package whose lists leave another part of its product, 0 to 1, from now on; its other targeting stays. */
export function followListed(line: Package, listed: number): Package {
  const { sold, steering, targeting_overlay: overlay = {} } = line;
  if (line.listed === listed) return line;
  const supply = { ...sold.inventory, channels: sold.channels };
  const reach = computeReach(overlay, supply, flightDays(line), listed);
  return { ...line, listed, reach: steerReach(reach, steering, sold.inventory) };
}
