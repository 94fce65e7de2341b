import { secondText } from '../../platform/kernel/clock.js';
import type { Settings } from '../../seller/config/settings.js';
import { COMMAND_LINE } from '../../seller/tasks/people/acts.js';
import { type GrantOperation, operateGrants } from '../../seller/tasks/people/grants.js';
import { operatePortalLinks, type PortalOperation } from '../../seller/tasks/people/portal-links.js';
import { operateUsers, type UserOperation } from '../../seller/tasks/people/users.js';
import { askRunning, asOperator } from '../operator.js';
import { plain } from '../terminal.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Lists, adds or removes people who may use the console; returns what came of it as text. */
export async function operatePeople(settings: Settings, env: Environment, operation: UserOperation): Promise<string> {
  const request = { path: '/users', body: operation };
  const { password, users } = await asOperator(settings, env, request, ({ app }) => operateUsers(app, operation));
  if (operation.operation === 'new') {
    const made = password === undefined ? [] : ['', `    ${password}`, '', 'The password is shown this once.'];
    return [`${operation.name} may use the console with the role ${operation.role}.`, ...made].map(plain).join('\n');
  }
  if (users.length === 0) return 'Nobody but who is given a link (`console link`) may use the console.';
  return users
    .map(({ created_at, name, role }) => plain(`${name}  ${role}  since ${secondText(created_at)}`))
    .join('\n');
}

/** Lists, makes or revokes links of the portal; returns what came of it as text. */
export async function operatePortal(settings: Settings, env: Environment, operation: PortalOperation): Promise<string> {
  const request = { path: '/portal-links', body: operation };
  const { links, url } = await asOperator(settings, env, request, ({ app }) =>
    operatePortalLinks(app, COMMAND_LINE, operation),
  );
  if (url !== undefined)
    return [
      url,
      '',
      'It is shown this once. Whoever has it sees what its buyer has: send it by a way that only the buyer reads.',
    ]
      .map(plain)
      .join('\n');
  if (operation.operation === 'revoke') return plain(`The link ${operation.id} opens nothing any more.`);
  if (links.length === 0) return 'No buyer has a link: make one with "portal new".';
  return links
    .map((link) =>
      plain(`${link.id}  ${link.tenant}#${link.principal}  ${link.state}  until ${secondText(link.expires_at)}`),
    )
    .join('\n');
}

/** Lists or ends what clients are let do by OAuth; returns what came of it as text. */
export async function operateOauthGrants(
  settings: Settings,
  env: Environment,
  operation: GrantOperation,
): Promise<string> {
  const request = { path: '/grants', body: operation };
  const { grants } = await asOperator(settings, env, request, ({ app }) => operateGrants(app, operation));
  if (operation.operation === 'revoke') return plain(`The grant ${operation.id} opens nothing any more.`);
  if (grants.length === 0) return 'Nobody has let a program do anything by OAuth.';
  return grants
    .map(({ client, expires_at, given_by, id, max_daily_spend: most, principal, scopes, tenant }) => {
      const spend = most === undefined ? '' : `, ${most.amount} ${most.currency} a day`;
      return plain(
        `${id}  ${tenant}#${principal}  ${client}: ${scopes.join(' ')}${spend}  given by ${given_by}  until ${secondText(expires_at)}`,
      );
    })
    .join('\n');
}

/** Returns a link that signs in to the console of the running server, once. Throws where none runs. */
export async function printSignInLink({ dataDir }: Settings): Promise<string> {
  const answer = await askRunning(dataDir, { path: '/sign-in-link', body: {} });
  if (answer === undefined || !('link' in answer))
    throw new Error(`No server runs on ${dataDir}: start it with "serve".`);
  return plain(String(answer.link));
}
