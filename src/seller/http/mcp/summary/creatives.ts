import { describeMore, type Step, type Summary } from './outcomes.js';
import {
  amountText,
  countNoun,
  dayText,
  type Facts,
  idText,
  joinParts,
  listOf,
  nameSome,
  objectOf,
  oneLine,
  quoteText,
  rowsOf,
  urlText,
  valuesOf,
} from './words.js';

/** Returns the formats that creatives may have. */
export function describeFormats(answer: Facts): Summary {
  const formats = listOf(answer, 'formats');
  return {
    lines: [
      `Found ${countNoun(formats.length, 'format')}.`,
      ...rowsOf(formats, (format) => {
        const required = listOf(format, 'assets').filter(({ required }) => required === true);
        const assets = nameSome(required.map(({ asset_id }) => asset_id));
        return joinParts([`${formatText(format)} ${quoteText(format.name)}`, assets === '' ? '' : `needs ${assets}`]);
      }),
      describeMore(answer),
    ],
    steps: [
      ['build_creative', 'with a message and the target_format_id as it is above, agent_url and id'],
      ['sync_creatives', 'with creatives that name a format_id as it is above, agent_url and id'],
    ],
  };
}

function formatText(from: Facts): string {
  return idText(objectOf(from, 'format_id').id);
}

/** Returns the creatives of a library. */
export function describeLibrary(answer: Facts): Summary {
  const creatives = listOf(answer, 'creatives');
  const { total_matching: total } = objectOf(answer, 'query_summary');
  const isEmpty = creatives.length === 0;
  return {
    lines: [
      isEmpty
        ? 'No creatives.'
        : `${countNoun(typeof total === 'number' ? total : creatives.length, 'creative')} in the library.`,
      ...rowsOf(creatives, (each) =>
        joinParts([`${idText(each.creative_id)} ${quoteText(each.name)}`, formatText(each), idText(each.status)]),
      ),
      describeMore(answer),
    ],
    steps: isEmpty ? [SEND] : [['preview_creative', 'to look at one'], ASSIGN],
  };
}

const SEND: Step = ['sync_creatives', 'with creatives and a fresh idempotency_key'];
const ASSIGN: Step = ['sync_creatives', 'with assignments, to run them in packages of a media buy'];

/** Returns what became of each creative that was sent, the failed ones first. */
export function describeSync(answer: Facts): Summary {
  const creatives = listOf(answer, 'creatives');
  const failed = creatives.filter(({ action }) => action === 'failed');
  const rows = [...failed, ...creatives.filter(({ action }) => action !== 'failed')];
  const done = countNoun(creatives.length - failed.length, 'creative');
  return {
    lines: [
      answer.dry_run === true ? `A dry run: ${done} would be taken.` : `${done} taken.`,
      failed.length === 0 ? '' : `${failed.length} failed.`,
      ...rowsOf(rows, describeSynced),
    ],
    steps:
      failed.length > 0
        ? [['sync_creatives', 'again with those that failed, corrected, and a fresh idempotency_key']]
        : [['list_creatives', 'to see how each is reviewed and where it runs']],
  };
}

function describeSynced(each: Facts): string {
  const [error] = listOf(each, 'errors');
  const [warning] = valuesOf(each, 'warnings');
  const remark = error?.message ?? warning;
  return joinParts([
    `${idText(each.creative_id)} ${idText(each.action)}`,
    idText(each.status),
    typeof remark === 'string' ? oneLine(remark, 160) : '',
  ]);
}

/** Returns what was built, what it cost, and until when it is kept. */
export function describeBuild(answer: Facts): Summary {
  const variants = listOf(answer, 'creatives').flatMap((each) => listOf(each, 'variants'));
  const manifests = [
    objectOf(answer, 'creative_manifest'),
    ...listOf(answer, 'creative_manifests'),
    ...variants.map((each) => objectOf(each, 'creative_manifest')),
  ].filter((manifest) => manifest.format_id !== undefined);
  const ids = [answer, ...variants].flatMap((each) => each.build_variant_id ?? []);
  const until = dayText(answer.expires_at);
  const cost = amountText(answer.vendor_cost, answer.currency);
  return {
    lines: [
      `Built ${countNoun(manifests.length, 'creative')} in ${nameSome([...new Set(manifests.map(formatText))])}.`,
      cost === '' ? '' : `Cost: ${cost}.`,
      ids.length === 0 ? '' : `build_variant_id ${nameSome(ids)}${until === '' ? '' : `, kept until ${until}`}.`,
    ],
    steps: [
      ['preview_creative', 'with the creative_manifest, to look at it; build_creative with a message changes it'],
      SEND,
    ],
  };
}

/** Returns where previews can be looked at. */
export function describePreviews(answer: Facts): Summary {
  const previews = listOf(answer, 'previews');
  const failed = listOf(answer, 'results').filter(({ success }) => success === false);
  const all = urlText(answer.sheet_url) || urlText(answer.interactive_url);
  const until = dayText(answer.expires_at);
  return {
    lines: [
      `Made ${countNoun(previews.length, 'preview')}${until === '' ? '' : `, kept until ${until}`}.`,
      failed.length === 0 ? '' : `${countNoun(failed.length, 'creative')} could not be drawn; results says why.`,
      all === '' ? '' : `To look at: ${all}`,
    ],
    steps: [SEND, ['build_creative', 'with a message, to change it']],
    advice: 'Show the address to the person you work for.',
  };
}
