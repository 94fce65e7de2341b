import type { Host } from '../host/host.js';
import { el, show } from '../view/dom.js';
import { badge, outwardLink } from '../view/parts.js';
import { type Box, boxOf, type MediaReader, withMedia } from './document.js';

/** A preview of one creative, as preview_creative has it. */
export type Preview = {
  readonly preview_id: string;
  readonly preview_url?: string;
  readonly preview_html?: string;
  readonly input?: { readonly name?: string };
  readonly renders?: readonly { readonly dimensions?: { readonly width: number; readonly height: number } }[];
};

/** A preview to show: its title, and the format of its creative as far as the call named it. */
export type Shown = { readonly preview: Preview; readonly title: string; readonly format: string | undefined };

/** Returns the card of a preview: the creative itself where its files come through the host, and a link to its page. */
export function previewCard(host: Host, media: MediaReader, { format, preview, title }: Shown): HTMLElement {
  const { preview_html: html, preview_url, renders = [] } = preview;
  const size = renders[0]?.dimensions;
  const area = el('div', { class: 'creative' }, el('p', { class: 'soft' }, 'Open the page to see it.'));
  if (html !== undefined && host.canRead) void drawDocument(area, media, { html, title, box: size ?? boxOf(html) });
  return el(
    'article',
    { class: 'card' },
    area,
    el('h2', {}, title),
    el(
      'footer',
      {},
      el(
        'ul',
        { class: 'marks' },
        size === undefined ? undefined : el('li', {}, badge(`${size.width} × ${size.height}`)),
        format === undefined || format === title ? undefined : el('li', {}, badge(format)),
      ),
      preview_url === undefined ? undefined : outwardLink(host, 'Open', preview_url),
    ),
  );
}

/** Returns the card of a creative of a batch that could not be shown, with what is wrong with it. */
export function failedCard(title: string, why: string): HTMLElement {
  return el(
    'article',
    { class: 'card' },
    el('h2', {}, title),
    el('p', { class: 'text' }, why),
    el('footer', {}, badge('No preview', 'bad')),
  );
}

type Drawing = { readonly html: string; readonly title: string; readonly box: Box };

/** Shows the document of a creative with its files in it, in a frame that may run nothing; its size is the creative's own, scaled to fit. */
async function drawDocument(area: HTMLElement, media: MediaReader, { box, html, title }: Drawing): Promise<void> {
  const { height, isPlayer = false, width } = box;
  const text = await withMedia(html, media);
  if (text === undefined) return;
  // A picture has nothing to be reached by the keyboard, a player has.
  const tabindex = isPlayer ? undefined : -1;
  const frame = el('iframe', { title: `Creative: ${title}`, sandbox: '', width, height, tabindex });
  frame.srcdoc = text;
  const resize = (): void => {
    const scale = Math.min(1, area.clientWidth / width);
    frame.style.transform = `scale(${scale})`;
    frame.style.marginLeft = `${(area.clientWidth - width * scale) / 2}px`;
    area.style.height = `${height * scale}px`;
  };
  show(area, frame);
  resize();
  new ResizeObserver(resize).observe(area);
}
