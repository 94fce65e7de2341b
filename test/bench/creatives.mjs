/** What the creative tenant is asked: workloads as in calls.mjs, made for a target, whose address stands in every format id. */
import { randomUUID } from 'node:crypto';
import { toolCall } from './calls.mjs';

const sizes = ['300x250', '728x90', '320x50', '160x600', '336x280', '300x600'];
const twelveFormats = sizes.flatMap((size) => [`display_${size}_image`, `display_${size}_html`]);

const formatId = (target, id) => ({ agent_url: `${target.origin}/creative/mcp`, id });

/** A workload whose every call has other arguments; `args()` answers them. */
function everAnew(name, args, accept) {
  return { body: () => toolCall(name, args()).body(), accept };
}

/** The markup of a banner, unlike any other by its offer. */
function banner(offer) {
  return `<!doctype html><html><head><style>
body{margin:0;width:300px;height:250px;font:16px/1.4 sans-serif;background:#1b4332;color:#fff}
main{padding:20px}h1{margin:0 0 8px;font-size:26px}
a{display:inline-block;margin-top:14px;padding:9px 16px;border-radius:6px;background:#f4a259;color:#16202c;text-decoration:none}
</style></head><body><main><h1>Trail running shoes</h1><p>Spring sale, offer ${offer}: light, dry and sure-footed on every
trail from the first step to the last mile. Free shipping and thirty days to change your mind.</p>
<a href="{CLICK_URL}">Shop now</a></main></body></html>`;
}

/** One preview of a banner: the arguments of a single call, or of one in a batch. */
function previewOf(target, offer) {
  const format = formatId(target, 'display_300x250_html');
  return {
    format_id: format,
    creative_manifest: {
      format_id: format,
      assets: { html_creative: { asset_type: 'html', content: banner(offer) } },
    },
  };
}

/** True when the answer has this many previews, each with the field. */
function shows(count, field) {
  return ({ result }) => {
    const previews = result.structuredContent?.previews;
    return previews?.length === count && previews.every((preview) => typeof preview[field] === 'string');
  };
}

/** The list of twelve formats. */
export function listTwelveFormats(target) {
  return {
    ...toolCall('list_creative_formats', { format_ids: twelveFormats.map((id) => formatId(target, id)) }),
    accept: ({ result }) => result.structuredContent?.formats?.length === twelveFormats.length,
  };
}

/** Single previews as markup, each of a manifest that was never seen before. */
export function previewHtml(target) {
  const args = () => ({ request_type: 'single', output_format: 'html', ...previewOf(target, randomUUID()) });
  return everAnew('preview_creative', args, shows(1, 'preview_html'));
}

/** Returns the call of a single preview as markup, again and again. */
export function previewAgain(target) {
  const args = { request_type: 'single', output_format: 'html', ...previewOf(target, randomUUID()) };
  return { ...toolCall('preview_creative', args), accept: shows(1, 'preview_html') };
}

/** Single previews as addresses, each of another manifest. */
export function previewUrl(target) {
  const args = () => ({ request_type: 'single', output_format: 'url', ...previewOf(target, randomUUID()) });
  return everAnew('preview_creative', args, shows(1, 'preview_url'));
}

/** Batches of `count` previews as addresses (`url`) or as markup (`html`), each of another manifest. */
export function previewBatch(target, count, output_format) {
  const requests = () => Array.from({ length: count }, () => previewOf(target, randomUUID()));
  const args = () => ({ request_type: 'batch', output_format, requests: requests() });
  return everAnew('preview_creative', args, shows(count, `preview_${output_format}`));
}

/** Builds a banner as a picture, each from another message; the brand comes along, so that nothing is fetched. */
export function buildPicture(target) {
  const colors = { primary: '#1b4332', secondary: '#f4a259' };
  const args = () => ({
    message: `Spring sale ${randomUUID().slice(0, 8)}: 20% off trail running shoes`,
    creative_manifest: {
      assets: { promoted_offerings: { brand_manifest: { name: 'Acme Outdoor', colors }, inline_offerings: [] } },
    },
    target_format_id: formatId(target, 'display_300x250_image'),
  });
  return everAnew('build_creative', args, ({ result }) => result.structuredContent?.creative_manifest !== undefined);
}
