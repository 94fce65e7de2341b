import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/platform/kernel/errors.js';
import { checkCallbackUrl } from '../../../src/platform/net/callback-url.js';

/** Whether an address is taken from a live caller, and from a sandbox caller in development mode. */
const ADDRESSES: readonly (readonly [url: string, live: boolean, local: boolean])[] = [
  ['https://buyer.example/hooks', true, true],
  ['https://buyer.example:8443/hooks?x=1#y', true, true],
  ['https://8.8.8.8/hooks', true, true],
  ['https://[2606:4700::1111]/hooks', true, true],
  ['http://buyer.example/hooks', false, true],
  ['http://127.0.0.1:9000/hooks', false, true],
  ['https://127.0.0.1/', false, true],
  ['http://localhost:9000/', false, true],
  ['http://hooks.localhost/', false, true],
  ['http://[::1]:9000/', false, true],
  ['http://127.1/', false, true],
  ['http://2130706433/', false, true],
  ['http://0x7f000001/', false, true],
  ['https://[::ffff:127.0.0.1]/', false, true],
  ['{{runner.webhook_url}}', false, true],
  ['{{}}', false, false],
  ['https://10.0.0.1/', false, false],
  ['https://192.168.1.1/', false, false],
  ['https://172.16.0.1/', false, false],
  ['https://169.254.169.254/latest/meta-data', false, false],
  ['https://100.64.0.1/', false, false],
  ['https://0.0.0.0/', false, false],
  ['https://255.255.255.255/', false, false],
  ['https://224.0.0.1/', false, false],
  ['https://[fe80::1]/', false, false],
  ['https://[fc00::1]/', false, false],
  ['https://[::]/', false, false],
  ['https://[::ffff:10.0.0.1]/', false, false],
  ['https://[64:ff9b::a00:1]/', false, false],
  ['https://user@buyer.example/', false, false],
  ['https://user:pass@buyer.example/', false, false],
  ['https://:pass@buyer.example/', false, false],
  ['http://user@127.0.0.1/', false, false],
  ['ftp://buyer.example/', false, false],
  ['ftp://127.0.0.1/', false, false],
  ['file:///etc/passwd', false, false],
  ['javascript:alert(1)', false, false],
  ['data:text/plain,x', false, false],
  ['buyer.example/hooks', false, false],
  ['//buyer.example/hooks', false, false],
  ['https://', false, false],
  ['', false, false],
  ['http://exa mple/', false, false],
  ['https://buyer.example/ho\roks', false, false],
  ['https://buyer.example/hooks\n', false, false],
  ['https://buyer.example\t/hooks', false, false],
  ['\u0000https://buyer.example/hooks', false, false],
  [' https://buyer.example/hooks', false, false],
  ['https://buyer.example/ho oks', false, false],
  ['https://buyer.example/ho\u00a0oks', false, false],
  ['https://buyer.example/ho%20oks', true, true],
];

describe('checkCallbackUrl', () => {
  it.each(ADDRESSES)('%s: live %s, local %s', (url, live, local) => {
    for (const [allowed, policy] of [
      [live, { local: false }],
      [local, { local: true }],
    ] as const) {
      if (allowed) expect(() => checkCallbackUrl(url, 'webhook.url', policy)).not.toThrow();
      else expect(() => checkCallbackUrl(url, 'webhook.url', policy)).toThrow(InputError);
    }
  });

  it('names the field and never repeats the address', () => {
    try {
      checkCallbackUrl('https://secret:hunter2@buyer.example/', 'push_notification_config.url', { local: false });
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      expect([error.code, error.extras.field]).toEqual(['INVALID_REQUEST', 'push_notification_config.url']);
      expect(JSON.stringify([error.message, error.extras])).not.toContain('hunter2');
    }
  });

  it('knows this machine also with the dot that ends a full name', () => {
    expect(() => checkCallbackUrl('https://localhost./', 'f', { local: false })).toThrow(InputError);
    expect(() => checkCallbackUrl('https://hooks.localhost./', 'f', { local: false })).toThrow(InputError);
  });
});
