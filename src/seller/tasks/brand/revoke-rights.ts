import { isoTime } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { RIGHT_USES, type RightUse } from '../../domain/brand/brand.js';
import { type Grant, type RevokedPart, revokeGrant } from '../../domain/brand/grant.js';
import { readTime } from '../../domain/media-buy/flight.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { Writer } from '../../store/store.js';
import { channelOf } from '../../webhooks/delivery/channel.js';
import { revocationBody } from '../../webhooks/events/payloads.js';

/** Rights that were granted, as the operator sees them: who has them, and how they stand. */
type ShownGrant = Pick<
  Grant,
  | 'grant_id'
  | 'rights_id'
  | 'brand_id'
  | 'status'
  | 'paused'
  | 'uses'
  | 'start_date'
  | 'end_date'
  | 'sandbox'
  | 'revoked'
> & { readonly tenant: string; readonly principal: string; readonly buyer: string };

const MAX_LISTED = 200;
const MAX_REASON_CHARS = 1000;

/** Returns the rights that were granted last. */
export async function readGrants({ store }: App): Promise<{ readonly grants: readonly ShownGrant[] }> {
  const rows = await store.read.grants.newest(MAX_LISTED);
  return { grants: rows.map(({ owner, grant }) => showGrant(owner, grant)) };
}

/**
 * Takes rights back, wholly or for some uses, and tells whoever has them, in one transaction. Throws REFERENCE_NOT_FOUND, INVALID_REQUEST,
 * and INVALID_STATE for rights that were revoked before.
 */
export async function recordRevocation(app: App, grantId: string, body: unknown): Promise<ShownGrant> {
  return app.store.transact(async (tx) => {
    const owned = await tx.grants.findAnywhere(grantId);
    if (owned === undefined) {
      throw new TaskError('REFERENCE_NOT_FOUND', 'No rights were granted under this id.', {
        field: 'id',
        suggestion: 'List them with: seller-agent rights list',
      });
    }
    const { owner, grant } = owned;
    const part = readPart(body, app.clock.nowOf(owner));
    const revoked = revokeGrant(grant, part);
    tx.grants.replace(revoked);
    await notifyBuyer(app, tx, { owner, grant }, part);
    return showGrant(owner, revoked);
  });
}

function readPart(body: unknown, nowMs: number): RevokedPart {
  const { reason, effective_at, uses } = isObject(body) ? body : {};
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > MAX_REASON_CHARS) {
    throw new TaskError('INVALID_REQUEST', `A reason is a text of at most ${MAX_REASON_CHARS} characters.`, {
      field: 'reason',
      suggestion: 'Say why; the buyer reads it.',
    });
  }
  const at = effective_at === undefined ? nowMs : readTime(String(effective_at), 'effective_at');
  return { reason: reason.trim(), effective_at: isoTime(Math.max(at, nowMs)), uses: readUses(uses) };
}

function readUses(uses: unknown): readonly RightUse[] | undefined {
  if (uses === undefined) return undefined;
  const valid = Array.isArray(uses) ? RIGHT_USES.filter((use) => uses.includes(use)) : [];
  if (Array.isArray(uses) && valid.length === uses.length && valid.length > 0) return valid;
  throw new TaskError('INVALID_REQUEST', 'Uses are a list of uses of rights.', {
    field: 'uses',
    suggestion: `Use some of: ${RIGHT_USES.join(', ')}.`,
  });
}

type StoredGrant = { readonly owner: string; readonly grant: Grant };

async function notifyBuyer(
  { outbox }: App,
  tx: Writer,
  { owner, grant }: StoredGrant,
  part: RevokedPart,
): Promise<void> {
  const { webhook, release, context } = grant.revocation;
  const [first, ...others] = part.uses ?? [];
  await outbox.post(tx, {
    owner,
    tenant: readOwner(owner).tenant,
    channel: channelOf(webhook, grant.sandbox, release),
    body: (key) =>
      revocationBody(key, {
        rights_id: grant.grant_id,
        brand_id: grant.brand_id,
        reason: part.reason,
        effective_at: part.effective_at,
        revoked_uses: first === undefined ? undefined : [first, ...others],
        context: isObject(context) ? context : undefined,
      }),
  });
}

function showGrant(owner: string, { buyer, ...grant }: Grant): ShownGrant {
  const { grant_id, rights_id, brand_id, status, paused, uses, start_date, end_date, sandbox, revoked } = grant;
  const facts = { grant_id, rights_id, brand_id, status, paused, uses, start_date, end_date, sandbox, revoked };
  return { ...facts, ...readOwner(owner), buyer: buyer.domain };
}
