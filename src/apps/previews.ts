import { Host, type ToolArguments } from './host/host.js';
import type { ToolAnswer } from './host/messages.js';
import { hasDocuments, listEntries, type Previews, previewsIn, withDocuments } from './previews/answer.js';
import { failedCard, previewCard } from './previews/card.js';
import { MediaReader } from './previews/document.js';
import { el, show } from './view/dom.js';
import { failureOf, notice, outwardLink, stage } from './view/parts.js';
import { count, day, several } from './view/words.js';

let asked: ToolArguments = {};
const host = await Host.connect('Previews', {
  onInput: (args) => {
    asked = args;
  },
  onResult: (answer) => void page(answer),
  onCanceled: () => show(stage(), notice('The preview was canceled.')),
});

async function page(answer: ToolAnswer): Promise<void> {
  const previews = previewsIn(answer);
  if (previews === undefined) {
    show(stage(), notice('No preview', failureOf(answer)));
    return;
  }
  const { expires_at, interactive_url, share_url, sheet_url } = previews;
  const entries = listEntries(host.canRead ? await drawnOf(previews) : previews, asked);
  const failed = entries.filter((entry) => 'failed' in entry).length;
  const whole = sheet_url ?? interactive_url;
  const media = new MediaReader(host);
  const title = several(entries.length - failed, 'preview');
  show(
    stage(),
    el(
      'header',
      { class: 'top' },
      el('h1', {}, failed === 0 ? title : `${title}, ${count(failed)} failed`),
      expires_at === undefined ? undefined : el('p', { class: 'lead' }, `Available until ${day(expires_at)}`),
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
      entries.map((entry) =>
        'failed' in entry ? failedCard(entry.title, entry.failed) : previewCard(host, media, entry),
      ),
    ),
  );
}

/** Returns the previews with their documents: of an answer that has pages alone they are asked for. */
async function drawnOf(previews: Previews): Promise<Previews> {
  if (hasDocuments(previews)) return previews;
  const answer = await host.callTool('preview_creative', withDocuments(asked)).catch(() => undefined);
  return (answer && previewsIn(answer)) ?? previews;
}
