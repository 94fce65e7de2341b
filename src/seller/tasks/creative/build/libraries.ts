import type { z } from 'zod';
import { type Manifest, readManifest } from '../../../../creative/formats/manifest.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';
import { NO_ACCOUNT } from '../../../domain/account/scope.js';
import type { ServingPrice } from '../../../domain/creative/price.js';
import { findSameCaller, isBilledOutside } from '../../../domain/tenant/callers.js';
import { ownerKey } from '../../../domain/tenant/principal.js';
import type { Reader } from '../../../store/store.js';
import { findUsable, scopeOf } from '../../pipeline/resolve-account.js';
import type { buildInput } from './input.js';

type Input = z.output<typeof buildInput>;

/** Returns what to start from: the manifest of the request, or a creative of the caller's libraries. */
export async function findSource(
  app: App,
  call: Call,
  args: Input,
  db: Reader,
): Promise<{ readonly source?: Manifest; readonly price?: ServingPrice }> {
  if (args.creative_manifest !== undefined)
    return { source: readManifest(args.creative_manifest, 'creative_manifest') };
  if (args.creative_id === undefined) return {};
  for (const library of listLibraries(app, call)) {
    const named = args.account && (await findUsable(library, args.account, db));
    const scope = args.account === undefined ? library.owner : scopeOf(library, named?.account_id ?? NO_ACCOUNT);
    const creative = await db.creatives.findAnywhere(scope, args.creative_id);
    if (creative !== undefined) {
      const { format_id, assets, pricing_options: [price] = [] } = creative;
      const source = readManifest({ format_id, assets }, 'creative_id');
      return price === undefined || isBilledOutside(call.principal) ? { source } : { source, price };
    }
  }
  throw new TaskError('CREATIVE_NOT_FOUND', 'There is no such creative in the library.', {
    field: 'creative_id',
    suggestion: 'Send it with sync_creatives first, or send its assets as creative_manifest.',
  });
}

/** The caller as the owner of a library. */
type LibraryHolder = Pick<Call, 'owner' | 'principal'>;

/** Returns the callers as whom the caller has creatives: here, and with the sales agents of this server that name this one, where the same key opens them. */
export function listLibraries(app: App, { owner, seller, principal }: Call): readonly LibraryHolder[] {
  if (principal === undefined) return [{ owner, principal }];
  const sellers = [...app.sellers().values()].filter(({ creativeAgents }) =>
    creativeAgents.some(({ agent_url }) => agent_url === seller.url),
  );
  const others = sellers.flatMap((other) => {
    const same = findSameCaller(seller, other, principal);
    return same === undefined ? [] : [{ owner: ownerKey(other.tenant.path, same.id), principal: same }];
  });
  return [{ owner, principal }, ...others];
}
