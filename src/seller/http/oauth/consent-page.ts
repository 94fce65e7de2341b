import { type Html, html } from '../../../platform/web/html.js';
import { GRANT_SCOPES, type GrantScope } from '../../domain/tenant/grant.js';
import type { Seller } from '../../domain/tenant/seller.js';
import { decisionPage, type Page } from '../decision-page.js';
import { OAUTH_PATHS } from './paths.js';

/** For how many days somebody may let a client in. */
export const EXPIRIES_DAYS = [1, 30, 90] as const;

/** The question that somebody is asked. */
export type ConsentQuestion = {
  readonly uid: string;
  readonly seller: Seller;
  /** As the client calls itself; nobody has checked it. */
  readonly clientName: string;
  /** Where the code goes. */
  readonly redirectUri: string;
  /** What the client asked for: no more can be given. */
  readonly asked: readonly GrantScope[];
  /** Whether people of the console may give access in the place of a principal. */
  readonly hasPeople: boolean;
  readonly mayTrySandbox: boolean;
  /** Why the last answer was not taken. */
  readonly problem?: string | undefined;
};

/** What each choice gives, the least first. */
const CHOICES: Readonly<Record<GrantScope, { readonly title: string; readonly says: string }>> = {
  read: {
    title: 'Look only',
    says: 'Products, prices, campaigns and their delivery. Nothing can be changed or bought.',
  },
  buy: {
    title: 'Look and buy',
    says: 'Also books and changes campaigns, up to the daily limit below, and uploads creatives.',
  },
  operate: { title: 'Look, buy and set up', says: 'Also sets up accounts and who approves for them.' },
};

/** Returns the page that asks whether a client may act for somebody, and how far. */
export function consentPage(question: ConsentQuestion): Page {
  const { clientName, problem, redirectUri, seller } = question;
  const { host, protocol } = new URL(redirectUri);
  const title = `Let ${clientName} use ${seller.tenant.name}?`;
  return decisionPage(
    title,
    html`<header><p class="over">${seller.tenant.name} · sign in</p><h1>${title}</h1>
<p class="lead">A program that calls itself “${clientName}” asks to act for you here. Go on only if you have just started this there.</p></header>
${problem !== undefined && html`<p class="notice problem" role="alert">${problem}</p>`}
<section aria-labelledby="facts"><h2 id="facts">Who asks</h2><dl>
<div><dt>Program</dt><dd>${clientName} <small>This name is its own; nobody has checked it.</small></dd></div>
<div><dt>Gets the answer</dt><dd>${host === '' ? protocol : `${protocol}//${host}`}</dd></div>
<div><dt>Seller</dt><dd>${seller.tenant.name}</dd></div>
<div><dt>Address</dt><dd>${seller.url}</dd></div></dl></section>
${allowForm(question)}
${question.mayTrySandbox && trySection(question)}
<section aria-labelledby="deny"><h2 id="deny">Or not</h2><form method="post" action="${pathOf(question)}"><input type="hidden" name="decision" value="deny"><button type="submit" class="reject" formnovalidate>Deny</button></form></section>`,
    [host === '' ? protocol : new URL(redirectUri).origin],
  );
}

function pathOf({ uid }: ConsentQuestion): string {
  return `${OAUTH_PATHS.consent}/${uid}`;
}

function allowForm(question: ConsentQuestion): Html {
  const { asked, hasPeople, seller } = question;
  const offered = GRANT_SCOPES.filter((scope) => asked.includes(scope));
  const usual = offered.includes('buy') ? 'buy' : offered[0];
  return html`<section aria-labelledby="allow"><h2 id="allow">What you allow</h2><form method="post" action="${pathOf(question)}"><input type="hidden" name="decision" value="allow">
<fieldset><legend>What it may do</legend>${offered.map((scope) => choice(scope, scope === usual))}</fieldset>
${offered.some((scope) => scope !== 'read') && limitFields(seller)}
<label for="days">How long</label><select id="days" name="days">${EXPIRIES_DAYS.map((days) => dayOption(days))}</select>
<label for="key">Your access key <small>The API key that ${seller.tenant.name} gave you. The program never sees it, and its access ends with the key.</small></label>
<input id="key" name="key" type="password" autocomplete="off" maxlength="500"${hasPeople ? html`` : html` required`}>
${hasPeople && peopleFields()}
<button type="submit" class="approve">Allow</button></form></section>`;
}

function choice(scope: GrantScope, isChosen: boolean): Html {
  const { says, title } = CHOICES[scope];
  const checked = isChosen ? html` checked` : html``;
  return html`<label class="choice"><input type="radio" name="access" value="${scope}"${checked}><span><b>${title}</b><small>${says}</small></span></label>`;
}

function dayOption(days: number): Html {
  const label = days === 1 ? '1 day' : `${days} days`;
  return days === 30
    ? html`<option value="${days}" selected>${label}</option>`
    : html`<option value="${days}">${label}</option>`;
}

function limitFields(seller: Seller): Html {
  const currencies = currenciesOf(seller);
  return html`<div class="pair"><div><label for="limit">Most it may commit in a day <small>All orders of a day (UTC) together.</small></label><input id="limit" name="limit" type="number" min="0" max="1000000000" step="0.01" value="500" required></div>
<div><label for="currency">Currency <small>Orders in another one are refused.</small></label><select id="currency" name="currency">${currencies.map((currency) => html`<option value="${currency}">${currency}</option>`)}</select></div></div>`;
}

/** Returns the currencies that a seller sells in; that of its own limit alone where it has one. */
export function currenciesOf({ tenant }: Seller): readonly string[] {
  const limit = tenant.oauth?.limit;
  if (limit !== undefined) return [limit.currency];
  const sold = tenant.products.flatMap((product) => product.pricing_options.map(({ currency }) => currency));
  return sold.length === 0 ? ['USD'] : [...new Set(sold)];
}

function peopleFields(): Html {
  return html`<details><summary>I work for the seller, and have a name in its console</summary>
<label for="name">Name</label><input id="name" name="name" autocomplete="username" maxlength="100">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" maxlength="1000">
<label for="principal">Buyer that it acts as <small>The id of a principal in the tenant's file.</small></label><input id="principal" name="principal" autocomplete="off" maxlength="200"></details>`;
}

function trySection(question: ConsentQuestion): Html {
  return html`<section aria-labelledby="try"><h2 id="try">No key?</h2><p>Look around in the sandbox: nothing there is real, and nothing costs anything.</p><form method="post" action="${pathOf(question)}"><input type="hidden" name="decision" value="try"><button type="submit" class="ask" formnovalidate>Try the sandbox</button></form></section>`;
}
