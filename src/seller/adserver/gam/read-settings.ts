import { isObject, readJson } from '../../../platform/kernel/json/json.js';
import { TimeZone } from '../../domain/time-zone.js';
import { AdServerSettingsError } from '../errors.js';
import type { SettingsFault } from '../port/adapter.js';
import type { ProductMapping } from '../port/answers.js';
import { type GamSettings, readSize, type ServiceAccount } from './settings.js';

const ID = /^\d{1,19}$/;

/** A member of settings: whether a value is as it should be, and what to write. */
type Rule = { readonly isRight: (value: unknown) => boolean; readonly fix: string; readonly isNeeded?: boolean };

const isId = (value: unknown): boolean => typeof value === 'string' && ID.test(value);
const isListOf = (value: unknown, isRight: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= MAX_MEMBERS && value.every(isRight);
const isTable = (value: unknown): boolean => isObject(value) && isListOf(Object.values(value), isId);

const MAX_MEMBERS = 1000;
const MAX_REQUESTS_PER_SECOND = 50;
const IDS = 'Write ids of Ad Manager as texts, such as "123456".';
const TABLE = 'Write a table of ids of Ad Manager as texts, such as {"US": "2840"}.';

const SETTINGS: Readonly<Record<string, Rule>> = {
  adapter: { isRight: (value) => value === 'gam', fix: 'Write "gam".' },
  network_code: { isRight: isId, fix: 'Write the code of the network as a text, such as "123456".', isNeeded: true },
  trafficker: { isRight: isId, fix: 'Write the id of the user who answers for the orders as a text.', isNeeded: true },
  soap_version: {
    isRight: (value) => typeof value === 'string' && /^v20\d{2}(?:02|05|08|11)$/.test(value),
    fix: 'Write a version that is on, such as "v202608": https://developers.google.com/ad-manager/api/deprecation.',
    isNeeded: true,
  },
  currency: {
    isRight: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
    fix: 'Write the currency of the network, such as "USD".',
    isNeeded: true,
  },
  time_zone: {
    isRight: isZone,
    fix: 'Write the time zone of the network, such as "America/New_York".',
    isNeeded: true,
  },
  service_account: {
    isRight: (value) => readAccount(value) !== undefined,
    fix: 'Write {"env": "NAME"}, and set the variable to the JSON key of the service account.',
    isNeeded: true,
  },
  requests_per_second: {
    isRight: (value) => typeof value === 'number' && value >= 0.1 && value <= MAX_REQUESTS_PER_SECOND,
    fix: `Write 0.1 to ${MAX_REQUESTS_PER_SECOND}: what the network may be asked, 2 unless it is of the larger kind, 8 then.`,
  },
  advertisers: { isRight: isTable, fix: TABLE },
  geo_targets: { isRight: isTable, fix: TABLE },
  device_categories: { isRight: isTable, fix: TABLE },
};

const PRODUCT: Readonly<Record<string, Rule>> = {
  ad_units: { isRight: (value) => isListOf(value, isId), fix: IDS },
  placements: { isRight: (value) => isListOf(value, isId), fix: IDS },
  sizes: {
    isRight: (value) => isListOf(value, isSize) && Array.isArray(value) && value.length > 0,
    fix: 'Write the sizes of its lines, such as ["300x250"].',
    isNeeded: true,
  },
  custom_targeting: {
    isRight: (value) => isListOf(value, isCustomTargeting),
    fix: 'Write [{"key": "1", "values": ["2"]}] with ids of Ad Manager.',
  },
  share_percent: {
    isRight: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 100,
    fix: 'Write a whole number from 1 to 100.',
  },
};

/** Returns the settings of a tenant. Throws AdServerSettingsError with all that is wrong. */
export function readSettings(settings: Readonly<Record<string, unknown>>): GamSettings {
  const faults = listFaults(settings, SETTINGS);
  if (faults.length > 0) throw new AdServerSettingsError(faults);
  return { ...(settings as GamSettings), service_account: readAccount(settings.service_account) ?? NO_ACCOUNT };
}

const NO_ACCOUNT: ServiceAccount = { client_email: '', private_key: '' };

/** Returns what is wrong with the settings of a product. */
export function judgeProduct({ adapter }: ProductMapping): readonly SettingsFault[] {
  const faults = listFaults(adapter, PRODUCT);
  const { ad_units, placements } = adapter;
  const isSomewhere = [ad_units, placements].some((one) => Array.isArray(one) && one.length > 0);
  if (isSomewhere || faults.length > 0) return faults;
  return [{ field: 'ad_units', message: 'The product runs nowhere.', fix: 'Name its ad_units or its placements.' }];
}

function listFaults(
  members: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
): readonly SettingsFault[] {
  const unknown = Object.keys(members)
    .filter((field) => !Object.hasOwn(rules, field))
    .map((field) => ({
      field,
      message: 'There is no such member.',
      fix: `Write one of ${Object.keys(rules).join(', ')}.`,
    }));
  const wrong = Object.entries(rules).flatMap(([field, { fix, isNeeded = false, isRight }]) => {
    const value = members[field];
    if (value === undefined) return isNeeded ? [{ field, message: 'It is missing.', fix }] : [];
    return isRight(value) ? [] : [{ field, message: 'It is not as it should be.', fix }];
  });
  return [...unknown, ...wrong];
}

function isZone(value: unknown): boolean {
  try {
    return typeof value === 'string' && new TimeZone(value) instanceof TimeZone;
  } catch {
    return false;
  }
}

function isSize(value: unknown): boolean {
  return typeof value === 'string' && readSize(value) !== undefined;
}

function isCustomTargeting(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { key, negative = false, values } = value;
  return isId(key) && typeof negative === 'boolean' && isListOf(values, isId);
}

/** Reads the key of a service account: the text that Google Cloud hands out, or the object that it says. */
function readAccount(value: unknown): ServiceAccount | undefined {
  const key = typeof value === 'string' ? readJson(value) : value;
  if (!isObject(key)) return undefined;
  const { client_email, private_key, private_key_id } = key;
  if (typeof client_email !== 'string' || typeof private_key !== 'string') return undefined;
  return { client_email, private_key, private_key_id: typeof private_key_id === 'string' ? private_key_id : undefined };
}
