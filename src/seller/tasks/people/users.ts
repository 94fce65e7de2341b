import { isoTime } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { hashPassword } from '../../../platform/sealing/password.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { type ConsoleUser, ROLES, type Role } from '../../domain/console/access.js';

/** Somebody who may use the console, as a list shows it. */
type ShownUser = Pick<ConsoleUser, 'name' | 'role'> & { readonly created_at: string };

/** An operation on the people of the console. */
export type UserOperation =
  | { readonly operation: 'list' }
  | { readonly operation: 'new'; readonly name: string; readonly role: string; readonly password?: string | undefined }
  | { readonly operation: 'remove'; readonly name: string };

/** The result of an operation on users; a password is there where it was made here, and nowhere after that. */
type OperatedUsers = { readonly users: readonly ShownUser[]; readonly password?: string | undefined };

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/;
const MIN_PASSWORD_CHARS = 12;
const MAX_PASSWORD_CHARS = 1000;
const MAX_USERS = 1000;

/** Lists, adds or removes people who may use the console; another password or role ends what was signed in. Throws a TaskError that says why not. */
export async function operateUsers(app: App, asked: unknown): Promise<OperatedUsers> {
  const { operation, name, role, password } = isObject(asked) ? asked : {};
  if (operation === 'list') return { users: await listUsers(app) };
  if (operation === 'new') return saveUser(app, { name: readName(name), role: readRole(role) }, password);
  if (operation === 'remove') return removeUser(app, readName(name));
  throw new TaskError('INVALID_REQUEST', 'Unknown operation.', {
    suggestion: 'Send {"operation": "list" | "new" | "remove"}.',
  });
}

async function listUsers({ store }: App): Promise<readonly ShownUser[]> {
  return (await store.read.consoleUsers.list()).map(({ created_at, name, role }) => ({
    name,
    role,
    created_at: isoTime(created_at),
  }));
}

async function saveUser(
  app: App,
  { name, role }: Pick<ConsoleUser, 'name' | 'role'>,
  given: unknown,
): Promise<OperatedUsers> {
  const made = given === undefined ? app.ids.secret() : undefined;
  const verifier = await hashPassword(made ?? readPassword(given));
  await app.store.transact(async (tx) => {
    const all = await tx.consoleUsers.list();
    if (all.length >= MAX_USERS && !all.some((user) => user.name === name)) throw tooMany();
    await tx.consoleUsers.save({ name, role, verifier, created_at: app.clock.now() });
    await tx.consoleSessions.endOf(name);
  });
  return { users: await listUsers(app), password: made };
}

async function removeUser(app: App, name: string): Promise<OperatedUsers> {
  await app.store.transact(async (tx) => {
    if (!(await tx.consoleUsers.remove(name))) throw refuseUnknown(name);
    await tx.consoleSessions.endOf(name);
  });
  return { users: await listUsers(app) };
}

function readName(name: unknown): string {
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw new TaskError('INVALID_REQUEST', 'A name has 1 to 100 letters, digits, ".", "_", "@" or "-".', {
    field: 'name',
    suggestion: 'Use a short name or an address of mail.',
  });
}

function readRole(role: unknown): Role {
  const known = ROLES.find((one) => one === role);
  if (known !== undefined) return known;
  throw new TaskError('INVALID_REQUEST', 'Unknown role.', { field: 'role', suggestion: `Use ${ROLES.join(', ')}.` });
}

function readPassword(password: unknown): string {
  const isFit =
    typeof password === 'string' && password.length >= MIN_PASSWORD_CHARS && password.length <= MAX_PASSWORD_CHARS;
  if (isFit) return password;
  throw new TaskError('INVALID_REQUEST', `A password has at least ${MIN_PASSWORD_CHARS} characters.`, {
    field: 'password',
    suggestion: 'Choose a longer one, or leave it out to have one made.',
  });
}

function refuseUnknown(name: string): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', `Nobody is called ${name}.`, {
    field: 'name',
    suggestion: 'Use a name of "console user list".',
  });
}

function tooMany(): TaskError {
  return new TaskError('INVALID_STATE', `There are ${MAX_USERS} people already.`, {
    suggestion: 'Remove somebody first.',
  });
}
