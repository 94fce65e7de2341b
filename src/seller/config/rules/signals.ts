import { findNearest, quoteNames } from '../../../platform/kernel/nearest.js';
import {
  type Draft,
  draftAt,
  draftsAt,
  isDraft,
  type Located,
  type Report,
  type Rule,
  reportDuplicates,
  stringsAt,
  textAt,
} from '../draft.js';

/** Checks several fields together: signals and their destinations. */
export const SIGNAL_RULES: readonly Rule[] = [
  signalsAgentsHaveSignals,
  signalsAreForSignalsAgents,
  signalsAreDistinct,
  provenanceIsGiven,
  valuesFitTheirType,
  accessNamesPrincipals,
];

/** Reports what is not wrong about signals, but hardly meant. */
export const SIGNAL_REMARKS: readonly Rule[] = [pricesAreThere, somebodyIsCovered, checkPlatforms];

function isSignalsAgent(draft: Draft): boolean {
  return stringsAt(draft, 'kinds').some(({ value }) => value === 'signals');
}

function signalsAgentsHaveSignals(draft: Draft, report: Report): void {
  const signals = draft.signals ?? [];
  if (!isSignalsAgent(draft) || !Array.isArray(signals) || signals.length > 0) return;
  report(['signals'], 'a signals agent without signals has nothing to offer', 'Add at least one signal to "signals".');
}

function signalsAreForSignalsAgents(draft: Draft, report: Report): void {
  if (isSignalsAgent(draft)) return;
  for (const key of ['signals', 'destinations']) {
    if (draft[key] === undefined) continue;
    const fix = `Move "${key}" to the file of a signals agent, or add "signals" to "kinds".`;
    report([key], 'only a signals agent offers signals, so nobody would ever see this', fix);
  }
}

function signalsAreDistinct(draft: Draft, report: Report): void {
  const signals = draftsAt(draft, 'signals');
  reportDuplicates(signals, 'signal_agent_segment_id', report);
  reportDuplicates(draftsAt(draftAt(draft, 'destinations'), 'platforms', ['destinations']), 'platform', report);
  const published = new Map<string, boolean>();
  for (const { path, draft: signal } of signals) {
    reportDuplicates(draftsAt(signal, 'pricing_options', path), 'pricing_option_id', report);
    const given = textAt(signal, 'signal_id');
    const id = given ?? textAt(signal, 'signal_agent_segment_id');
    if (id === undefined) continue;
    const name = `${textAt(signal, 'data_provider_domain') ?? ''} ${id}`;
    const earlier = published.get(name);
    // Two that have none of their own are reported for their signal_agent_segment_id.
    if (earlier === true || (earlier === false && given !== undefined)) {
      const fix = 'Give this one the id that it has in the catalog of its provider.';
      report([...path, 'signal_id'], `"${id}" is another signal of the same provider`, fix);
    }
    published.set(name, given !== undefined);
  }
}

function provenanceIsGiven(draft: Draft, report: Report): void {
  for (const { path, draft: signal } of draftsAt(draft, 'signals')) {
    if (signal.signal_type === 'marketplace') {
      for (const key of ['data_provider', 'data_provider_domain']) {
        if (signal[key] !== undefined) continue;
        const fix = `Add "${key}", or make it an "owned" or "custom" signal.`;
        report([...path, key], 'a marketplace signal says whose data it resells', fix);
      }
    }
    if (signal.signal_type === 'custom' && signal.data_provider_domain !== undefined) {
      const fix = 'Remove "data_provider_domain", or make it a "marketplace" signal.';
      report([...path, 'data_provider_domain'], 'a signal that is made to order stands in no catalog', fix);
    }
  }
}

/** The members that one type of values has and no other. */
const VALUES = { categories: 'categorical', range: 'numeric' } as const;

function valuesFitTheirType(draft: Draft, report: Report): void {
  for (const { path, draft: signal } of draftsAt(draft, 'signals')) {
    const type = signal.value_type ?? 'binary';
    for (const [key, wanted] of Object.entries(VALUES)) {
      if (type === wanted && signal[key] === undefined)
        report([...path, key], `a ${wanted} signal has "${key}"`, `Add "${key}", or change "value_type".`);
      if (type !== wanted && signal[key] !== undefined)
        report([...path, key], `only a ${wanted} signal has "${key}"`, `Set "value_type": "${wanted}", or remove it.`);
    }
    const { min, max } = draftAt(signal, 'range');
    if (Number(min) > Number(max))
      report([...path, 'range', 'max'], 'max is below min', 'Raise max or lower min of the range.');
  }
}

function accessNamesPrincipals(draft: Draft, report: Report): void {
  const ids = draftsAt(draft, 'principals').flatMap((entry) => textAt(entry.draft, 'id') ?? []);
  for (const { path, draft: access } of listAccesses(draft)) {
    for (const { index, value } of stringsAt(access, 'principals')) {
      if (ids.includes(value)) continue;
      const meant = findNearest(value, ids);
      const fix = meant === undefined ? `Use one of: ${quoteNames(ids)}.` : `Did you mean "${meant}"?`;
      report([...path, 'principals', index], `there is no principal "${value}"`, fix);
    }
  }
}

/** Returns the `access` of every signal that has one. */
function listAccesses(draft: Draft): readonly Located[] {
  return draftsAt(draft, 'signals').flatMap(({ path, draft: signal }) =>
    isDraft(signal.access) ? [{ path: [...path, 'access'], draft: signal.access }] : [],
  );
}

function pricesAreThere(draft: Draft, report: Report): void {
  for (const { path, draft: signal } of draftsAt(draft, 'signals')) {
    const prices = signal.pricing_options ?? [];
    if (!Array.isArray(prices) || prices.length > 0) continue;
    const fix = 'Add "pricing_options", or leave it so if the signal is part of the media that you sell.';
    report([...path, 'pricing_options'], 'the signal has no price, and buyers of 3.0 cannot see it', fix);
  }
}

function somebodyIsCovered(draft: Draft, report: Report): void {
  for (const { path, draft: signal } of draftsAt(draft, 'signals')) {
    if (signal.coverage_percentage !== 0) continue;
    const fix = 'Set "coverage_percentage" to what it covers, or remove the signal.';
    report([...path, 'coverage_percentage'], 'the signal covers nobody', fix);
  }
}

function checkPlatforms(draft: Draft, report: Report): void {
  const platforms = draftsAt(draftAt(draft, 'destinations'), 'platforms');
  const names = platforms.flatMap((entry) => textAt(entry.draft, 'platform') ?? []);
  for (const { path, draft: access } of listAccesses(draft)) {
    for (const { index, value } of stringsAt(access, 'platforms')) {
      if (names.includes(value)) continue;
      const meant = findNearest(value, names);
      const fix =
        meant === undefined
          ? `Add it to "destinations", or use one of: ${quoteNames(names)}.`
          : `Did you mean "${meant}"? Otherwise add it to "destinations".`;
      report([...path, 'platforms', index], `there is no platform "${value}" in "destinations"`, fix);
    }
  }
}
