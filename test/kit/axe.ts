import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules about pages, which documents in frames are not. */
const OF_PAGES = ['landmark-one-main', 'page-has-heading-one', 'region'];

/** What axe-core finds wrong in a page or frame: the rule and the elements, each as one line; frames within are judged by themselves. */
export async function listAxeFaults(page: Page | Frame): Promise<readonly string[]> {
  await page.evaluate(SOURCE);
  const isFramed = 'parentFrame' in page && page.parentFrame() !== null;
  const rules = Object.fromEntries(OF_PAGES.map((rule) => [rule, { enabled: !isFramed }]));
  return page.evaluate<
    readonly string[]
  >(`axe.run(document, { iframes: false, resultTypes: ['violations'], rules: ${JSON.stringify(rules)} })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`);
}
