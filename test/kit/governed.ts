/** The brand that the kit buys for. */
export const BRAND = { domain: 'acme-outdoor.example' };

/** A plan of sync_plans, over the flights of the kit's buys. */
export const PLAN = {
  plan_id: 'plan-1',
  brand: BRAND,
  objectives: 'Sell shoes',
  budget: { total: 5000, currency: 'USD', reallocation_unlimited: true },
  flight: { start: '2029-12-01T00:00:00Z', end: '2030-03-01T00:00:00Z' },
};

/** A standard of create_content_standards, with a rule that artifacts can break. */
export const STANDARD = {
  scope: { languages_any: ['en'], channels_any: ['display'] },
  policies: [
    {
      policy_id: 'no_weapons',
      enforcement: 'must',
      policy: 'Nothing about weapons.',
      ext: { content_rules: { blocked_words: ['rifle'] } },
    },
  ],
};

/** An artifact that the standard lets pass. */
export const ARTIFACT = {
  property_rid: 'prop_1',
  artifact_id: 'article_1',
  assets: [{ type: 'text', role: 'title', content: 'A walk in spring', language: 'en' }],
};
