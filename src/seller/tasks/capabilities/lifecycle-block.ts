import type { Release } from '../../../protocol/releases.js';
import { MAX_ALTERNATIVES, SUPPORTED_DIMENSIONS } from '../compact/revision/shapes.js';
import type { Tool } from '../pipeline/tool.js';

/**
 * Returns what the capabilities say of the compact life of a buy: the tasks that came with the caller's release, of those that are
 * offered. Undefined where none did.
 */
export function lifecycleBlock(offered: readonly Tool[], release: Release): object | undefined {
  const lifecycle_tools = offered.filter(({ since }) => since === release).map(({ name }) => name);
  if (lifecycle_tools.length === 0) return undefined;
  return {
    lifecycle_tools,
    proposal_refinement: { supported_dimensions: SUPPORTED_DIMENSIONS, max_alternatives: MAX_ALTERNATIVES },
  };
}
