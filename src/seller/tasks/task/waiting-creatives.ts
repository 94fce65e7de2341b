import { isoTime } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import { type Creative, isUsable } from '../../domain/creative/creative.js';
import { readOwner } from '../../domain/tenant/principal.js';
import { reviewCreative } from '../../lifecycle/creatives.js';
import type { CreativeReader } from '../../store/creatives/creatives.js';
import type { OwnedCreative } from '../../store/creatives/rows.js';
import { alreadyDecided, type DecisionKind, type Outcome, unknownDecision, type Waiting } from './pending-decisions.js';

/** Creatives of principals whose policy is manual. */
export const CREATIVE_DECISIONS: DecisionKind = {
  list: async (app, limit) => (await app.store.read.creatives.waiting(limit)).map(describeWaiting),
  find: async (app, key) => {
    const { owned, isCurrent } = await lookUp(app.store.read.creatives, key);
    if (owned === undefined) return undefined;
    return {
      waiting: { ...describeWaiting(owned), id: `creative-${key}` },
      outcome: readOutcome(owned.creative, isCurrent),
    };
  },
  decide: async (app, key, decision, channel) => {
    if (decision.decision === 'ask') throw notAsked();
    const verdict =
      decision.decision === 'approve'
        ? ({ status: 'approved' } as const)
        : ({ status: 'rejected', rejection_reason: decision.reason } as const);
    return app.store.transact(async (tx) => {
      const { owned, isCurrent } = await lookUp(tx.creatives, key);
      if (owned === undefined) throw unknownDecision();
      if (!isCurrent) throw changedSince();
      const ms = app.clock.nowOf(owned.owner);
      const now = { ms, iso: isoTime(ms) };
      if (channel === 'link' && readOutcome(owned.creative, true) !== undefined)
        throw alreadyDecided('creative', owned.creative.status);
      const { creative, buys } = await reviewCreative(
        { tx, lifecycle: app.lifecycle, owner: owned.owner, now, events: app.accountEvents },
        owned.creative,
        verdict,
      );
      return {
        kind: 'creative',
        id: `creative-${key}`,
        ...readOwner(owned.owner),
        what: describeCreative(creative),
        status: creative.status,
        media_buys: buys.map(({ media_buy_id, status }) => ({ media_buy_id, status })),
      };
    });
  },
};

/** Returns what lies under a key, and whether it is still the version that the key names. */
async function lookUp(creatives: Pick<CreativeReader, 'findBySeq'>, key: string) {
  const [, seq, version] = /^(\d{1,15})\.(\d{1,9})$/.exec(key) ?? [];
  const owned = seq === undefined ? undefined : await creatives.findBySeq(Number(seq));
  return { owned, isCurrent: owned?.creative.version === Number(version) };
}

function describeWaiting({ seq, owner, creative }: OwnedCreative): Waiting {
  const { creative_id, name, format_id, version } = creative;
  const preview = choosePreview(creative);
  return {
    kind: 'creative',
    id: `creative-${seq}.${version}`,
    ...readOwner(owner),
    account_id: creative.account_id,
    what: describeCreative(creative),
    since: creative.updated_date,
    preview,
    creative: { creative_id, name, format_id },
  };
}

function readOutcome({ status, updated_date, rejection_reason }: Creative, isCurrent: boolean): Outcome | undefined {
  if (!isCurrent) return { status: 'replaced', decided_at: updated_date };
  if (status === 'pending_review' || status === 'processing') return undefined;
  const reason = isUsable(status) || rejection_reason === undefined ? {} : { reason: rejection_reason };
  return { status, decided_at: updated_date, ...reason };
}

function describeCreative({ creative_id, name, format_id }: Creative): string {
  return `Creative ${creative_id} "${name}", ${format_id.id}`;
}

const MAX_PREVIEW_CHARS = 200;

/** Returns what to look at of a creative: the address of the first asset that has one, else the first text, cut at 200 characters. */
export function choosePreview({ assets }: Creative): string | undefined {
  const all = Object.values(assets).flat().filter(isObject);
  const shown =
    all.find((asset) => asset.asset_type !== 'url' && typeof asset.url === 'string')?.url ??
    all.find((asset) => typeof asset.content === 'string')?.content;
  return typeof shown === 'string' ? shown.slice(0, MAX_PREVIEW_CHARS) : undefined;
}

function notAsked(): TaskError {
  return new TaskError('INVALID_STATE', 'A buyer is asked about an order, not about a creative.', {
    field: 'decision',
    suggestion: 'Reject the creative with what is to be changed; the buyer sends it again.',
  });
}

function changedSince(): TaskError {
  return new TaskError('CONFLICT', 'The buyer has sent another version since this one was listed.', {
    field: 'id',
    suggestion: 'List the approvals again and look at the new version.',
  });
}
