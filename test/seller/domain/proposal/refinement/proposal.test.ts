import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Product } from '../../../../../src/seller/domain/product/product.js';
import { openProposal, planFromFile } from '../../../../../src/seller/domain/proposal/plan.js';
import type { ConfiguredProposal } from '../../../../../src/seller/domain/proposal/proposal.js';
import { refineProposal } from '../../../../../src/seller/domain/proposal/refinement/proposal.js';
import { PROJECT } from '../../../../kit/surroundings.js';

type File = {
  readonly products: readonly (Omit<Product, 'format_ids'> & { readonly format_ids: readonly string[] })[];
  readonly proposals: readonly ConfiguredProposal[];
};

const file = JSON.parse(readFileSync(path.join(PROJECT, 'tenants/sales.json'), 'utf8')) as File;
const products = file.products.map((product) => ({
  ...product,
  format_ids: product.format_ids.map((id) => ({ agent_url: 'https://formats.example', id })),
}));
const byId: ReadonlyMap<string, Product> = new Map(products.map((product) => [product.product_id, product]));
const nowMs = Date.parse('2026-03-01T00:00:00Z');
const flight = { fromMs: nowMs, toMs: nowMs + 30 * 86_400_000 };

/** 40 % live sports, 35 % outstream, 25 % run of site, for 50,000 USD. */
function openBalanced() {
  const configured = file.proposals.find(({ proposal_id }) => proposal_id === 'balanced_reach_q2');
  const plan = configured === undefined ? undefined : planFromFile(configured, byId, flight);
  if (plan === undefined) throw new Error('the shipped plan is not on sale');
  return openProposal(plan, { products: byId, tenant: {} }, flight, nowMs);
}

function refine(ask: string) {
  const { proposal, applied } = refineProposal(openBalanced(), ask, { products, byId, tenant: {}, flight, nowMs });
  return {
    status: applied.status,
    notes: applied.notes ?? '',
    shares: Object.fromEntries(
      proposal.allocations.map(({ product_id, allocation_percentage }) => [product_id, allocation_percentage]),
    ),
    guidance: proposal.total_budget_guidance,
  };
}

const [SPORTS, OUTSTREAM, ROS] = ['play_live_sports', 'northlight_outstream', 'northlight_ros_display'] as const;

describe('an ask does what it says', () => {
  test.each([
    ['move 10% from outstream to sports', { [SPORTS]: 50, [OUTSTREAM]: 25, [ROS]: 25 }],
    ['move 10 points from sports to display', { [SPORTS]: 30, [OUTSTREAM]: 35, [ROS]: 35 }],
    ['move half of outstream to sports', { [SPORTS]: 57.5, [OUTSTREAM]: 17.5, [ROS]: 25 }],
    ['move 20% of outstream to sports', { [SPORTS]: 47, [OUTSTREAM]: 28, [ROS]: 25 }],
    ['move everything from display to sports', { [SPORTS]: 65, [OUTSTREAM]: 35 }],
    ['increase outstream by 10%', { [SPORTS]: 37.85, [OUTSTREAM]: 38.5, [ROS]: 23.65 }],
    ['increase outstream by 10 points', { [SPORTS]: 33.85, [OUTSTREAM]: 45, [ROS]: 21.15 }],
    ['set outstream to 20%', { [SPORTS]: 49.23, [OUTSTREAM]: 20, [ROS]: 30.77 }],
    ['put 50% in CTV and the rest in display', { [SPORTS]: 50, [ROS]: 50 }],
    ['drop display', { [SPORTS]: 53.33, [OUTSTREAM]: 46.67 }],
    ['sports 50%, outstream 30%, display 20%', { [SPORTS]: 50, [OUTSTREAM]: 30, [ROS]: 20 }],
    ['split evenly', { [SPORTS]: 33.34, [OUTSTREAM]: 33.33, [ROS]: 33.33 }],
    ['double outstream', { [SPORTS]: 18.46, [OUTSTREAM]: 70, [ROS]: 11.54 }],
    ['only CTV', { [SPORTS]: 100 }],
    ['replace display with the free music streaming', { [SPORTS]: 40, [OUTSTREAM]: 35, wavecrest_music: 25 }],
    ['put half into live sports', { [SPORTS]: 50, [OUTSTREAM]: 29.17, [ROS]: 20.83 }],
    ['take 15% away from banners and give it to sports', { [SPORTS]: 55, [OUTSTREAM]: 35, [ROS]: 10 }],
    ['remove everything but sports', { [SPORTS]: 100 }],
    ['spend $20k on sports, the rest evenly', { [SPORTS]: 40, [OUTSTREAM]: 30, [ROS]: 30 }],
    ['60% in sports, the rest equally', { [SPORTS]: 60, [OUTSTREAM]: 20, [ROS]: 20 }],
    ['move $5,000 from banners to sports', { [SPORTS]: 50, [OUTSTREAM]: 35, [ROS]: 15 }],
    ['increase sports by $5k', { [SPORTS]: 50, [OUTSTREAM]: 29.17, [ROS]: 20.83 }],
    ['give outstream 5 points more, at the cost of banners', { [SPORTS]: 40, [OUTSTREAM]: 40, [ROS]: 20 }],
    ['reduce outstream by 20% in favor of sports', { [SPORTS]: 47, [OUTSTREAM]: 28, [ROS]: 25 }],
    [
      'add connected TV drama with 15 percent, taken from sports',
      { [SPORTS]: 25, [OUTSTREAM]: 35, [ROS]: 25, play_prime_drama: 15 },
    ],
    ['at least 30% for sports', { [SPORTS]: 40, [OUTSTREAM]: 35, [ROS]: 25 }],
    ['at least 50% for sports', { [SPORTS]: 50, [OUTSTREAM]: 29.17, [ROS]: 20.83 }],
    ['cap sports at 25%', { [SPORTS]: 25, [OUTSTREAM]: 43.75, [ROS]: 31.25 }],
    ['no more than 30% in banners', { [SPORTS]: 40, [OUTSTREAM]: 35, [ROS]: 25 }],
    ['cancel outstream and put its money on sports', { [SPORTS]: 75, [ROS]: 25 }],
    ['70/30 between sports and outstream', { [SPORTS]: 70, [OUTSTREAM]: 30 }],
    ['add podcasts at 10%', { [SPORTS]: 36, [OUTSTREAM]: 31.5, [ROS]: 22.5, wavecrest_trail_talk: 10 }],
  ] as const)('%s', (ask, shares) => {
    const refined = refine(ask);
    expect(refined.shares).toEqual(shares);
    expect(refined.status).toBe('applied');
    expect(Object.values(refined.shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 6);
  });

  test.each([
    [
      'Kill the outstream line, put that money on sports. And budget is 40k now, not 50.',
      { [SPORTS]: 75, [ROS]: 25 },
      40_000,
    ],
    [
      'Move 10 points from outstream to sports - sorry, 15 points.',
      { [SPORTS]: 55, [OUTSTREAM]: 20, [ROS]: 25 },
      50_000,
    ],
    ['make it $30,000 - no wait, $25,000', { [SPORTS]: 40, [OUTSTREAM]: 35, [ROS]: 25 }, 25_000],
    ['Drop display and raise sports to 60%', { [SPORTS]: 60, [OUTSTREAM]: 40 }, 50_000],
    ['Bitte Banner streichen und das Geld auf Sport legen.', { [SPORTS]: 65, [OUTSTREAM]: 35 }, 50_000],
    [
      "Merci de retirer l'outstream et de passer le budget total à 35 000 $.",
      { [SPORTS]: 61.54, [ROS]: 38.46 },
      35_000,
    ],
    ['Quitad el display y subid deportes al 60%.', { [SPORTS]: 60, [OUTSTREAM]: 40 }, 50_000],
    ['Mova 10% dos banners para esportes, por favor.', { [SPORTS]: 50, [OUTSTREAM]: 35, [ROS]: 15 }, 50_000],
    ['予算を20%減らして、バナーを外してください。', { [SPORTS]: 53.33, [OUTSTREAM]: 46.67 }, 40_000],
    ['배너는 빼고 스포츠 비중을 60%로 올려 주세요.', { [SPORTS]: 60, [OUTSTREAM]: 40 }, 50_000],
    ['請移除橫幅，預算改為4萬美元。', { [SPORTS]: 53.33, [OUTSTREAM]: 46.67 }, 40_000],
    ['ตัดแบนเนอร์ออก แล้วเพิ่มกีฬาเป็น 60%', { [SPORTS]: 60, [OUTSTREAM]: 40 }, 50_000],
    ['خفضوا الميزانية بنسبة 10% واحذفوا البانرات', { [SPORTS]: 53.33, [OUTSTREAM]: 46.67 }, 45_000],
    ['Banner reklamları çıkarın, spora %60 verin.', { [SPORTS]: 60, [OUTSTREAM]: 40 }, 50_000],
    ['Actually forget outstream. Everything it had goes to sports.', { [SPORTS]: 75, [ROS]: 25 }, 50_000],
    ['Halve display and give the difference to outstream', { [SPORTS]: 40, [OUTSTREAM]: 47.5, [ROS]: 12.5 }, 50_000],
    ['Könnt ihr Sport auf 55 % anheben und Outstream weglassen? Budget bleibt.', { [SPORTS]: 55, [ROS]: 45 }, 50_000],
    ['Sin outstream, y el presupuesto total que sea de 40 mil dólares.', { [SPORTS]: 61.54, [ROS]: 38.46 }, 40_000],
    ['アウトストリームは不要です。総予算を3万5千ドルに下げてください。', { [SPORTS]: 61.54, [ROS]: 38.46 }, 35_000],
    ['預算減少10%，橫幅全部轉到運動。', { [SPORTS]: 65, [OUTSTREAM]: 35 }, 45_000],
    ['ลดงบลง 20% และเอาแบนเนอร์ออก', { [SPORTS]: 53.33, [OUTSTREAM]: 46.67 }, 40_000],
    ['Bütçeyi %20 artırın ve bannerları çıkarın.', { [SPORTS]: 53.33, [OUTSTREAM]: 46.67 }, 60_000],
    [
      "Can you take banners out entirely and put what's left on sports? Thanks, Ana",
      { [SPORTS]: 65, [OUTSTREAM]: 35 },
      50_000,
    ],
    [
      '50% sports / 30% outstream / 20% display, and cap the total at $40,000',
      { [SPORTS]: 50, [OUTSTREAM]: 30, [ROS]: 20 },
      40_000,
    ],
    ['ok scrap banners, sports to 55%, and total is 62k not 50k', { [SPORTS]: 55, [OUTSTREAM]: 45 }, 62_000],
    [
      'Bitte 10 Prozentpunkte von Outstream zu Sport verschieben.',
      { [SPORTS]: 50, [OUTSTREAM]: 25, [ROS]: 25 },
      50_000,
    ],
    ['Le sport à 60 %, le reste réparti à parts égales.', { [SPORTS]: 60, [OUTSTREAM]: 20, [ROS]: 20 }, 50_000],
    ['Pasad 15 puntos de display a deportes.', { [SPORTS]: 55, [OUTSTREAM]: 35, [ROS]: 10 }, 50_000],
    ['Quero só esportes e outstream, meio a meio.', { [SPORTS]: 50, [OUTSTREAM]: 50 }, 50_000],
    ['아웃스트림 10%를 스포츠로 옮겨 주세요.', { [SPORTS]: 50, [OUTSTREAM]: 25, [ROS]: 25 }, 50_000],
    ['بدون بانرات، والميزانية 45 ألف دولار', { [SPORTS]: 53.33, [OUTSTREAM]: 46.67 }, 45_000],
    ['Lower the total to $42k and get sports to 45%.', { [SPORTS]: 45, [OUTSTREAM]: 32.08, [ROS]: 22.92 }, 42_000],
    ['Streicht Outstream und verteilt den Rest gleichmäßig.', { [SPORTS]: 50, [ROS]: 50 }, 50_000],
    ['Augmentez le budget de 10 % et ne gardez que le sport.', { [SPORTS]: 100 }, 55_000],
    ["Sporu %55'e çıkarın, bütçe 45.000 dolar olsun.", { [SPORTS]: 55, [OUTSTREAM]: 26.25, [ROS]: 18.75 }, 45_000],
    ['バナーを10%に減らして、スポーツを50%にしてください。', { [SPORTS]: 50, [OUTSTREAM]: 40, [ROS]: 10 }, 50_000],
    ['Zmniejszcie budżet o 10% i usuńcie banery.', { [SPORTS]: 53.33, [OUTSTREAM]: 46.67 }, 45_000],
    ['Put 5 points of outstream into sports instead', { [SPORTS]: 45, [OUTSTREAM]: 30, [ROS]: 25 }, 50_000],
    [
      'Could we shave 5 points off outstream and hand them to sports?',
      { [SPORTS]: 45, [OUTSTREAM]: 30, [ROS]: 25 },
      50_000,
    ],
    ["On n'a plus besoin des bannières, mettez leur part sur le sport.", { [SPORTS]: 65, [OUTSTREAM]: 35 }, 50_000],
    ['Ya no necesitamos los banners; dale su parte a deportes.', { [SPORTS]: 65, [OUTSTREAM]: 35 }, 50_000],
    ['배너에서 5포인트를 스포츠로 옮길 수 있나요?', { [SPORTS]: 45, [OUTSTREAM]: 35, [ROS]: 20 }, 50_000],
    ['โยก 10 จุดจากแบนเนอร์ไปที่กีฬา', { [SPORTS]: 50, [OUTSTREAM]: 35, [ROS]: 15 }, 50_000],
    ['Bannerdan spora 10 puan kaydırabilir misiniz?', { [SPORTS]: 50, [OUTSTREAM]: 35, [ROS]: 15 }, 50_000],
    ['نريد نقل 10 نقاط من البانرات إلى الرياضة', { [SPORTS]: 50, [OUTSTREAM]: 35, [ROS]: 15 }, 50_000],
  ] as const)('in another language, or corrected: %s', (ask, shares, budget) => {
    const { status, guidance, shares: read } = refine(ask);
    expect({ status, read, budget: guidance.recommended }).toEqual({ status: 'applied', read: shares, budget });
  });

  test('an amount beside what an ask drops is not passed over', () => {
    expect(refine('drop display worth 10% as discussed')).toMatchObject({ status: 'unable' });
  });

  test('what stands beside a budget and is not understood is not passed over', () => {
    expect(refine('the budget for sports lovers is $40,000')).toMatchObject({
      status: 'partial',
      notes: expect.stringContaining('the budget for sports lovers'),
    });
  });

  test('what an ask drops and gives a share is asked back', () => {
    expect(refine('Drop display. Keep display at 10%.')).toMatchObject({
      status: 'partial',
      notes: expect.stringContaining('drops display and gives it a share, too; which is meant?'),
    });
  });

  test('a budget is planned for, and never recommended above what the inventory takes', () => {
    expect(refine('budget to $20,000')).toMatchObject({ status: 'applied', guidance: { recommended: 20_000 } });
    expect(refine('reduce the total by 10%')).toMatchObject({ status: 'applied', guidance: { recommended: 45_000 } });
    const huge = refine('increase the budget to $100m');
    expect(huge.status).toBe('partial');
    expect(huge.guidance.recommended).toBe(huge.guidance.max);
    expect(huge.notes).toContain('and no more');
  });
});

describe('an ask that is ambiguous is asked back, and changes nothing', () => {
  test.each([
    ['shift 20 points', 'from what and to what?'],
    ['shift budget from display to CTV', 'how much is to be moved'],
    ['more sports', 'by how much'],
    ['move 90 points from display to sports', 'has only 25% to give'],
    ['put 80% in CTV and 40% in display', 'add up to 120%'],
    ['move 10% from sports to sports', 'is the same'],
    ['drop the radio', 'the plan has no'],
    ['make it pop', 'says no change'],
    ['add 10% sports', 'should it have 10%, or so much more?'],
    ['give outstream 5 points more, at the cost of podcasts', 'the plan has no'],
    ['put 20,000 EUR in sports', 'what share of the budget'],
    ['spend $80k on sports', 'add up to 160%'],
    ['leave the rest as it is', 'which of them changes?'],
    ['drop connected TV drama', 'the plan has no'],
  ])('%s', (ask, question) => {
    const refined = refine(ask);
    expect(refined.status).toBe('unable');
    expect(refined.notes).toContain(question);
    expect(refined.shares).toEqual({ [SPORTS]: 40, [OUTSTREAM]: 35, [ROS]: 25 });
  });

  test('what of it is clear is done', () => {
    const refined = refine('drop display. Make it pop.');
    expect(refined.status).toBe('partial');
    expect(refined.shares).toEqual({ [SPORTS]: 53.33, [OUTSTREAM]: 46.67 });
  });
});
