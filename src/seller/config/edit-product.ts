import { findNodeAtLocation } from 'jsonc-parser';
import { sha256Hex } from '../../platform/kernel/canonical.js';
import type { ConfigError } from '../../platform/kernel/errors.js';
import { TaskError } from '../../protocol/errors.js';
import { type Draft, draftAt, draftsAt, isDraft } from './draft.js';
import { type JsonFile, type JsonPath, parseJsonFile } from './json-file.js';
import { draftOf, replaceAt } from './keys/edit-json.js';

/** A product as its tenant's file has it. */
type WrittenProduct = {
  /** Its text, to the letter. */
  readonly text: string;
  /** Another one once somebody has changed it. */
  readonly version: string;
  readonly draft: Draft;
};

/** A product's change: another text, or other values of the fields that people change most. */
export type ProductChange =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, string>> };

/** An edit of a product by somebody who looked at a version of it. */
type ProductEdit = { readonly productId: string; readonly version: string; readonly change: ProductChange };

/** Fields of a form that are texts and numbers of the product, by where they stand in it. */
const FIELDS: Readonly<Record<string, { readonly path: JsonPath; readonly isNumber: boolean }>> = {
  name: { path: ['name'], isNumber: false },
  description: { path: ['description'], isNumber: false },
  daily_impressions: { path: ['inventory', 'daily_impressions'], isNumber: true },
};
/** The field of a price is called so, with the id of its pricing option after it. */
const PRICE = 'price.';
const PRICE_MEMBERS = ['fixed_price', 'floor_price'] as const;

/** Returns a product as a tenant's file has it; undefined where it has none of this id. */
export function readWrittenProduct(json: JsonFile, productId: string): WrittenProduct | undefined {
  const at = locate(json, productId);
  const node = at && json.tree && findNodeAtLocation(json.tree, [...at.path]);
  if (at === undefined || node === undefined) return undefined;
  const text = json.text.slice(node.offset, node.offset + node.length);
  return { text, version: sha256Hex(text), draft: at.draft };
}

/** Returns the fields that people change most with their values, by the names of a form. */
export function productFields(draft: Draft): Readonly<Record<string, string>> {
  const own = Object.entries(FIELDS).map(([name, { path }]) => [name, valueAt(draft, path)] as const);
  const prices = draftsAt(draft, 'pricing_options').flatMap(({ draft: option }) => {
    const member = PRICE_MEMBERS.find((one) => option[one] !== undefined);
    return member === undefined ? [] : [[`${PRICE}${String(option.pricing_option_id)}`, option[member]] as const];
  });
  return Object.fromEntries([...own, ...prices].map(([name, value]) => [name, String(value ?? '')]));
}

/** Returns the text of a tenant's file after an edit. Throws CONFLICT where the product was changed meanwhile, INVALID_REQUEST for what is no value. */
export function editProductText(json: JsonFile, { change, productId, version }: ProductEdit): string {
  draftOf(json);
  const before = readWrittenProduct(json, productId);
  const at = locate(json, productId);
  if (before === undefined || at === undefined) throw refuseChanged('The product is not in the file any more.');
  if (before.version !== version) throw refuseChanged('Somebody changed this product meanwhile.');
  return change.kind === 'text' ? withText(json, at.path, change.text) : withFields(json, at, change.fields);
}

/** Returns the refusal for what is wrong with an edited file: the field, as the product has it, and what to do. */
export function refuseEdit({ problems }: ConfigError): TaskError {
  const [first] = problems;
  const field = first?.pointer.replace(/^\/products\/\d+\/?/, '').replaceAll('/', '.');
  const where = field === undefined || field === '' ? '' : `${field}: `;
  return new TaskError(
    'INVALID_REQUEST',
    `Nothing was changed. ${where}${first?.message ?? 'The file cannot be served'}.`,
    {
      field,
      suggestion: first?.fix,
    },
  );
}

function withText(json: JsonFile, path: JsonPath, given: string): string {
  const text = given.replaceAll('\r\n', '\n').trim();
  const parsed = parseJsonFile(json.file, text);
  const [problem] = parsed.problems;
  if (problem !== undefined)
    throw refuseProduct(`line ${problem.line}`, `In line ${problem.line} ${problem.message}.`, problem.fix);
  const { value } = parsed;
  const before = json.tree && findNodeAtLocation(json.tree, [...path]);
  if (!isDraft(value) || before === undefined)
    throw refuseProduct('', 'A product is an object.', 'Put it into braces.');
  const node = json.tree && findNodeAtLocation(json.tree, [...path, 'product_id']);
  if (value.product_id !== node?.value)
    throw refuseProduct(
      'product_id',
      'The id of a product stays: buys hang on it.',
      `Write "${node?.value}", or add a product in the file.`,
    );
  return `${json.text.slice(0, before.offset)}${text}${json.text.slice(before.offset + before.length)}`;
}

type Located = { readonly path: JsonPath; readonly draft: Draft };

function withFields(json: JsonFile, { draft, path }: Located, fields: Readonly<Record<string, string>>): string {
  const before = productFields(draft);
  let edited = json;
  for (const [name, text] of Object.entries(fields)) {
    if (before[name] === undefined || before[name] === text) continue;
    const { isNumber, path: within } = fieldAt(draft, name);
    const value = isNumber ? readNumber(name, text) : text;
    edited = parseJsonFile(json.file, replaceAt(edited, [...path, ...within], value));
  }
  return edited.text;
}

function fieldAt(draft: Draft, name: string): { readonly path: JsonPath; readonly isNumber: boolean } {
  const own = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (own !== undefined) return own;
  const options = draftsAt(draft, 'pricing_options');
  const index = options.findIndex(({ draft: { pricing_option_id: id } }) => `${PRICE}${String(id)}` === name);
  const option = options[index]?.draft ?? {};
  const member = PRICE_MEMBERS.find((one) => option[one] !== undefined) ?? 'fixed_price';
  return { path: ['pricing_options', index, member], isNumber: true };
}

function readNumber(name: string, text: string): number {
  if (/^\d{1,15}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw refuseProduct(
    name,
    `${name} is a number that is not negative.`,
    'Write digits, with a point before cents: 12.5.',
  );
}

function locate(json: JsonFile, productId: string): Located | undefined {
  if (!isDraft(json.value)) return undefined;
  return draftsAt(json.value, 'products').find(({ draft }) => draft.product_id === productId);
}

function valueAt(draft: Draft, [first = '', second]: JsonPath): unknown {
  return second === undefined ? draft[first] : draftAt(draft, String(first))[second];
}

function refuseProduct(field: string, message: string, suggestion: string): TaskError {
  return new TaskError('INVALID_REQUEST', `Nothing was changed. ${message}`, { field, suggestion });
}

function refuseChanged(message: string): TaskError {
  return new TaskError('CONFLICT', `Nothing was changed. ${message}`, {
    suggestion: 'Look at it as it is now, and change that.',
  });
}
