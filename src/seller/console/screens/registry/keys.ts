import { type Html, html } from '../../../../platform/web/html.js';
import { buttonForm } from '../../page/forms.js';
import { moreLink, takePage } from '../../page/paging.js';
import { badge, instant, relative, table } from '../../page/pieces.js';
import type { RegistryKey } from '../../served-registry.js';
import type { ConsolePage, Visit } from '../../visit.js';
import { servedRegistry } from './acts.js';
import { KEYS, MEMBERS, organizationPath, registryLinks } from './paths.js';

const PAGE = 100;

/** A key, with its organization where keys of several are listed. */
type ListedKey = RegistryKey & { readonly organization?: { readonly name: string } | undefined };

/** Keys, and the words of their table. */
type KeyList = { readonly caption: string; readonly empty: string | Html; readonly keys: readonly ListedKey[] };

/** Returns the page of the keys of all organizations. */
export async function listKeys(visit: Visit): Promise<ConsolePage> {
  const { query } = visit;
  const rows = await servedRegistry(visit).keys(query.text('after') ?? '');
  const { next, shown } = takePage(rows, PAGE, ({ key_id }) => key_id);
  const caption = 'Keys of all members, the oldest first';
  const list = keyTable(visit, {
    caption,
    empty: html`Nobody has a key. Choose a <a href="${MEMBERS}">member</a> to make one for it.`,
    keys: shown,
  });
  return {
    title: 'Keys',
    lead: 'Who calls the registry with a key, since when and until when. The registry has their hashes alone.',
    actions: registryLinks(visit),
    body: html`${list}${moreLink({ path: KEYS, query, field: 'after', next, label: 'Show more' })}`,
  };
}

/** Returns the table of keys: what each is for, when it was used last, until when it holds, and a button that revokes it. */
export function keyTable(visit: Visit, { caption, empty, keys }: KeyList): Html {
  const { nowMs } = visit;
  const hasOrganizations = keys.some(({ organization }) => organization !== undefined);
  const owner = {
    title: 'Member',
    cell: ({ org_id, organization }: ListedKey) =>
      html`<a href="${organizationPath(org_id)}">${organization?.name ?? org_id}</a>`,
  };
  return table({
    caption,
    empty,
    rows: keys,
    columns: [
      { title: 'Key', cell: ({ key_id, name }) => html`${name}<small>${key_id}</small>` },
      ...(hasOrganizations ? [owner] : []),
      { title: 'Role', cell: ({ role }) => badge(role, 'calm') },
      { title: 'Made', cell: ({ created_at }) => instant(created_at) },
      {
        title: 'Used last',
        cell: ({ last_used_at }) => (last_used_at === undefined ? 'never' : relative(last_used_at, nowMs)),
      },
      {
        title: 'Ends',
        cell: ({ expires_at }) => (expires_at === undefined ? 'when it is revoked' : instant(expires_at)),
      },
      { title: 'State', cell: (key) => stateOf(visit, key, hasOrganizations) },
    ],
  });
}

function stateOf({ nowMs, visitor }: Visit, key: ListedKey, isOfMany: boolean): Html {
  const { expires_at, key_id, name, org_id, revoked_at } = key;
  if (revoked_at !== undefined) return html`${badge('revoked', 'bad')} ${instant(revoked_at)}`;
  if (expires_at !== undefined && Date.parse(expires_at) <= nowMs) return badge('expired', 'bad');
  const fields = { key: key_id, organization: isOfMany ? '' : org_id };
  const action = `${MEMBERS}/keys/revoke`;
  return html`${badge('active')} ${buttonForm(visitor, { action, label: 'Revoke', about: name, role: 'admin', look: 'danger', fields })}`;
}
