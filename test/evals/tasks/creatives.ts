import assert from 'node:assert/strict';
import { freshKey } from '../../kit/buyer.js';
import type { After, Arrange, EvalTask, Facts } from '../task.js';
import { BRAND, buy } from './arrange.js';
import { onlyBuy, wasRead } from './expect.js';

/** The assets of a banner. */
export const BANNER = {
  banner_image: { asset_type: 'image', url: 'https://cdn.example/spring.png', width: 300, height: 250 },
  click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/spring' },
} as const;

const STORY = {
  headline: { asset_type: 'text', content: 'Light tents for long trails' },
  body: { asset_type: 'text', content: 'What to carry when every gram counts.' },
  thumbnail: { asset_type: 'image', url: 'https://cdn.example/tent.png', width: 400, height: 300 },
  click_url: { asset_type: 'url', url: 'https://acme-outdoor.example/tents' },
  disclosure: { asset_type: 'text', content: 'Sponsored by Acme Outdoor' },
} as const;

/** People who bring ads. */
export const CREATIVES: readonly EvalTask[] = [
  {
    id: 'send-banner',
    tenant: 'sales',
    ask: () =>
      `Take our medium rectangle image banner as creative spring-banner, "Spring banner": ${JSON.stringify(BANNER)}.`,
    wants: () => [
      {
        goal: 'send creatives',
        facts: {
          creatives: [
            {
              creative_id: 'spring-banner',
              name: 'Spring banner',
              format: 'Medium Rectangle 300x250, Image',
              assets: BANNER,
            },
          ],
        },
      },
    ],
    grade: async (after) => {
      const { assets, format_id, name } = await creativeOf(after, 'spring-banner');
      assert.deepEqual([name, format_id.id, assets], ['Spring banner', 'display_300x250_image', BANNER]);
    },
  },
  {
    id: 'swap-headline',
    tenant: 'sales',
    arrange: async (call, account) => library(call, account),
    ask: () => 'Swap the headline of our "Trail story" to "New season, new trails". Leave the rest as it is.',
    wants: () => [
      {
        goal: 'replace creatives',
        facts: {
          creatives: [{ creative: 'Trail story', assets: { headline: { content: 'New season, new trails' } } }],
        },
      },
    ],
    grade: async (after) => {
      const { assets, format_id } = await creativeOf(after, 'trail-story');
      assert.equal(format_id.id, 'native_content');
      assert.deepEqual(assets, { ...STORY, headline: { asset_type: 'text', content: 'New season, new trails' } });
    },
  },
  {
    id: 'assign-creative',
    tenant: 'sales',
    arrange: async (call, account) => {
      const { media_buy_id } = await buy(call, account);
      return { ...(await library(call, account)), media_buy_id };
    },
    ask: ({ media_buy_id }) => `Run our "Spring banner" in ${media_buy_id}, and nothing else.`,
    wants: ({ media_buy_id }) => [
      {
        goal: 'change the creatives of a media buy',
        facts: {
          media_buy_id,
          packages: [{ package: 'test-product', creative_assignments: [{ creative: 'Spring banner' }] }],
        },
      },
    ],
    grade: async (after) => {
      const assigned = await after.read.creatives.assignedTo([onlyBuy(after).media_buy_id]);
      assert.deepEqual(
        assigned.map(({ creative_id }) => creative_id),
        ['spring-banner'],
      );
    },
  },
  {
    id: 'what-a-format-needs',
    tenant: 'sales',
    ask: () => 'Which assets do you need for native content?',
    wants: () => [{ goal: 'creative formats', facts: { name_search: 'native content' } }],
    grade: (after) => wasRead(after, /"id":"native_content".*"disclosure"/),
  },
  {
    id: 'retire-creative',
    tenant: 'sales',
    arrange: library,
    ask: () => 'Archive our creative "Spring banner"; we may want it back.',
    grade: async (after) => assert.equal((await creativeOf(after, 'spring-banner')).status, 'archived'),
  },
  {
    id: 'make-banner',
    tenant: 'creative',
    ask: () => 'Make a medium rectangle for acme-outdoor.example: the spring sale, 20 % off all tents.',
    wants: () => [
      {
        goal: 'build creatives',
        facts: {
          message: 'The spring sale: 20 % off all tents.',
          brand: BRAND,
          target_format: 'Medium Rectangle 300x250, Image',
        },
      },
    ],
    grade: (after) => {
      assert.ok(after.steps.some(({ name, reply }) => name === 'build_creative' && !reply.isError));
      wasRead(after, /"creative_manifest".*300x250/);
    },
  },
];

/** Sends a banner and a story in a person's name. */
async function library(call: Arrange, account: string): Promise<Facts> {
  const { formats } = (await call('list_creative_formats', { name_search: 'native content' })) as unknown as {
    formats: readonly { format_id: { agent_url: string } }[];
  };
  const agent_url = formats[0]?.format_id.agent_url;
  await call('sync_creatives', {
    idempotency_key: freshKey(),
    account: { account_id: account },
    creatives: [
      {
        creative_id: 'spring-banner',
        name: 'Spring banner',
        format_id: { agent_url, id: 'display_300x250_image' },
        assets: BANNER,
      },
      {
        creative_id: 'trail-story',
        name: 'Trail story',
        format_id: { agent_url, id: 'native_content' },
        assets: STORY,
      },
    ],
  });
  return {};
}

async function creativeOf({ account, owner, read }: After, id: string) {
  const creative = await read.creatives.find(owner, account, id);
  assert.ok(creative, `there is a creative ${id}`);
  return creative;
}
