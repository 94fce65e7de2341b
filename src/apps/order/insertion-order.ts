import type { Host } from '../host/host.js';
import { el } from '../view/dom.js';
import { factList, outwardLink } from '../view/parts.js';
import { day, money, plain } from '../view/words.js';

/** The insertion order that a seller wants accepted before a held plan is bought, as get_products has it. */
export type InsertionOrder = {
  readonly io_id: string;
  readonly terms?: {
    readonly publisher?: string;
    readonly total_budget?: { readonly amount: number; readonly currency: string };
    readonly flight_start?: string;
    readonly flight_end?: string;
    readonly payment_terms?: string;
    readonly text?: string;
  };
  readonly terms_url?: string;
  readonly signing_url?: string;
};

/** Who accepts which insertion order, as create_media_buy takes it. */
export type Acceptance = {
  readonly io_id: string;
  readonly accepted_at: string;
  readonly signatory: string;
  readonly signature_id?: string | undefined;
};

/** The part of a form in which an insertion order is read and accepted. */
type AcceptanceForm = {
  readonly element: HTMLElement;
  /** Returns the acceptance; undefined, and says where, while something is missing. */
  readonly read: () => Acceptance | undefined;
};

/** Returns the part of a form that shows an insertion order word for word, and has a person accept it by name. */
export function acceptanceForm(host: Host, order: InsertionOrder): AcceptanceForm {
  const { io_id, signing_url, terms = {}, terms_url } = order;
  const signatory = el('input', { name: 'signatory', type: 'text', required: true, maxlength: 250 });
  const signature = el('input', { name: 'signature', type: 'text', required: true, maxlength: 255 });
  const accepts = el('input', { name: 'accepts', type: 'checkbox', required: true });
  const inputs = signing_url === undefined ? [signatory, accepts] : [signature, signatory, accepts];
  const facts = factList([
    ['Number', io_id],
    ['Seller', terms.publisher],
    ['Runs', terms.flight_end && `${day(terms.flight_start)} to ${day(terms.flight_end)}`],
    ['Paid', terms.payment_terms && plain(terms.payment_terms)],
    ['Total', terms.total_budget && money(terms.total_budget.amount, terms.total_budget.currency)],
  ]);
  const element = el(
    'section',
    { class: 'insertion', 'aria-label': 'Insertion order' },
    el('h4', {}, 'Insertion order'),
    facts,
    terms.text === undefined ? undefined : el('blockquote', {}, terms.text),
    el(
      'div',
      { class: 'row' },
      terms_url === undefined ? undefined : outwardLink(host, 'Read the terms', terms_url),
      signing_url === undefined ? undefined : outwardLink(host, 'Sign it', signing_url),
    ),
    el(
      'div',
      { class: 'fields' },
      signing_url === undefined ? undefined : labelled('Number of the signature', signature),
      labelled('Your name', signatory),
      el('label', { class: 'tick' }, accepts, el('span', {}, 'I accept this insertion order for the buyer')),
    ),
  );
  let accepted: Acceptance | undefined;
  const read = (): Acceptance | undefined => {
    if (accepted !== undefined) return accepted;
    if (!inputs.every((input) => input.reportValidity())) return undefined;
    const signature_id = signing_url === undefined ? undefined : signature.value;
    accepted = { io_id, accepted_at: new Date().toISOString(), signatory: signatory.value, signature_id };
    // An order that is sent again is the same one, to the time of its acceptance.
    for (const input of inputs) input.disabled = true;
    return accepted;
  };
  return { element, read };
}

function labelled(label: string, input: HTMLElement): HTMLElement {
  return el('label', {}, el('span', {}, label), input);
}
