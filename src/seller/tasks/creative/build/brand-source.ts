import type { z } from 'zod';
import { type Brand, readBrand } from '../../../../creative/compose/brand.js';
import { type Manifest, promotedOfferings } from '../../../../creative/formats/manifest.js';
import { isObject, readJson } from '../../../../platform/kernel/json/json.js';
import type { App, Call } from '../../../context.js';
import { visitorOf } from '../formats.js';
import { listInlineOfferings } from './fan-out/item-material.js';
import type { buildInput } from './input.js';

type Input = z.output<typeof buildInput>;

/** Returns the brand from all that the request says, its brand.json where only a domain is given, with what the catalogs of the source offer. */
export async function resolveBrand(app: App, call: Call, args: Input, source: Manifest | undefined): Promise<Brand> {
  const promoted = source === undefined ? undefined : promotedOfferings(source);
  const domain = args.brand?.domain;
  const published = domain === undefined || promoted !== undefined ? undefined : await brandJson(app, call, domain);
  const named = [args.brand, promoted, published].filter((part) => part !== undefined);
  const offerings = listInlineOfferings(source);
  return readBrand([...(named.length === 0 ? [{ name: 'Your brand' }] : named), { offerings }], { field: 'brand' });
}

/** Returns what the registry's mirror has of a brand, else its own brand.json through the guarded fetch; undefined when there is none to be had. */
async function brandJson(app: App, call: Call, domain: string): Promise<unknown> {
  const mirrored = await app.registry.brandOf(domain);
  if (mirrored !== undefined) return mirrored;
  try {
    const { status, bytes } = await app.renderer().outbound.fetch(`https://${domain}/.well-known/brand.json`, {
      maxBytes: 1_000_000,
      timeoutMs: 2000,
      local: visitorOf(app, call).local,
    });
    const document = status === 200 ? readJson(bytes) : undefined;
    return isObject(document) ? document : undefined;
  } catch (error) {
    app.log.debug({ err: error, domain }, 'no brand.json');
    return undefined;
  }
}
