import { describe, expect, test } from 'vitest';
import { readDates, withoutDates } from '../../../../../src/seller/domain/search/dates/dates.js';

/** A Monday. */
const NOW = Date.parse('2026-11-23T09:00:00Z');

/** Briefs and the days that they name. */
const NAMED: readonly (readonly [brief: string, start: string | undefined, end: string | undefined])[] = [
  ['Preroll in March, $20k', '2027-03-01', '2027-03-31'],
  ['Banners in December', '2026-12-01', '2026-12-31'],
  ['Banners this November', '2026-11-01', '2026-11-30'],
  ['From 1 to 15 December 2026, CTV', '2026-12-01', '2026-12-15'],
  ['1-15 December 2026', '2026-12-01', '2026-12-15'],
  ['between 1 and 15 December', '2026-12-01', '2026-12-15'],
  ['December 1-15, 2026, homepage', '2026-12-01', '2026-12-15'],
  ['December 20th to January 10th', '2026-12-20', '2027-01-10'],
  ['1 December 2026 – 15 January 2027', '2026-12-01', '2027-01-15'],
  ['2026-12-01 to 2026-12-15', '2026-12-01', '2026-12-15'],
  ['12/1/2026 to 12/31/2026 in the US', '2026-12-01', '2026-12-31'],
  ['13/12/2026 to 20/12/2026', '2026-12-13', '2026-12-20'],
  ['Podcasts for Q1 2027', '2027-01-01', '2027-03-31'],
  ['Podcasts for Q4', '2026-10-01', '2026-12-31'],
  ['in the first quarter of 2027', '2027-01-01', '2027-03-31'],
  ['H1 2027 sponsorship', '2027-01-01', '2027-06-30'],
  ['all through 2027? sport in 2027', '2027-01-01', '2027-12-31'],
  ['March to May 2027', '2027-03-01', '2027-05-31'],
  ['March and April 2027', '2027-03-01', '2027-04-30'],
  ['starting 1 March 2027', '2027-03-01', undefined],
  ['until 15 December 2026', undefined, '2026-12-15'],
  ['we may run a campaign in May', '2027-05-01', '2027-05-31'],
  ['Vom 1. bis 15. Dezember 2026 Fernsehen', '2026-12-01', '2026-12-15'],
  ['01.12.2026 bis 15.12.2026', '2026-12-01', '2026-12-15'],
  ['Banner im März', '2027-03-01', '2027-03-31'],
  ['Im 1. Quartal 2027', '2027-01-01', '2027-03-31'],
  ['Ab 1. März 2027', '2027-03-01', undefined],
  ['Del 1 al 15 de diciembre de 2026', '2026-12-01', '2026-12-15'],
  ['Video en marzo de 2027', '2027-03-01', '2027-03-31'],
  ['primer trimestre de 2027', '2027-01-01', '2027-03-31'],
  ['T1 2027', '2027-01-01', '2027-03-31'],
  ['Du 1er au 15 décembre 2026', '2026-12-01', '2026-12-15'],
  ['Bannières en août', '2027-08-01', '2027-08-31'],
  ["jusqu'au 15 décembre", undefined, '2026-12-15'],
  ['De 1 a 15 de dezembro de 2026', '2026-12-01', '2026-12-15'],
  ['Vídeo em março', '2027-03-01', '2027-03-31'],
  ['2026年12月1日から15日まで動画広告', '2026-12-01', '2026-12-15'],
  ['12月1日〜15日', '2026-12-01', '2026-12-15'],
  ['3月にポッドキャスト', '2027-03-01', '2027-03-31'],
  ['2027年第1四半期', '2027-01-01', '2027-03-31'],
  ['فيديو في مارس', '2027-03-01', '2027-03-31'],
  ['من 1 إلى 15 ديسمبر 2026', '2026-12-01', '2026-12-15'],
  ['الربع الأول 2027', '2027-01-01', '2027-03-31'],
  ['من ١ إلى ١٥ ديسمبر ٢٠٢٦', '2026-12-01', '2026-12-15'],
  ['Banners next month', '2026-12-01', '2026-12-31'],
  ['CTV next week', '2026-11-30', '2026-12-06'],
  ['podcasts this week', '2026-11-23', '2026-11-29'],
  ['next quarter, digital billboards', '2027-01-01', '2027-03-31'],
  ['this quarter', '2026-10-01', '2026-12-31'],
  ['video next year', '2027-01-01', '2027-12-31'],
  ['starting next week', '2026-11-30', undefined],
  ['starting tomorrow, native', '2026-11-24', undefined],
  ['for two weeks from Dec 1', '2026-12-01', '2026-12-14'],
  ['2 weeks starting December 1, 2026', '2026-12-01', '2026-12-14'],
  ['from 1 December for 14 days', '2026-12-01', '2026-12-14'],
  ['from December 1 for a month', '2026-12-01', '2026-12-31'],
  ['a four-week campaign starting 4 January', '2027-01-04', '2027-01-31'],
  ['a 6-week flight, preroll', '2026-11-24', '2027-01-04'],
  ['for ten sites, for three weeks', '2026-11-24', '2026-12-14'],
  ['over the next 30 days', '2026-11-24', '2026-12-23'],
  ['in the next two weeks', '2026-11-24', '2026-12-07'],
  ['now through December 20', undefined, '2026-12-20'],
  ['from next month until 15 January', '2026-12-01', '2027-01-15'],
  ['Banner im nächsten Monat', '2026-12-01', '2026-12-31'],
  ['nächste Woche Podcasts', '2026-11-30', '2026-12-06'],
  ['zwei Wochen ab 1. Dezember', '2026-12-01', '2026-12-14'],
  ['in den nächsten vier Wochen', '2026-11-24', '2026-12-21'],
  ['ab morgen für zwei Wochen', '2026-11-24', '2026-12-07'],
  ['video el mes que viene', '2026-12-01', '2026-12-31'],
  ['la próxima semana', '2026-11-30', '2026-12-06'],
  ['durante dos semanas desde el 1 de diciembre', '2026-12-01', '2026-12-14'],
  ['el próximo trimestre', '2027-01-01', '2027-03-31'],
  ['le mois prochain', '2026-12-01', '2026-12-31'],
  ['la semaine prochaine', '2026-11-30', '2026-12-06'],
  ['pendant deux semaines à partir du 1er décembre', '2026-12-01', '2026-12-14'],
  ['les deux prochaines semaines', '2026-11-24', '2026-12-07'],
  ['vídeo no mês que vem', '2026-12-01', '2026-12-31'],
  ['por duas semanas a partir de 1 de dezembro', '2026-12-01', '2026-12-14'],
  ['来月、動画広告', '2026-12-01', '2026-12-31'],
  ['来週から', '2026-11-30', undefined],
  ['12月1日から2週間', '2026-12-01', '2026-12-14'],
  ['来四半期に屋外広告', '2027-01-01', '2027-03-31'],
  ['فيديو الشهر القادم', '2026-12-01', '2026-12-31'],
  ['لمدة أسبوعين من 1 ديسمبر', '2026-12-01', '2026-12-14'],
];

/** Briefs whose dates can mean several things, have passed, or are none of a calendar. */
const UNCLEAR: readonly string[] = [
  '5/6/2027 to 7/6/2027',
  'in March or in May',
  'in March and in October',
  '1 and 15 December',
  'early March',
  'mid-March',
  'Ende März',
  'not in August',
  'before March',
  'avant mars 2027',
  'in March 2024',
  '31 February 2027',
  'early next month',
  'not next week',
  'in two weeks',
  'for two weeks in March',
  'for two weeks before Christmas',
  'next week or next month',
];

/** Briefs without dates. */
const UNDATED: readonly string[] = [
  'We may march on: video for people aged 18-24',
  'March Madness basketball, live sports',
  'Mars bars on television, $20,000',
  'Adults 25-54, budget 2027 dollars',
  'Marco Polo travel guides, 30 seconds',
  'no sports, at 10 to 15 CPM',
  'a 1 to 5 split of 300x250 and 728x90',
  'people who bought in the last 30 days',
  'USA Today and The Today Show',
  'Guten Morgen Deutschland, am Morgen',
  'por la mañana en la radio',
  'next-day delivery for groceries',
  'weekday mornings, day and night',
  'this year of sports',
  'two-week-old babies and three day events',
  '過去30日間に購入した人',
];

describe('the dates of a brief', () => {
  test.each(NAMED)('%s', (brief, start_date, end_date) => {
    const read = readDates(brief, NOW);
    if (start_date === undefined && end_date === undefined) expect(read?.unclear).toBeDefined();
    else expect(read).toEqual({ days: { start_date, end_date } });
  });

  test.each(UNCLEAR)('%s: are unclear', (brief) => {
    expect(readDates(brief, NOW)?.unclear).toBeDefined();
  });

  test.each(UNDATED)('%s: are not there', (brief) => {
    expect(readDates(brief, NOW)).toBeUndefined();
  });

  test('are taken out of what it is about', () => {
    expect(withoutDates('Podcasts vom 1. bis 15. Dezember 2026 für Läufer')).toBe('Podcasts vom   für Läufer');
  });
});
