import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { type Html, html } from '../../../platform/web/html.js';
import { keyIdOf } from '../../calls/key-uses.js';
import { isAtLeast } from '../../domain/console/access.js';
import type { Credential } from '../../domain/tenant/principal.js';
import type { Tenant } from '../../domain/tenant/tenant.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { buttonForm, csrfField } from '../page/forms.js';
import { badge, card, count, relative, table } from '../page/pieces.js';
import type { ConsoleAct, ConsolePage, Screen, Visit } from '../visit.js';
import { listPortalLinks, PORTAL_ACTS } from './portal-links.js';

const PATH = `${CONSOLE_PATH}/buyers`;
const LINKS = `${PATH}/links`;
/** Digits of a hash that are shown, and that name a key. */
const DIGITS = 8;
/** Keys of a tenant whose last use is shown. */
const MAX_KEYS = 5000;

type Buyer = Tenant['principals'][number];
type Key = Extract<Credential, { kind: 'sha256' }>;

const fieldOf = ({ form }: Visit, name: string): string => form.text(name) ?? '';
const subject = (visit: Visit): string => `${fieldOf(visit, 'tenant')}#${fieldOf(visit, 'principal')}`;
const keyDetail = (visit: Visit): string => `key ${fieldOf(visit, 'key')}`;
const back = (): string => PATH;

/** Who may buy at each tenant, how each proves itself, and the keys that they do it with. */
export const BUYERS: Screen = {
  path: PATH,
  title: 'Buyers',
  views: [
    { path: PATH, run: listBuyers },
    { path: LINKS, run: listPortalLinks },
  ],
  acts: [
    { path: `${PATH}/keys/new`, role: 'admin', action: 'key.new', subject, back, run: makeKey },
    {
      path: `${PATH}/keys/expire`,
      role: 'admin',
      action: 'key.expire',
      subject,
      detail: (visit) => `${keyDetail(visit)} from ${fieldOf(visit, 'expires_at')} on`,
      back,
      run: async (visit) => {
        const expires_at = fieldOf(visit, 'expires_at');
        await visit.operateKeys({ operation: 'expire', ...namedKey(visit), expires_at });
        return { to: PATH, says: `The key ${fieldOf(visit, 'key')} opens nothing from ${expires_at} on.` };
      },
    },
    {
      path: `${PATH}/keys/revoke`,
      role: 'admin',
      action: 'key.revoke',
      subject,
      detail: keyDetail,
      back,
      confirm: async (visit) => ({
        title: 'Revoke this key?',
        says: html`<p>${fieldOf(visit, 'principal')} is turned away with the key ${fieldOf(visit, 'key')}… from the next call on. This cannot be undone; a new key can be made.</p>`,
        yes: 'Revoke it',
      }),
      run: async (visit) => {
        await visit.operateKeys({ operation: 'revoke', ...namedKey(visit) });
        return { to: PATH, says: `The key ${fieldOf(visit, 'key')} opens nothing any more.` };
      },
    } satisfies ConsoleAct,
    ...PORTAL_ACTS,
  ],
};

function namedKey(visit: Visit) {
  return { tenant: fieldOf(visit, 'tenant'), principal: fieldOf(visit, 'principal'), key: fieldOf(visit, 'key') };
}

/** Makes a key and shows it, this once. */
async function makeKey(visit: Visit): Promise<ConsolePage> {
  const [tenant, principal] = [fieldOf(visit, 'tenant'), fieldOf(visit, 'principal')];
  const sandbox = fieldOf(visit, 'sandbox') === 'yes';
  const made = await visit.operateKeys({ operation: 'new', tenant, principal, sandbox });
  return {
    title: 'A new key',
    lead: html`${badge(made.sandbox === true ? 'sandbox' : 'live')} for ${principal} at ${tenant}`,
    body: html`<section class="card"><p>It is shown this once; the tenant file holds its hash. Hand it over by a way that only its buyer reads.</p><pre tabindex="0">${made.key}</pre><p><a class="button" href="${PATH}">I have it</a></p></section>`,
  };
}

async function listBuyers(visit: Visit): Promise<ConsolePage> {
  const { app, visitor } = visit;
  const counts = await app.store.read.mediaBuys.countByStatus();
  const ofOwner = (owner: string): number =>
    counts.filter((one) => one.owner === owner).reduce((sum, { total }) => sum + total, 0);
  const sellers = [...app.sellers().values()];
  const uses = await Promise.all(sellers.map(({ tenant }) => app.store.read.keyUses.list(tenant.path, MAX_KEYS)));
  const cards = sellers.map(({ tenant }, index) =>
    card({
      id: `tenant-${index}`,
      title: tenant.name,
      aside: html`<small>${tenant.path}</small>`,
      body: html`${table({
        caption: `Buyers of ${tenant.path}`,
        empty: 'Nobody may call it.',
        rows: tenant.principals,
        columns: [
          { title: 'Buyer', cell: ({ id, name }) => html`${name}<small>${id}</small>` },
          { title: 'Kind', cell: ({ sandbox }) => badge(sandbox ? 'sandbox' : 'live', sandbox ? 'calm' : 'good') },
          {
            title: 'Proves itself by',
            cell: (buyer) => showProofs(visit, { tenant, buyer, uses: uses[index] ?? new Map() }),
          },
          {
            title: 'Buys',
            isNumber: true,
            cell: ({ id }) =>
              html`<a href="${CONSOLE_PATH}/buys?buyer=${`${tenant.path}#${id}`}">${count(ofOwner(`${tenant.path}#${id}`))}</a>`,
          },
        ],
      })}${isAtLeast(visitor.role, 'admin') && newKeyForm(visit, tenant)}`,
    }),
  );
  return {
    title: 'Buyers',
    actions: html`<a class="button" href="${LINKS}">Links to the portal</a>`,
    lead: 'Who may call, and with which keys. A change is in the tenant file, and counts at once.',
    body: html`${cards}`,
  };
}

/** A buyer of a tenant, and when the keys of the tenant were used last (ms), by what names them. */
type KeyHolder = { readonly tenant: Tenant; readonly buyer: Buyer; readonly uses: ReadonlyMap<string, number> };

function showProofs(visit: Visit, holder: KeyHolder): Html {
  const { buyer } = holder;
  const keys = buyer.credentials.filter((one) => one.kind === 'sha256');
  const others = [
    ...(buyer.credentials.length > keys.length ? ['a public token'] : []),
    ...(buyer.signer === undefined ? [] : ['signatures']),
  ];
  if (keys.length + others.length === 0) return html`nothing`;
  return html`<ul class="plain">${keys.map((key) => html`<li>${keyRow(visit, { ...holder, key })}</li>`)}${others.map((text) => html`<li>${text}</li>`)}</ul>`;
}

type KeyRow = KeyHolder & { readonly key: Key };

function keyRow({ nowMs, visitor }: Visit, { buyer, key, tenant, uses }: KeyRow): Html {
  const name = key.env ?? key.digest.slice(0, DIGITS);
  const shown =
    key.env === undefined ? html`a key with hash <code>${name}</code>…` : html`the key in <code>${name}</code>`;
  const hasExpired = key.expiresAt !== undefined && Date.parse(key.expiresAt) <= nowMs;
  const until =
    key.expiresAt !== undefined &&
    html` ${badge(hasExpired ? 'expired' : 'expires', hasExpired ? 'bad' : 'wait')} ${relative(key.expiresAt, nowMs)}`;
  const usedAt = uses.get(keyIdOf(key.digest));
  const used = html`<small>${usedAt === undefined ? 'not used yet' : html`used ${relative(isoTime(usedAt), nowMs)}`}</small>`;
  if (!isAtLeast(visitor.role, 'admin')) return html`${shown}${until}${used}`;
  const fields = { tenant: tenant.path, principal: buyer.id, key: name };
  const tomorrow = isoTime(nowMs + DAY_MS).slice(0, 10);
  const expire = html`<form method="post" action="${PATH}/keys/expire" class="inline">${csrfField(visitor)}${Object.entries(fields).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}<label><span class="unseen">Day from which ${name} of ${buyer.name} opens nothing</span><input type="date" name="expires_at" value="${tomorrow}" required></label><button class="quiet">Expire<span class="unseen"> ${name}</span></button></form>`;
  return html`${shown}${until}${used}<div class="row">${!hasExpired && expire}${buttonForm(visitor, { action: `${PATH}/keys/revoke`, label: 'Revoke', role: 'admin', look: 'danger', about: `${name} of ${buyer.name}`, fields })}</div>`;
}

function newKeyForm({ visitor }: Visit, { path, principals }: Tenant): Html {
  const listId = `buyers-of-${path.replaceAll('/', '-')}`;
  return html`<form method="post" action="${PATH}/keys/new" class="filters spaced">${csrfField(visitor)}<input type="hidden" name="tenant" value="${path}"><label class="field"><span>Buyer, one of these or a new one</span><input type="text" name="principal" list="${listId}" maxlength="128" required autocomplete="off"></label><datalist id="${listId}">${principals.map(({ id }) => html`<option value="${id}"></option>`)}</datalist><label><input type="checkbox" name="sandbox" value="yes"> A new buyer is a sandbox one</label><button>Make a key</button></form>`;
}
