import type { App, Call } from '../../context.js';
import { FIXTURE_ACCOUNT } from '../../domain/account/account.js';
import type { Creative, CreativeStatus } from '../../domain/creative/creative.js';
import type { ServingPrice } from '../../domain/creative/price.js';
import { saveCreative } from '../../lifecycle/creatives.js';
import type { Writer } from '../../store/store.js';
import { completeRef, type FixtureFormat } from '../fixtures.js';
import { withSamples } from '../sample-assets.js';

/** A creative as a sandbox principal seeds it: whatever is left out is filled in. */
type CreativeFixture = {
  readonly name?: string | undefined;
  readonly status?: CreativeStatus | undefined;
  readonly rejection_reason?: string | undefined;
  readonly format_id?: FixtureFormat | undefined;
  readonly assets?: Creative['assets'] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly pricing_options?: readonly ServingPrice[] | undefined;
};

/** Puts a fixture into the library, in place of the one of its id; answers the creative. Throws INVALID_FORMAT_ID. */
export async function seedCreative(
  { app, call, db }: { readonly app: App; readonly call: Call; readonly db: Writer },
  creative_id: string,
  fixture: CreativeFixture,
): Promise<Creative> {
  const { account_id } = FIXTURE_ACCOUNT;
  const before = await db.creatives.find(call.owner, account_id, creative_id);
  const {
    name = creative_id,
    status = 'approved',
    assets = {},
    tags = [],
    pricing_options,
    rejection_reason,
  } = fixture;
  const usual = { id: call.seller.formats[0]?.format_id.id ?? 'display_300x250_image' };
  const format_id = completeRef(fixture.format_id ?? usual, call.seller, 'params.fixture.format_id');
  const format = call.seller.formats.find((offered) => offered.format_id.id === format_id.id);
  const seeded: Creative = {
    creative_id,
    account_id,
    version: (before?.version ?? 0) + 1,
    name,
    status,
    format_id,
    assets: withSamples(format, assets),
    tags,
    pricing_options,
    created_date: before?.created_date ?? call.now.iso,
    updated_date: call.now.iso,
    echoed: {},
    rejection_reason: status === 'rejected' ? (rejection_reason ?? 'Seeded as rejected.') : undefined,
  };
  await saveCreative({ tx: db, lifecycle: app.lifecycle, owner: call.owner, now: call.now }, seeded);
  return seeded;
}
