import { html } from '../../../../platform/web/html.js';
import { CONSOLE_PATH } from '../../page/assets.js';

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

/** The links from each page of the registry to the others. */
export const REGISTRY_LINKS = html`<a class="button" href="${REGISTRY_PATH}">Overview</a><a class="button" href="${PUBLISHERS}">Publishers</a><a class="button" href="${ENTRIES}">Entries</a><a class="button" href="${MEMBERS}">Members</a><a class="button" href="${KEYS}">Keys</a><a class="button" href="${BLOCKS}">Blocks</a>`;
