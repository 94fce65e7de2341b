import { sortableTime } from '../../../platform/kernel/clock.js';
import type { Assignment, Creative } from '../../domain/creative/creative.js';
import { listRights } from '../../domain/creative/rights.js';
import type { SellerTables } from '../schema/schema.js';

/** A creative with its position in the list. */
export type CreativeRow = { readonly seq: number; readonly creative: Creative };
/** A creative with its owner and its position in the list. */
export type OwnedCreative = CreativeRow & { readonly owner: string };

/** The state of a tombstone: none of a creative, so that nothing but a list which asks for it finds one. */
export const PURGED = 'purged';

/** Names a creative. */
export type CreativeId = { owner: string; account_id: string; creative_id: string };
/** The columns of a creative beside its name. */
export type CreativeColumns = Omit<SellerTables['creative'], 'seq' | keyof CreativeId>;
/** A row of assignments. */
export type StoredAssignment = CreativeId & {
  media_buy_id: string;
  package_id: string;
  weight: number | null;
  assigned_date: string;
};
/** A row of creatives, as far as it is read. */
export type StoredCreative = { seq: number; owner: string; doc: string };

/** Returns the columns of a creative. */
export function creativeColumns(owner: string, creative: Creative): CreativeId & CreativeColumns {
  const { account_id, creative_id, name, status, tags, recheck } = creative;
  const rights = listRights(creative);
  return {
    owner,
    account_id,
    creative_id,
    name: name.toLowerCase(),
    status,
    format: creative.format_id.id,
    tags: tags.length === 0 ? '' : `|${tags.join('|').toLowerCase()}|`,
    created_date: sortableTime(creative.created_date),
    updated_date: sortableTime(creative.updated_date),
    recheck_at: status === 'processing' && recheck !== undefined ? Date.parse(recheck.at) : null,
    rights: rights.length === 0 ? null : `|${rights.map(({ rights_id }) => rights_id).join('|')}|`,
    doc: JSON.stringify(creative),
  };
}

/** Returns the creative of a document; one that was stored before versions were counted is at its first. */
export function parseCreative(doc: string): Creative {
  const stored = JSON.parse(doc) as Creative | Omit<Creative, 'version'>;
  return { version: 1, ...stored };
}

/** Returns the creative of a row. */
export function parseOwnedCreative({ seq, owner, doc }: StoredCreative): OwnedCreative {
  return { seq, owner, creative: parseCreative(doc) };
}

/** Returns the assignment of a row. */
export function parseAssignment(row: Omit<StoredAssignment, 'owner' | 'account_id'>): Assignment {
  const { creative_id, package_id, media_buy_id, weight, assigned_date } = row;
  const assignment = { creative_id, package_id, media_buy_id, assigned_date };
  return weight === null ? assignment : { ...assignment, weight };
}
