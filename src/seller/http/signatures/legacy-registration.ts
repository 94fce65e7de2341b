import { isObject } from '../../../platform/kernel/json/json.js';

const REGISTRATIONS: ReadonlySet<string> = new Set(['push_notification_config', 'notification_configs']);
/** Deepest nesting of arguments that is searched. */
const MAX_DEPTH = 12;

/** Whether arguments hold a registration with an `authentication` block, valid or not: it is looked for before anything is validated. */
export function hasLegacyRegistration(args: unknown): boolean {
  let layer: readonly unknown[] = [args];
  for (let depth = 0; layer.length > 0 && depth <= MAX_DEPTH; depth += 1) {
    const members = layer.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.entries(value) : [],
    );
    if (members.some(([name, value]) => REGISTRATIONS.has(name) && hasAuthentication(value))) return true;
    layer = members.map(([, value]) => value);
  }
  return false;
}

function hasAuthentication(registration: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(registration) ? registration : [registration];
  return list.some((one) => isObject(one) && one.authentication !== undefined && one.authentication !== null);
}
