import { type Html, html, pageText, raw } from '../../../platform/web/html.js';
import { pageStyle } from '../../../platform/web/page-style.js';
import type { AgentFinding, Assessment } from '../assess.js';
import type { BadgeForecast } from '../storyboards.js';
import { assessmentSummary, byWeight } from './text.js';

const SEVERITY_TITLES = { error: 'Breaks a rule', warning: 'To look at', note: 'Worth knowing' } as const;

/** Returns a report as one page that can be sent on: it loads nothing, and runs nothing. */
export function assessmentPage(assessment: Assessment): string {
  const { agent, badge, checks, findings, isCut, url } = assessment;
  const title = `${agent.name ?? 'An agent'}, seen from outside`;
  return pageText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${raw(pageStyle('registry'))}.label { width: 7em; overflow-wrap: normal; }</style></head>
<body><main><h1>${title}</h1>
<p><code>${url}</code>: ${assessmentSummary(assessment)}${isCut && ' A bound was reached, and the rest was not asked.'}</p>
${agentTable(agent)}
<section><h2>Findings</h2>${findings.length === 0 && html`<p>None: the agent keeps to every rule that it was judged by.</p>`}${byWeight(findings).map(findingCard)}</section>
${forecastSection(badge)}
<section><h2>Checks</h2><table>${checks.map(
    ({ check, status, why }) => html`<tr><td><code>${check}</code></td><td>${status}</td><td>${why}</td></tr>`,
  )}</table></section>
</main></body></html>
`);
}

function agentTable({ protocols, releases, specialisms, tools, version }: Assessment['agent']): Html {
  const rows = [
    ['Version', version ?? ''],
    ['Releases', releases.join(', ')],
    ['Protocols', protocols.join(', ')],
    ['Specialisms', specialisms.join(', ')],
    ['Tasks', tools.join(', ')],
  ].filter(([, value]) => value !== '');
  return html`<table>${rows.map(([name, value]) => html`<tr><td class="label">${name}</td><td>${value}</td></tr>`)}</table>`;
}

function findingCard({ check, fix, reference, rule, seen, severity }: AgentFinding): Html {
  return html`<article id="${check}"><h3><b>${SEVERITY_TITLES[severity]}</b> <code>${check}</code></h3>
<p>${rule} <span class="who"><a href="${reference.url}">${reference.name}</a></span></p>
${seen.map((line) => html`<p>Seen: ${line}</p>`)}
<p>To mend it: ${fix}</p></article>`;
}

function forecastSection({ isPossible, storyboards }: BadgeForecast): Html {
  const says = isPossible
    ? 'Nothing was seen against the public badge. What is open may fail there still.'
    : 'The public badge would not be earned as it is.';
  return html`<section><h2>Outlook of the public suite</h2><p>${says}</p><table>${storyboards.map(
    ({ outcome, specialism, storyboard, why }) =>
      html`<tr><td><code>${storyboard}</code></td><td>${specialism !== undefined && 'claimed'}</td><td>${outcome}</td><td>${why}</td></tr>`,
  )}</table></section>`;
}
