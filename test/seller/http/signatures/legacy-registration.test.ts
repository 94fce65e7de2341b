import { describe, expect, it } from 'vitest';
import { hasLegacyRegistration } from '../../../../src/seller/http/signatures/legacy-registration.js';

describe('a registration with a legacy block', () => {
  const block = { schemes: ['HMAC-SHA256'], credentials: 'x'.repeat(32) };

  it.each([
    [{ push_notification_config: { url: 'https://b.example', authentication: block } }],
    [{ push_notification_config: { authentication: { scheme: 'nonsense' } } }],
    [{ push_notification_config: { authentication: '' } }],
    [{ accounts: [{}, { notification_configs: [{}, { authentication: block }] }] }],
    [{ a: { b: { c: { push_notification_config: { authentication: {} } } } } }],
  ])('is found in %j', (args) => {
    expect(hasLegacyRegistration(args)).toBe(true);
  });

  it.each([
    [{}],
    [null],
    ['push_notification_config'],
    [{ push_notification_config: { url: 'https://b.example' } }],
    [{ push_notification_config: { url: 'https://b.example', authentication: null } }],
    [{ reporting: { authentication: block } }],
  ])('is not found in %j', (args) => {
    expect(hasLegacyRegistration(args)).toBe(false);
  });

  it('is looked for without end in no arguments', () => {
    let nested: object = { push_notification_config: { authentication: {} } };
    for (let depth = 0; depth < 10_000; depth += 1) nested = { nested };
    expect(hasLegacyRegistration(nested)).toBe(false);
  });
});
