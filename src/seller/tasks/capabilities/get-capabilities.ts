import { z } from 'zod';
import { buildPricesFor } from '../../domain/tenant/callers.js';
import { declaredScenarios } from '../../sandbox/controller/scenarios.js';
import { envelopeFields } from '../pipeline/shapes.js';
import { isOffered, query, type Tool } from '../pipeline/tool.js';
import { buildBlocks, isProtocol } from './blocks.js';
import { lifecycleBlock } from './lifecycle-block.js';
import { signingBlocks } from './signing-blocks.js';

const input = z.looseObject({
  protocols: z
    .array(z.enum(['media_buy', 'signals', 'governance', 'sponsored_intelligence', 'creative', 'brand', 'measurement']))
    .min(1)
    .optional()
    .meta({ unlisted: true }),
  ...envelopeFields,
});

/**
 * Returns get_adcp_capabilities: versions, idempotency window, and what the tenant can do; `others` are all other tasks
 * there are.
 */
export const getCapabilities = (others: readonly Tool[]): Tool =>
  query({
    name: (names) => names.capabilitiesTool,
    title: 'What this agent can do',
    description: 'Start here: versions, protocols and features of this agent. Next: get_products or get_signals.',
    kinds: ['sales', 'creative', 'signals', 'governance', 'brand'],
    input,
    fromCatalog: true,
    run: async ({ app, call, args }) => {
      const { seller, to, principal } = call;
      const offered = others.filter((tool) => isOffered(tool, seller.tenant, false));
      const blocks: Record<string, object> = {
        ...buildBlocks(seller, to.release, {
          policies: (principal ?? seller.tenant).policies,
          sandbox: principal?.sandbox === true,
          buildPrices: buildPricesFor(seller.tenant, principal),
        }),
        ...signingBlocks(app, seller, offered),
        ...(principal?.sandbox === true && seller.tenant.hasTestController
          ? { compliance_testing: { scenarios: declaredScenarios(seller.tenant.kinds, to.release) } }
          : {}),
      };
      const lifecycle = lifecycleBlock(offered, to.release);
      if (lifecycle !== undefined) blocks.media_buy = { ...blocks.media_buy, ...lifecycle };
      const wanted = args.protocols;
      const shown = Object.entries(blocks).filter(
        ([name]) => wanted === undefined || !isProtocol(name) || wanted.includes(name),
      );
      return Object.fromEntries(shown);
    },
  });
