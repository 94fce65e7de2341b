import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Booted, boot } from '../kit/boot.js';
import { BROWSER } from '../kit/browser.js';
import { consoleUrl } from '../kit/console.js';
import { freePort, send } from '../kit/http.js';
import { CONSOLE_CLIENT, startIdentityProvider } from '../kit/identity-provider.js';

const PEOPLE = {
  ada: { email: 'ada@news.example', groups: ['everybody', 'ad-operations'] },
  grace: { email: 'grace@news.example', groups: ['platform-team', 'ad-operations'] },
  mallory: { email: 'mallory@elsewhere.example', groups: ['everybody'] },
};

describe.skipIf(BROWSER === undefined)('the console with an identity provider, in a browser', () => {
  let browser: Browser;
  let server: Booted;
  let origin: string;

  beforeAll(async () => {
    const adminPort = await freePort();
    const issuer = await startIdentityProvider(PEOPLE, () => [`http://127.0.0.1:${adminPort}/console/oidc/callback`]);
    const roles = { view: [], operate: ['ad-operations'], admin: ['platform-team'] };
    const provider = {
      issuer,
      clientId: CONSOLE_CLIENT.id,
      clientSecret: CONSOLE_CLIENT.secret,
      roleClaim: 'groups',
      roles,
    };
    const settings = { adminPort, signInProvider: { ...provider, scopes: 'openid profile email' } };
    server = await boot({ at: new Date().toISOString(), ids: 'system', settings });
    origin = consoleUrl(server);
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });

  afterAll(() => browser?.close());

  /** Goes to a page of the console, signs in at the provider and agrees there. */
  async function signIn(name: string, to = '/console'): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${origin}${to}`);
    await page.getByRole('link', { name: 'Sign in with 127.0.0.1' }).click();
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.getByRole('button', { name: /sign-in/i }).click();
    await page.getByRole('button', { name: /continue/i }).click();
    await page.waitForURL(/\/console/);
    return page;
  }

  it('signs people in with the role that their groups give, and takes them where they were going', async () => {
    const page = await signIn('ada', '/console/webhooks');
    expect(new URL(page.url()).pathname).toBe('/console/webhooks');
    expect(await page.locator('.who').textContent()).toContain('ada@news.example (127.0.0.1)');
    expect(await page.locator('.who small').textContent()).toBe('operate');
    const admin = await signIn('grace');
    expect(await admin.locator('.who small').textContent()).toBe('admin');
    const [entry] = await server.server().app.store.read.audit.about('grace@news.example (127.0.0.1)', 1);
    expect(entry).toMatchObject({ action: 'console.sign-in', detail: 'by oidc' });
  }, 120_000);

  it('turns away who has no role, and begins no session', async () => {
    const page = await signIn('mallory');
    expect(await page.getByRole('alert').textContent()).toContain('You have no role here');
    await page.goto(`${origin}/console/buys`);
    expect(new URL(page.url()).pathname).toBe('/console/sign-in');
  }, 120_000);

  it('takes no answer that was not asked for in the same browser, and none twice', async () => {
    const begun = await send(`${origin}/console/oidc/start`);
    const state = new URL(begun.headers.location ?? '').searchParams.get('state') ?? '';
    expect(state.length).toBeGreaterThan(20);
    expect(new URL(begun.headers.location ?? '').searchParams.get('code_challenge_method')).toBe('S256');
    const foreign = await send(`${origin}/console/oidc/callback?code=x&state=${state}`);
    expect([foreign.status, foreign.text.includes('not begun in this browser')]).toEqual([403, true]);
    const cookie = (begun.headers['set-cookie'] ?? '').split(';')[0] ?? '';
    const late = await send(`${origin}/console/oidc/callback?code=x&state=${state}`, { headers: { cookie } });
    expect(late.status).toBe(403);
    const forged = await send(`${origin}/console/oidc/callback?code=x&state=forged`, { headers: { cookie } });
    expect(forged.status).toBe(403);
  }, 60_000);
});
