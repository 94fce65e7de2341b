import type { Host } from '../host/host.js';
import { el, show } from '../view/dom.js';
import { badge, outwardLink } from '../view/parts.js';

/** A preview of one creative, as preview_creative has it. */
export type Preview = {
  readonly preview_id: string;
  readonly preview_url?: string;
  readonly preview_html?: string;
  readonly format_id?: { readonly id: string };
  readonly input?: { readonly name?: string };
  readonly renders?: readonly { readonly dimensions?: { readonly width: number; readonly height: number } }[];
};

/** Returns the card of a preview: the creative itself where its files come through the host, and a link to its page. */
export function previewCard(host: Host, preview: Preview): HTMLElement {
  const { format_id, input, preview_html, preview_url, renders = [] } = preview;
  const size = renders[0]?.dimensions;
  const box = el('div', { class: 'creative' }, el('p', { class: 'soft' }, 'Open the page to see it.'));
  if (preview_html !== undefined && host.canRead) void drawDocument(host, box, { html: preview_html, size });
  return el(
    'article',
    { class: 'card' },
    box,
    el('h2', {}, input?.name ?? format_id?.id ?? 'Creative'),
    el(
      'footer',
      {},
      el(
        'ul',
        { class: 'marks' },
        size === undefined ? undefined : el('li', {}, badge(`${size.width} × ${size.height}`)),
        format_id === undefined ? undefined : el('li', {}, badge(format_id.id)),
      ),
      preview_url === undefined ? undefined : outwardLink(host, 'Open', preview_url),
    ),
  );
}

/** The address of a file in the document of a preview. */
const FILE = /https?:\/\/[^"'\s)]+\/previews\/media\/([\w.-]+)/g;

type Drawing = {
  readonly html: string;
  readonly size: { readonly width: number; readonly height: number } | undefined;
};

/** Shows the document of a creative with its files in it, in a frame that may do nothing; its size is the creative's own, scaled to fit. */
async function drawDocument(host: Host, box: HTMLElement, { html, size }: Drawing): Promise<void> {
  const files = new Map<string, string>();
  for (const [, name = ''] of html.matchAll(FILE)) {
    const file = await host.readResource(`ui://seller-agent/media/${name}`).catch(() => undefined);
    if (file?.blob === undefined) return;
    files.set(name, `data:${file.mimeType};base64,${file.blob}`);
  }
  const { height = 250, width = 300 } = size ?? {};
  const frame = el('iframe', { title: 'Creative', sandbox: '', width, height, tabindex: -1 });
  frame.srcdoc = html.replaceAll(FILE, (_address, name: string) => files.get(name) ?? '');
  const scale = Math.min(1, box.clientWidth / width);
  frame.style.transform = `scale(${scale})`;
  box.style.height = `${height * scale}px`;
  show(box, frame);
}
