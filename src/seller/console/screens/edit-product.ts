import { ConfigError } from '../../../platform/kernel/errors.js';
import { type Html, html } from '../../../platform/web/html.js';
import { type Draft, draftsAt, textAt } from '../../config/draft.js';
import {
  editProductText,
  type ProductChange,
  productFields,
  readWrittenProduct,
  refuseEdit,
} from '../../config/edit-product.js';
import { readJsonFile } from '../../config/json-file.js';
import { isAtLeast } from '../../domain/console/access.js';
import { modelText } from '../../domain/product/pricing-words.js';
import { CONSOLE_PATH } from '../page/assets.js';
import { csrfField, textField } from '../page/forms.js';
import { card } from '../page/pieces.js';
import type { ConsoleAct, ConsolePage, Visit } from '../visit.js';

const PATH = `${CONSOLE_PATH}/products`;

/** Fields whose names say what they are; prices are called by their pricing option. */
const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  daily_impressions: 'Impressions a day',
};
const FIELD = 'field.';

const subject = ({ params }: Visit): string => `${params.tenant}/${params.id}`;

/** Returns where a product of a tenant is changed. */
export function editPath(tenant: string, productId: string): string {
  return `${PATH}/${encodeURIComponent(tenant)}/${encodeURIComponent(productId)}`;
}

/** Returns the page where a product is changed as its tenant's file has it. */
export async function showProduct({ app, params, visitor }: Visit): Promise<ConsolePage | undefined> {
  const { id = '', tenant = '' } = params;
  const file = app.sellers().get(tenant)?.tenant.file;
  const written = file === undefined ? undefined : readWrittenProduct(await readJsonFile(file), id);
  if (written === undefined) return undefined;
  const canEdit = isAtLeast(visitor.role, 'admin');
  const form = (kind: ProductChange['kind'], content: Html): Html =>
    html`<form method="post" action="${editPath(tenant, id)}">${csrfField(visitor)}<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="version" value="${written.version}">${content}<button class="primary">Save</button></form>`;
  const fields = Object.entries(productFields(written.draft)).map(([name, value]) =>
    name === 'description'
      ? html`<label class="field"><span>Description</span><textarea name="${FIELD}${name}" rows="3" maxlength="5000">${value}</textarea></label>`
      : textField(`${FIELD}${name}`, LABELS[name] ?? priceLabel(written.draft, name), value),
  );
  const rows = Math.min(40, written.text.split('\n').length + 1);
  const text = html`<label class="field"><span>The product in the tenant file</span><textarea name="text" class="code" rows="${rows}" spellcheck="false">${written.text}</textarea></label>`;
  return {
    title: String(written.draft.name ?? id),
    lead: html`${id} of ${tenant}. A change is checked, written to the tenant file, and on sale at once; buys that are sold keep their terms.`,
    body: canEdit
      ? html`${card({ id: 'fields', title: 'What changes most', body: form('fields', html`${fields}`) })}<details class="card spaced"><summary><h2 id="whole">All of it</h2></summary>${form('text', text)}</details>`
      : html`<p class="hint">Your role looks on; who has the role admin changes products.</p><pre tabindex="0">${written.text}</pre>`,
  };
}

/** Returns the label of a price: which option it is of, its currency and its model. */
function priceLabel(draft: Draft, name: string): string {
  const id = name.slice(name.indexOf('.') + 1);
  const option = draftsAt(draft, 'pricing_options').find((one) => one.draft.pricing_option_id === id)?.draft;
  const [currency, model] = [textAt(option ?? {}, 'currency'), textAt(option ?? {}, 'pricing_model')];
  const unit = [currency, model === undefined ? undefined : modelText(model)].filter((word) => word !== undefined);
  return `Price of ${id}, ${unit.join(' ')}`;
}

/** Changes a product in its tenant's file. */
export const EDIT_PRODUCT: ConsoleAct = {
  path: `${PATH}/:tenant/:id`,
  role: 'admin',
  action: 'product.edit',
  subject,
  detail: ({ form }) => (form.text('kind') === 'text' ? 'all of it' : 'its fields'),
  back: ({ params }) => editPath(params.tenant ?? '', params.id ?? ''),
  run: async ({ editTenant, form, params }) => {
    const { id = '', tenant = '' } = params;
    const change: ProductChange =
      form.text('kind') === 'text'
        ? { kind: 'text', text: form.all('text')[0] ?? '' }
        : { kind: 'fields', fields: fieldsOf(form.entries()) };
    const edit = { productId: id, version: form.text('version') ?? '', change };
    try {
      await editTenant(tenant, (json) => editProductText(json, edit));
    } catch (error) {
      throw error instanceof ConfigError ? refuseEdit(error) : error;
    }
    return { to: editPath(tenant, id), says: 'It is written to the tenant file, and on sale like this.' };
  },
};

function fieldsOf(entries: readonly (readonly [name: string, value: string])[]): Readonly<Record<string, string>> {
  const own = entries.filter(([name]) => name.startsWith(FIELD));
  return Object.fromEntries(
    own.map(([name, value]) => [name.slice(FIELD.length), value.replaceAll('\r\n', '\n').trim()]),
  );
}
