import { creative, freshKey, packageRequest } from '../../kit/buyer.js';
import { BAD, create, feedback, sync, update, type Wrong, wrong } from './shape.js';

const BANNER = { asset_type: 'image', url: 'https://cdn.example/a.png', width: 300, height: 250 };
const ASSETS = { banner: { asset_type: 'image', url: 'https://cdn.example/a.png' } };

/** Changes of buys and creatives, and feedback, that are wrong. */
export const WRONG_CHANGES: readonly Wrong[] = [
  // Changing buys.
  update('no buy', () => ({ media_buy_id: undefined }), BAD, 'media_buy_id'),
  update('a buy of nobody', () => ({ media_buy_id: 'mb_nobody' }), 'MEDIA_BUY_NOT_FOUND', 'media_buy_id'),
  update('a buy of somebody else', (known) => ({ media_buy_id: known.foreign }), 'MEDIA_BUY_NOT_FOUND', 'media_buy_id'),
  update('a revision of yesterday', () => ({ revision: 99, paused: true }), 'CONFLICT', 'revision'),
  update('a revision of 0', () => ({ revision: 0, paused: true }), BAD, 'revision'),
  update('canceled: false', () => ({ canceled: false }), BAD, 'canceled'),
  update('paused as text', () => ({ paused: 'true' }), BAD, 'paused'),
  update(
    'a package of nobody',
    () => ({ packages: [{ package_id: 'pkg_nobody', budget: 5000 }] }),
    'PACKAGE_NOT_FOUND',
    'packages[0].package_id',
  ),
  update(
    'a package of somebody else',
    (known) => ({ packages: [{ package_id: known.foreignPackage, budget: 5000 }] }),
    'PACKAGE_NOT_FOUND',
    'packages[0].package_id',
  ),
  update('a package without its id', () => ({ packages: [{ budget: 5000 }] }), BAD, 'packages[0].package_id'),
  update(
    'the same package twice',
    (known) => ({
      packages: [
        { package_id: known.activePackage, budget: 5000 },
        { package_id: known.activePackage, paused: true },
      ],
    }),
    BAD,
    'packages[1].package_id',
  ),
  update(
    'another product',
    (known) => ({ packages: [{ package_id: known.activePackage, product_id: 'northlight_preroll' }] }),
    BAD,
    'packages[0].product_id',
  ),
  update(
    'another price',
    (known) => ({ packages: [{ package_id: known.activePackage, pricing_option_id: 'auction' }] }),
    BAD,
    'packages[0].pricing_option_id',
  ),
  update(
    'other formats',
    (known) => ({
      packages: [
        { package_id: known.activePackage, format_ids: [{ agent_url: 'https://a.example', id: 'video_30s' }] },
      ],
    }),
    BAD,
    'packages[0].format_ids',
  ),
  update(
    'a budget of nothing',
    (known) => ({ packages: [{ package_id: known.activePackage, budget: 0 }] }),
    'BUDGET_TOO_LOW',
    'packages[0].budget',
  ),
  update(
    'a negative budget',
    (known) => ({ packages: [{ package_id: known.activePackage, budget: -5 }] }),
    BAD,
    'packages[0].budget',
  ),
  update(
    'targeting that is not offered',
    (known) => ({ packages: [{ package_id: known.activePackage, targeting_overlay: { geo_proximity: [] } }] }),
    'UNSUPPORTED_FEATURE',
    'packages[0].targeting_overlay.geo_proximity',
  ),
  update(
    'an unknown creative',
    (known) => ({ packages: [{ package_id: known.activePackage, creative_assignments: [{ creative_id: 'nobody' }] }] }),
    'CREATIVE_NOT_FOUND',
    'packages[0].creative_assignments[0].creative_id',
  ),
  update(
    'a new package in another currency',
    () => ({ new_packages: [packageRequest({ product_id: 'stadtblick_display', pricing_option_id: 'cpm_fixed' })] }),
    BAD,
    'new_packages[0].pricing_option_id',
  ),
  update(
    'a new package of an unknown product',
    () => ({ new_packages: [packageRequest({ product_id: 'nobody' })] }),
    'PRODUCT_NOT_FOUND',
    'new_packages[0].product_id',
  ),
  update('an end in the past', () => ({ end_time: '2029-12-31T00:00:00Z' }), BAD, 'end_time'),
  update('an end without offset', () => ({ end_time: '2030-03-01T00:00:00' }), BAD, 'end_time'),
  update(
    'another start of a flight that has begun',
    () => ({ start_time: '2030-01-15T00:00:00Z' }),
    'INVALID_STATE',
    'start_time',
  ),
  update(
    'a callback to a file',
    () => ({ push_notification_config: { url: 'file:///etc/passwd' } }),
    BAD,
    'push_notification_config.url',
  ),
  update(
    'a buy under an account of nobody',
    () => ({ account: { account_id: 'acct_nobody' }, paused: true }),
    'ACCOUNT_NOT_FOUND',
    'account',
  ),
  update(
    'days in the wrong order',
    (known) => ({ media_buy_id: known.later, start_time: '2030-01-20T00:00:00Z', end_time: '2030-01-15T00:00:00Z' }),
    BAD,
    'end_time',
  ),
  update(
    'a start that moves into the past',
    (known) => ({ media_buy_id: known.later, start_time: '2029-06-01T00:00:00Z' }),
    BAD,
    'start_time',
  ),
  update(
    'a change of a canceled buy',
    (known) => ({ media_buy_id: known.canceled, paused: true }),
    'INVALID_STATE',
    'media_buy_id',
  ),
  update(
    'new packages for a canceled buy',
    (known) => ({ media_buy_id: known.canceled, new_packages: [packageRequest()] }),
    'INVALID_STATE',
    'media_buy_id',
  ),
  update(
    'canceling twice',
    (known) => ({ media_buy_id: known.canceled, canceled: true }),
    'NOT_CANCELLABLE',
    'media_buy_id',
  ),
  update(
    'a change of a canceled package',
    (known) => ({ media_buy_id: known.partly, packages: [{ package_id: known.canceledPackage, budget: 3000 }] }),
    'INVALID_STATE',
    'packages[0].package_id',
  ),
  update(
    'canceling a package twice',
    (known) => ({ media_buy_id: known.partly, packages: [{ package_id: known.canceledPackage, canceled: true }] }),
    'NOT_CANCELLABLE',
    'packages[0].package_id',
  ),

  // Creatives.
  sync('no creatives', { creatives: undefined }, BAD, 'creatives'),
  sync('an empty list of creatives', { creatives: [] }, BAD, 'creatives'),
  sync('no account', { account: undefined }, BAD, 'account'),
  sync(
    'a creative without id',
    { creatives: [{ ...creative('x'), creative_id: undefined }] },
    BAD,
    'creatives[0].creative_id',
  ),
  sync(
    'a format id that is text',
    { creatives: [creative('x', { format_id: 'display_300x250_image' })] },
    'INVALID_FORMAT_ID',
    'creatives[0].format_id',
  ),
  sync('no format id', { creatives: [creative('x', { format_id: undefined })] }, BAD, 'creatives[0].format_id'),
  sync(
    'a format of nobody',
    { creatives: [creative('x', { format_id: { agent_url: 'https://a.example', id: 'hologram' } })] },
    'REFERENCE_NOT_FOUND',
    'creatives[0].format_id',
  ),
  sync('assets that are a list', { creatives: [creative('x', { assets: [] })] }, BAD, 'creatives[0].assets'),
  sync(
    'the same creative twice',
    { creatives: [creative('one'), creative('two'), creative('one')] },
    BAD,
    'creatives[2].creative_id',
  ),
  sync(
    'a click that runs a script',
    {
      creatives: [
        creative('x', { assets: { ...ASSETS, click_url: { asset_type: 'url', url: 'javascript:alert(1)' } } }),
      ],
    },
    'VALIDATION_ERROR',
    'creatives[0].assets.click_url.url',
  ),
  sync(
    'a banner of the wrong size',
    { creatives: [creative('x', { assets: { banner_image: { ...BANNER, width: 728, height: 90 } } })] },
    'VALIDATION_ERROR',
    'creatives[0].assets.banner_image.width',
  ),
  sync(
    'an asset of a type that does not exist',
    { creatives: [creative('x', { assets: { banner_image: { ...BANNER, asset_type: 'hologram' } } })] },
    BAD,
    'creatives[0].assets.banner_image.asset_type',
  ),
  sync('two scopes at once', { delete_missing: true, creative_ids: ['one'] }, BAD, 'delete_missing'),
  sync(
    'a creative that is running',
    { creatives: [creative('running', { assets: ASSETS })] },
    'INVALID_STATE',
    'creatives[0].creative_id',
  ),
  sync(
    'a weight of 101',
    { assignments: [{ creative_id: 'one', package_id: 'p', weight: 101 }] },
    BAD,
    'assignments[0].weight',
  ),
  create(
    'a creative in a package that runs a script',
    () => ({
      packages: [
        packageRequest({
          creatives: [
            creative('x'),
            creative('y', { assets: { click_url: { asset_type: 'url', url: 'javascript:1' } } }),
          ],
        }),
      ],
    }),
    'VALIDATION_ERROR',
    'packages[0].creatives[1].assets.click_url.url',
  ),
  update(
    'a creative of a wrong size in a package',
    (known) => ({
      packages: [
        {
          package_id: known.activePackage,
          creatives: [creative('x', { assets: { banner_image: { ...BANNER, height: 90 } } })],
        },
      ],
    }),
    'VALIDATION_ERROR',
    'packages[0].creatives[0].assets.banner_image.height',
  ),
  wrong('get_creative_delivery', 'neither buys nor creatives', () => ({}), BAD, 'media_buy_ids'),
  wrong('get_creative_delivery', 'an empty list of buys', () => ({ media_buy_ids: [] }), BAD, 'media_buy_ids'),
  wrong('get_creative_delivery', 'an id that is a number', () => ({ creative_ids: [7] }), BAD, 'creative_ids[0]'),
  wrong(
    'get_creative_delivery',
    'days in the wrong order',
    (known) => ({ media_buy_ids: [known.active], start_date: '2030-01-05', end_date: '2030-01-05' }),
    BAD,
    'end_date',
  ),
  wrong(
    'get_creative_delivery',
    'a day that does not exist',
    (known) => ({ media_buy_ids: [known.active], start_date: '2030-02-30' }),
    BAD,
    'start_date',
  ),
  wrong(
    'get_creative_delivery',
    'no variants at all',
    (known) => ({ media_buy_ids: [known.active], max_variants: 0 }),
    BAD,
    'max_variants',
  ),
  wrong(
    'get_creative_delivery',
    'a cursor of another list',
    (known) => ({
      media_buy_ids: [known.active],
      pagination: { cursor: Buffer.from('creatives:5').toString('base64url') },
    }),
    BAD,
    'pagination.cursor',
  ),
  wrong(
    'list_creatives',
    'a state that does not exist',
    () => ({ filters: { statuses: ['live'] } }),
    BAD,
    'filters.statuses[0]',
  ),
  wrong(
    'list_creatives',
    'a time without offset',
    () => ({ filters: { created_after: '2030-01-01T00:00:00' } }),
    BAD,
    'filters.created_after',
  ),
  wrong(
    'list_creatives',
    'a time in words',
    () => ({ filters: { updated_before: 'yesterday' } }),
    BAD,
    'filters.updated_before',
  ),
  wrong('list_creatives', 'an order that does not exist', () => ({ sort: { field: 'size' } }), BAD, 'sort.field'),
  wrong(
    'list_creatives',
    'a cursor that nobody wrote',
    () => ({ pagination: { cursor: '' } }),
    BAD,
    'pagination.cursor',
  ),

  // Feedback and accounts.
  feedback('feedback on a buy of nobody', () => ({ media_buy_id: 'mb_nobody' }), 'MEDIA_BUY_NOT_FOUND', 'media_buy_id'),
  feedback(
    'feedback on a buy of somebody else',
    (known) => ({ media_buy_id: known.foreign }),
    'MEDIA_BUY_NOT_FOUND',
    'media_buy_id',
  ),
  feedback('feedback on a package of nobody', () => ({ package_id: 'pkg_nobody' }), 'PACKAGE_NOT_FOUND', 'package_id'),
  feedback('a negative index', () => ({ performance_index: -1 }), BAD, 'performance_index'),
  feedback(
    'a period in the wrong order',
    () => ({ measurement_period: { start: '2029-12-31T00:00:00Z', end: '2029-12-01T00:00:00Z' } }),
    BAD,
    'measurement_period.end',
  ),
  feedback(
    'a period without offset',
    () => ({ measurement_period: { start: '2029-12-01T00:00:00', end: '2029-12-31T00:00:00Z' } }),
    BAD,
    'measurement_period.start',
  ),
  feedback('a metric that does not exist', () => ({ metric_type: 'luck' }), BAD, 'metric_type'),
  wrong('sync_accounts', 'no accounts', () => ({ idempotency_key: freshKey(), accounts: [] }), BAD, 'accounts'),
];
