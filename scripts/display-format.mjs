import { houseFormats } from '../dist/creative/formats/catalog/catalog.js';
import { concreteFormat } from '../dist/creative/formats/catalog/parameters.js';

const AGENT = 'https://seller.example';
const template = houseFormats(AGENT).find(({ format_id }) => format_id.id === 'display_image');

/**
 * Returns the format of a display ad of a size in pixels.
 * @param {number} width
 * @param {number} height
 */
export function displayFormat(width, height) {
  const format = template && concreteFormat(template, { agent_url: AGENT, id: template.format_id.id, width, height });
  if (format === undefined) throw new Error(`there is no display ad of ${width}x${height}`);
  return format;
}
