import { Host, type ToolArguments } from './host/host.js';
import type { ToolAnswer } from './host/messages.js';
import { type Preview, previewCard } from './previews/card.js';
import { el, show } from './view/dom.js';
import { failureOf, notice, outwardLink, stage } from './view/parts.js';
import { day, several } from './view/words.js';

/** What preview_creative answers, as far as it is shown. */
type Previews = {
  readonly previews?: readonly Preview[];
  readonly interactive_url?: string;
  readonly sheet_url?: string;
  readonly share_url?: string;
  readonly expires_at?: string;
};

let asked: ToolArguments = {};
const host = await Host.connect('Previews', {
  onInput: (args) => {
    asked = args;
  },
  onResult: (answer) => void page(answer),
  onCanceled: () => show(stage(), notice('The preview was canceled.')),
});

async function page(answer: ToolAnswer): Promise<void> {
  if (answer.isError === true) {
    show(stage(), notice('No preview', failureOf(answer)));
    return;
  }
  const {
    expires_at,
    interactive_url,
    previews = [],
    share_url,
    sheet_url,
  } = (answer.structuredContent ?? {}) as Previews;
  const documents = host.canRead ? await documentsOf(previews) : previews;
  const whole = sheet_url ?? interactive_url;
  show(
    stage(),
    el(
      'header',
      { class: 'top' },
      el('h1', {}, several(previews.length, 'preview')),
      expires_at === undefined ? undefined : el('p', { class: 'lead' }, `Kept until ${day(expires_at)}`),
      el(
        'div',
        { class: 'row after' },
        whole === undefined ? undefined : outwardLink(host, 'Open the page', whole),
        share_url === undefined ? undefined : outwardLink(host, 'Link to send on', share_url),
      ),
    ),
    el(
      'div',
      { class: 'cards' },
      documents.map((preview) => previewCard(host, preview)),
    ),
  );
}

/** Returns the previews with their documents: of an answer that has pages alone they are asked for. */
async function documentsOf(previews: readonly Preview[]): Promise<readonly Preview[]> {
  if (previews.every(({ preview_html }) => preview_html !== undefined)) return previews;
  const answer = await host.callTool('preview_creative', { ...asked, output_format: 'both' }).catch(() => undefined);
  const found = (answer?.structuredContent as Previews | undefined)?.previews;
  return answer?.isError === true || found === undefined ? previews : found;
}
