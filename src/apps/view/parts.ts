import type { Host } from '../host/host.js';
import type { ToolAnswer } from '../host/messages.js';
import { button, type Child, el } from './dom.js';

/** Returns the element that an app draws into. */
export function stage(): HTMLElement {
  return document.getElementById('app') ?? document.body;
}

/** Returns a short word in a box. */
export function badge(text: string, tone: 'good' | 'bad' | 'wait' | 'plain' = 'plain'): HTMLElement {
  return el('span', { class: `badge ${tone}` }, text);
}

/** Returns a remark that is read out when it comes; empty until then. */
export function remark(): HTMLElement {
  return el('p', { class: 'remark', role: 'status' });
}

/** Returns what a failed answer says of itself: what is wrong, and what to do instead. */
export function failureOf({ structuredContent = {} }: ToolAnswer): string {
  const { adcp_error, error, message } = structuredContent as Failure;
  const { message: why = 'The seller did not say why.', suggestion } = adcp_error ?? error ?? { message };
  return suggestion === undefined ? why : `${why} ${suggestion}`;
}

type Fault = { readonly message?: string; readonly suggestion?: string };
type Failure = { readonly adcp_error?: Fault; readonly error?: Fault; readonly message?: string };

/** Returns a page that only says something. */
export function notice(title: string, ...more: readonly Child[]): HTMLElement {
  return el(
    'section',
    { class: 'quiet' },
    el('h1', {}, title),
    more.length === 0 ? undefined : el('p', { class: 'lead' }, more),
  );
}

/** Returns a link that the host opens; where it opens none, the address to copy. */
export function outwardLink(host: Host, label: string, url: string): HTMLElement {
  if (!host.canOpenLinks) return el('span', { class: 'url' }, `${label}: ${url}`);
  return button(label, { class: 'ask small' }, () => void host.openLink(url));
}

/** Returns a list of names and values; what has no value is left out. */
export function factList(facts: readonly (readonly [name: string, value: string | undefined])[]): HTMLElement {
  return el(
    'dl',
    { class: 'facts' },
    facts.map(([name, value]) =>
      value === undefined ? undefined : el('div', {}, el('dt', {}, name), el('dd', {}, value)),
    ),
  );
}
