import { type Html, html, pageText, raw } from '../../../platform/web/html.js';
import { pluralize } from '../../../platform/web/humanize.js';
import { pageStyle } from '../../../platform/web/page-style.js';
import type { AgentFinding, Assessment } from '../assess.js';
import type { Severity } from '../check.js';
import type { BadgeForecast } from '../storyboards.js';
import { assessmentSummary, byWeight, skippedByReason } from './text.js';

type Group = { readonly title: string; readonly noun: string };

/** The groups of findings, those that weigh most first. */
const GROUPS: Readonly<Record<Severity, Group>> = {
  error: { title: 'Breaks a rule', noun: 'error' },
  warning: { title: 'To look at', noun: 'warning' },
  note: { title: 'Worth knowing', noun: 'note' },
};
const SEVERITIES = ['error', 'warning', 'note'] as const satisfies readonly Severity[];

/** Returns a report as one page that can be sent on: it loads nothing, and runs nothing. What matters is at its top, and the rest unfolds. */
export function assessmentPage(assessment: Assessment): string {
  const { agent, badge, findings, isCut, url } = assessment;
  const title = `${agent.name ?? 'An agent'}, seen from outside`;
  return pageText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(pageStyle('doctor'))}</style></head>
<body><main><h1>${title}</h1>
<p><code>${url}</code></p>
${verdictBanner(assessment)}
<p class="quiet">${assessmentSummary(assessment)}${isCut && ' A bound was reached, and the rest was not asked.'}</p>
${findings.length > 1 && drawContents(findings)}
${SEVERITIES.map((severity) => findingGroup(severity, findings))}
${forecastSection(badge)}
${checkSection(assessment)}
${agentSection(agent)}
</main></body></html>
`);
}

/** Returns the verdict in a sentence, and how many findings of each weight there are, each count a link to its group. */
function verdictBanner({ findings }: Assessment): Html {
  const worst = SEVERITIES.find((severity) => findings.some((finding) => finding.severity === severity));
  const isSilent = findings.some(({ check }) => check === 'reach.answers');
  const counts = SEVERITIES.map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  })).filter(({ count }) => count > 0);
  return html`<p class="verdict ${worst === undefined || worst === 'note' ? 'sound' : worst}">${verdictOf(worst, isSilent)}</p>
<ul class="counts">${counts.map(
    ({ count, severity }) =>
      html`<li class="${severity}"><a href="#${severity}s">${pluralize(count, GROUPS[severity].noun)}</a></li>`,
  )}</ul>`;
}

function verdictOf(worst: Severity | undefined, isSilent: boolean): string {
  if (isSilent) return 'The agent cannot be reached, so that little could be judged.';
  if (worst === 'error') return 'The agent breaks rules of the protocol.';
  if (worst === 'warning') return 'The agent keeps to the rules, and does not follow all recommendations.';
  return 'The agent keeps to every rule that it was judged by.';
}

function drawContents(findings: readonly AgentFinding[]): Html {
  return html`<nav aria-label="Findings"><ul class="list">${byWeight(findings).map(
    ({ check, severity }) => html`<li class="${severity}"><a href="#${check}">${check}</a></li>`,
  )}</ul></nav>`;
}

function findingGroup(severity: Severity, findings: readonly AgentFinding[]): Html | false {
  const own = findings.filter((finding) => finding.severity === severity);
  if (own.length === 0) return false;
  return html`<section id="${severity}s" class="${severity}"><h2 class="weight">${GROUPS[severity].title} (${own.length})</h2>${own.map(findingCard)}</section>`;
}

function findingCard({ check, fix, reference, rule, seen }: AgentFinding): Html {
  return html`<article id="${check}"><h3><code>${check}</code></h3>
<ul>${seen.map((line) => html`<li>${line}</li>`)}</ul>
<p class="fix">To mend it: ${fix}</p>
<p class="quiet">The rule: ${rule} <a href="${reference.url}">${reference.name}</a></p></article>`;
}

function forecastSection({ isPossible, storyboards }: BadgeForecast): Html {
  const says = isPossible
    ? 'Nothing was seen against the public badge. What is open may fail there still.'
    : 'The public badge would not be earned as it is.';
  const table = html`<table>${storyboards.map(
    ({ outcome, specialism, storyboard, why }) =>
      html`<tr><td><code>${storyboard}</code></td><td>${specialism !== undefined && 'claimed'}</td><td>${outcome}</td><td>${why}</td></tr>`,
  )}</table>`;
  return html`<section><h2>Outlook of the public suite</h2><p>${says}</p>${
    storyboards.length > 0 &&
    html`<details><summary>${pluralize(storyboards.length, 'storyboard')}</summary>${table}</details>`
  }</section>`;
}

function checkSection({ checks }: Assessment): Html {
  const passed = checks.filter(({ status }) => status === 'ok').map(({ check }) => check);
  const skipped = checks.filter(({ status }) => status === 'skipped');
  return html`<section><h2>Checks</h2>
<details><summary>${passed.length} passed</summary><p class="quiet">${passed.join(', ')}</p></details>
<details><summary>${skipped.length} not asked</summary><table>${skippedByReason(skipped).map(
    ([why, names]) => html`<tr><td>${why}</td><td>${names.join(', ')}</td></tr>`,
  )}</table></details></section>`;
}

function agentSection({ protocols, releases, specialisms, tools, version }: Assessment['agent']): Html | false {
  const rows = [
    ['Version', version ?? ''],
    ['Releases', releases.join(', ')],
    ['Protocols', protocols.join(', ')],
    ['Specialisms', specialisms.join(', ')],
    ['Tasks', tools.join(', ')],
  ].filter(([, value]) => value !== '');
  if (rows.length === 0) return false;
  return html`<section><h2>The agent</h2><table>${rows.map(
    ([name, value]) => html`<tr><td class="label">${name}</td><td>${value}</td></tr>`,
  )}</table></section>`;
}
