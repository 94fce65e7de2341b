import { KIT_CONTEXT } from '../../kit/boot.js';
import { createRequest, creative, freshKey } from '../../kit/buyer.js';
import { BAD, callback, create, line, products, type Wrong, wrong } from './shape.js';

/** JSON that is nothing but nesting, `bytes` long. */
const nested = (bytes: number): string => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);

/** Orders whose formats, targeting, terms or callbacks are wrong, and calls in a wrong envelope or version. */
export const WRONG_TERMS: readonly Wrong[] = [
  // Formats, targeting, terms, creatives.
  line('a format id that is text', { format_ids: ['display_300x250_image'] }, 'INVALID_FORMAT_ID', '.format_ids[0]'),
  line(
    'a format id without owner',
    { format_ids: [{ id: 'display_300x250_image' }] },
    'INVALID_FORMAT_ID',
    '.format_ids[0].agent_url',
  ),
  line(
    'a format id without id',
    { format_ids: [{ agent_url: 'https://a.example' }] },
    'INVALID_FORMAT_ID',
    '.format_ids[0].id',
  ),
  line(
    'a format that the product does not take',
    { format_ids: [{ agent_url: 'https://a.example', id: 'audio_30s' }] },
    'UNSUPPORTED_FEATURE',
    '.format_ids[0]',
  ),
  line('targeting that is text', { targeting_overlay: 'US' }, BAD, '.targeting_overlay'),
  line(
    'targeting that is not offered',
    { targeting_overlay: { keyword_targets: [{ keyword: 'shoes' }] } },
    'UNSUPPORTED_FEATURE',
    '.targeting_overlay.keyword_targets',
  ),
  line(
    'an audience that nobody uploaded',
    { targeting_overlay: { audience_include: ['a'] } },
    'REFERENCE_NOT_FOUND',
    '.targeting_overlay.audience_include[0]',
  ),
  line(
    'a country of three letters',
    { targeting_overlay: { geo_countries: ['US', 'USA'] } },
    'VALIDATION_ERROR',
    '.targeting_overlay.geo_countries[1]',
  ),
  line(
    'countries that are an object',
    { targeting_overlay: { geo_countries: { include: ['US'] } } },
    'VALIDATION_ERROR',
    '.targeting_overlay.geo_countries',
  ),
  line(
    'a country that the product does not reach',
    { targeting_overlay: { geo_countries: ['JP'] } },
    'VALIDATION_ERROR',
    '.targeting_overlay.geo_countries',
  ),
  line(
    'a region in words',
    { targeting_overlay: { geo_regions: ['California'] } },
    'VALIDATION_ERROR',
    '.targeting_overlay.geo_regions[0]',
  ),
  line(
    'terms that nobody can keep',
    { measurement_terms: { billing_measurement: { max_variance_percent: 0, measurement_window: 'c30' } } },
    'TERMS_REJECTED',
    '.measurement_terms.billing_measurement.max_variance_percent',
  ),
  line(
    'goals that are not offered',
    { optimization_goals: [{ kind: 'metric', metric: 'attention_seconds' }] },
    'UNSUPPORTED_FEATURE',
    '.optimization_goals[0].metric',
  ),
  line('a pacing that does not exist', { pacing: 'fast' }, BAD, '.pacing'),
  line(
    'an unknown creative',
    { creative_assignments: [{ creative_id: 'nobody' }] },
    'CREATIVE_NOT_FOUND',
    '.creative_assignments[0].creative_id',
  ),
  line(
    'a creative with a format as text',
    { creatives: [creative('c', { format_id: 'display_300x250' })] },
    'INVALID_FORMAT_ID',
    '.creatives[0].format_id',
  ),
  line(
    'a creative of a format that the product does not take',
    { creatives: [creative('a', { format_id: { agent_url: 'https://a.example', id: 'audio_30s' } })] },
    'VALIDATION_ERROR',
    '.creatives[0]',
  ),
  create(
    'a proposal of nobody',
    () => ({ packages: undefined, proposal_id: 'p_1', total_budget: { amount: 1, currency: 'USD' } }),
    'REFERENCE_NOT_FOUND',
    'proposal_id',
  ),

  // Callbacks of a live principal.
  callback('a callback over http', 'http://buyer.example/hook'),
  callback('a callback to loopback', 'https://127.0.0.1/hook'),
  callback('a callback to loopback over http', 'http://127.0.0.1:9000/hook'),
  callback('a callback to localhost', 'https://localhost/hook'),
  callback('a callback to a private network', 'https://10.0.0.8/hook'),
  callback('a callback to the cloud’s metadata', 'https://169.254.169.254/latest/meta-data'),
  callback('a callback to a private IPv6 address', 'https://[fd00::1]/hook'),
  callback('a callback to loopback as one number', 'https://2130706433/hook'),
  callback('a callback to loopback inside IPv6', 'https://[::ffff:127.0.0.1]/hook'),
  callback('a callback with a password', 'https://user:secret@buyer.example/hook'),
  callback('a callback that is no URL', 'buyer.example/hook'),
  callback('a callback to a file', 'file:///etc/passwd'),
  callback('a callback that is a number', 7),
  create(
    'reports that the product does not send',
    () => ({ reporting_webhook: { url: 'https://buyer.example', reporting_frequency: 'monthly' } }),
    'UNSUPPORTED_FEATURE',
    'reporting_webhook.reporting_frequency',
  ),
  create(
    'a callback token that is too short',
    () => ({ push_notification_config: { url: 'https://buyer.example/h', token: 'short' } }),
    BAD,
    'push_notification_config.token',
  ),

  // Shape of the envelope.
  create('a context that is text', () => ({ context: 'c' }), BAD, 'context'),
  wrong('create_media_buy', 'no arguments at all', () => ({}), BAD, 'idempotency_key'),
  wrong(
    'create_media_buy',
    'nine hundred levels of nesting',
    () => `{"idempotency_key":"${freshKey()}","context":${JSON.stringify(KIT_CONTEXT)},"packages":${nested(1800)}}`,
    BAD,
    'arguments',
  ),
  wrong(
    'get_products',
    'nine hundred levels of nesting in the brief',
    () => `{"context":${JSON.stringify(KIT_CONTEXT)},"brief":${nested(1800)}}`,
    BAD,
    'arguments',
  ),
  wrong(
    'create_media_buy',
    'a number beyond all numbers in a field that nobody knows',
    () => JSON.stringify(createRequest({ x_note: 'NUMBER', context: KIT_CONTEXT })).replace('"NUMBER"', '1e400'),
    BAD,
    'arguments',
  ),

  products('a country in words', { filters: { countries: ['US', 'Germany'] } }, BAD, 'filters.countries[1]'),

  // Versions.
  products('version 99.0', { adcp_version: '99.0' }, 'VERSION_UNSUPPORTED', 'adcp_version'),
  products('version 4.0', { adcp_version: '4.0' }, 'VERSION_UNSUPPORTED', 'adcp_version'),
  products('version 2.5', { adcp_version: '2.5' }, 'VERSION_UNSUPPORTED', 'adcp_version'),
  products('a version with a patch number', { adcp_version: '3.1.2' }, BAD, 'adcp_version'),
  products('a version with a v', { adcp_version: 'v3.1' }, BAD, 'adcp_version'),
  products('a version that is a number', { adcp_version: 3.1 }, BAD, 'adcp_version'),
  products('a release to come, as a candidate', { adcp_version: '3.2-rc.1' }, 'VERSION_UNSUPPORTED', 'adcp_version'),
  products('major version 99', { adcp_major_version: 99 }, 'VERSION_UNSUPPORTED', 'adcp_major_version'),
  products('major version 2', { adcp_major_version: 2 }, 'VERSION_UNSUPPORTED', 'adcp_major_version'),
  products(
    'two versions that differ',
    { adcp_version: '3.1', adcp_major_version: 4 },
    'VERSION_UNSUPPORTED',
    'adcp_major_version',
  ),
  wrong(
    'get_adcp_capabilities',
    'major version 99 of the capabilities',
    () => ({ adcp_major_version: 99 }),
    'VERSION_UNSUPPORTED',
    'adcp_major_version',
  ),
];
