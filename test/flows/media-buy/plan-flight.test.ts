import { describe, expect, test } from 'vitest';
import { boot } from '../../kit/boot.js';
import { createRequest, KIT_TOKEN, succeeded } from '../../kit/buyer.js';

const ACCOUNT = { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' };
const BRIEF = 'Homepage takeover and preroll video on news, $70,000';
const WEEK = { start_date: '2030-03-01', end_date: '2030-03-07' };

type Proposal = {
  readonly proposal_id: string;
  readonly total_budget_guidance: { readonly max?: number; readonly recommended?: number };
  readonly allocations: readonly { readonly product_id: string; readonly start_time?: string }[];
  readonly forecast: { readonly points: readonly unknown[] };
};
type Planned = {
  readonly message?: string;
  readonly products: readonly { readonly product_id: string }[];
  readonly proposals?: readonly Proposal[];
  readonly refinement_applied?: readonly { readonly status?: string; readonly notes?: string }[];
};

async function open() {
  const server = await boot();
  const ask = async (args: object): Promise<Planned> =>
    succeeded(
      await server.call('get_products', { account: ACCOUNT, ...args }, { token: KIT_TOKEN }),
    ) as unknown as Planned;
  const plan = (brief: string, filters?: object) => ask({ buying_mode: 'brief', brief, filters });
  const refine = (entry: object) => ask({ buying_mode: 'refine', refine: [{ scope: 'proposal', ...entry }] });
  return { ...server, ask, plan, refine };
}

const first = ({ proposals }: Planned): Proposal => {
  const [one] = proposals ?? [];
  if (one === undefined) throw new Error('no proposal');
  return one;
};

describe('the flight of a plan', () => {
  test('stays with a refinement that names no dates, and so do its places', async () => {
    const canada = { ...WEEK, countries: ['CA'] };
    for (const filters of [WEEK, canada]) {
      const { plan, refine } = await open();
      const { proposals = [] } = await plan(BRIEF, filters);
      expect(proposals.length).toBeGreaterThan(1);
      for (const { proposal_id, total_budget_guidance: guidance, forecast } of proposals.slice(0, 2)) {
        const same = first(await refine({ proposal_id, ask: `budget to $${guidance.recommended}` }));
        expect(same.forecast.points).toEqual(forecast.points);
        expect(same.total_budget_guidance).toEqual(guidance);
      }
      const { proposal_id } = proposals[1] ?? { proposal_id: '' };
      const done = await refine({ proposal_id, action: 'finalize' });
      expect(done.refinement_applied?.[0]?.notes).toContain('from 2030-03-01T00:00:00Z to 2030-03-08T00:00:00Z');
    }
  });

  test('is what is left of it once it has begun', async () => {
    const { plan, refine, clock } = await open();
    const { proposal_id } = first(await plan(BRIEF, { start_date: '2030-01-02', end_date: '2030-01-07' }));
    clock.advance(3 * 86_400_000);
    const done = await refine({ proposal_id, action: 'finalize' });
    expect(done.refinement_applied?.[0]?.notes).toMatch(/from 2030-01-0[456]T00:00:00Z to 2030-01-08T00:00:00Z/);
  });

  test('is the one that the brief names, in words', async () => {
    const { plan, refine } = await open();
    const asked = await plan(`${BRIEF}, vom 1. bis 7. März 2030`);
    expect(asked.message).toContain(
      'Flight, as the brief says: 2030-03-01 to 2030-03-07. As the brief says: a budget of ',
    );
    const filtered = await plan(BRIEF, WEEK);
    expect(first(asked).forecast.points).toEqual(first(filtered).forecast.points);
    const done = await refine({ proposal_id: first(asked).proposal_id, action: 'finalize' });
    expect(done.refinement_applied?.[0]?.notes).toContain('from 2030-03-01T00:00:00Z to 2030-03-08T00:00:00Z');
  });

  test('moves to the days that an ask names, alone or beside other changes', async () => {
    const { plan, refine } = await open();
    const moved = async (proposal_id: string, ask: string) => {
      const answer = await refine({ proposal_id, ask });
      return { applied: answer.refinement_applied?.[0], proposal: first(answer) };
    };
    const march = first(await plan(BRIEF, { start_date: '2030-03-01', end_date: '2030-03-31' }));
    const { proposal_id } = first(await plan(BRIEF, WEEK));
    const whole = await moved(proposal_id, 'Move it to March');
    expect(whole.applied).toMatchObject({ status: 'applied', notes: 'Planned for 2030-03-01 to 2030-03-31.' });
    expect(whole.proposal.total_budget_guidance.max).toBe(march.total_budget_guidance.max);
    expect((await moved(proposal_id, 'extend until 15 April')).applied).toMatchObject({
      status: 'applied',
      notes: 'Planned for 2030-03-01 to 2030-04-15.',
    });
    expect((await moved(proposal_id, 'for two weeks')).applied?.notes).toBe('Planned for 2030-03-01 to 2030-03-14.');
    const both = await moved(proposal_id, 'run it next month, and budget to $20,000');
    expect(both.applied).toMatchObject({
      status: 'applied',
      notes: expect.stringContaining('Planned for 2030-02-01 to 2030-02-28.'),
    });
    expect(both.proposal.total_budget_guidance.recommended).toBe(20_000);
    const done = await refine({ proposal_id, action: 'finalize' });
    expect(done.refinement_applied?.[0]?.notes).toContain('from 2030-02-01T00:00:00Z to 2030-03-01T00:00:00Z');
  });

  test('is asked back where an ask names days that are none, or others than its filters', async () => {
    const { ask, plan, refine } = await open();
    const { proposal_id } = first(await plan(BRIEF, WEEK));
    for (const [words, note] of [
      ['move it to early March', /which days are meant/],
      ['start on 15 March', /would end before it begins/],
      ['budget to $30,000 and run it in March or in May', /which days are meant/],
    ] as const) {
      const answer = await refine({ proposal_id, ask: words });
      expect(answer.refinement_applied?.[0]).toMatchObject({
        status: words.startsWith('budget') ? 'partial' : 'unable',
        notes: expect.stringMatching(note),
      });
    }
    const refined = await ask({
      buying_mode: 'refine',
      filters: WEEK,
      refine: [{ scope: 'proposal', proposal_id, ask: 'run it in May' }],
    });
    expect(refined.refinement_applied?.[0]).toMatchObject({
      status: 'unable',
      notes: expect.stringMatching(/filters/),
    });
    const done = await refine({ proposal_id, action: 'finalize' });
    expect(done.refinement_applied?.[0]?.notes).toContain('from 2030-03-01T00:00:00Z to 2030-03-08T00:00:00Z');
  });

  test('that can be several is asked back, and none is set', async () => {
    const { plan } = await open();
    const { message } = await plan(`${BRIEF}, 5/6/2030 to 7/6/2030`);
    expect(message).toContain('"5/6/2030 to 7/6/2030"');
    expect(message).toContain('filters.start_date');
  });
});

test('a brief that names days is not offered what is sold out on them', async () => {
  const { call } = await boot();
  const takeover = { product_id: 'northlight_homepage_takeover', pricing_option_id: 'day_flat', budget: 18_000 };
  const day = { start_time: '2030-03-01T00:00:00Z', end_time: '2030-03-02T00:00:00Z' };
  succeeded(await call('create_media_buy', createRequest({ ...day, packages: [takeover] })));
  const ids = async (brief: string) => {
    const answer = succeeded(await call('get_products', { buying_mode: 'brief', brief }));
    return (answer as unknown as Planned).products.map(({ product_id }) => product_id);
  };
  expect(await ids('Homepage takeover on 1 March 2030')).not.toContain(takeover.product_id);
  expect(await ids('Homepage takeover on 2 March 2030')).toContain(takeover.product_id);
});
