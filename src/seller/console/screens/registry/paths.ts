import { type Html, html } from '../../../../platform/web/html.js';
import { CONSOLE_PATH } from '../../page/assets.js';
import type { Visit } from '../../visit.js';

/** The screen of the registry, and the pages below it. */
export const REGISTRY_PATH = `${CONSOLE_PATH}/registry`;
export const MEMBERS = `${REGISTRY_PATH}/members`;
export const PUBLISHERS = `${REGISTRY_PATH}/publishers`;
export const REVIEWS = `${REGISTRY_PATH}/reviews`;
export const KEYS = `${REGISTRY_PATH}/keys`;
export const BLOCKS = `${REGISTRY_PATH}/blocks`;
export const ENTRIES = `${REGISTRY_PATH}/entries`;

/** Returns the page of an entry. */
export function entryPath(kind: string, domain: string): string {
  return `${ENTRIES}/${encodeURIComponent(kind)}/${encodeURIComponent(domain)}`;
}

/** Returns the page of an organization. */
export function organizationPath(id: string): string {
  return `${MEMBERS}/${encodeURIComponent(id)}`;
}

/** Returns the page of a publisher. */
export function publisherPath(domain: string): string {
  return `${PUBLISHERS}/${encodeURIComponent(domain)}`;
}

const PAGES = [
  [REGISTRY_PATH, 'Overview'],
  [PUBLISHERS, 'Publishers'],
  [ENTRIES, 'Entries'],
  [MEMBERS, 'Members'],
  [KEYS, 'Keys'],
  [BLOCKS, 'Blocks'],
] as const;

/** Returns the links from a page of the registry to the others, with the one that it is, or belongs to, marked. */
export function registryLinks({ path }: Pick<Visit, 'path'>): Html {
  const links = PAGES.map(([href, name]) => {
    if (href === path) return html`<a class="button" href="${href}" aria-current="page">${name}</a>`;
    const isWithin = href !== REGISTRY_PATH && path.startsWith(`${href}/`);
    return isWithin
      ? html`<a class="button" href="${href}" aria-current="true">${name}</a>`
      : html`<a class="button" href="${href}">${name}</a>`;
  });
  return html`<nav class="actions" aria-label="Registry">${links}</nav>`;
}
