import { type Html, html } from '../../../platform/web/html.js';
import { isAtLeast, type Role } from '../../domain/console/access.js';
import type { Visitor } from '../access/sessions.js';

/** Returns the field by which a form shows that it is one of ours. */
export function csrfField({ csrf }: Pick<Visitor, 'csrf'>): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

/** A form of one button. */
type ButtonForm = {
  readonly action: string;
  readonly label: string;
  readonly role: Role;
  readonly look?: 'primary' | 'danger' | 'quiet' | undefined;
  /** What it is about, for who does not see what it stands beside. */
  readonly about?: string | undefined;
  readonly fields?: Readonly<Record<string, string>> | undefined;
};

/** Returns a form of one button; nothing for who may not press it. */
export function buttonForm(visitor: Visitor, form: ButtonForm): Html | false {
  if (!isAtLeast(visitor.role, form.role)) return false;
  const fields = Object.entries(form.fields ?? {}).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const about = form.about !== undefined && html`<span class="unseen"> ${form.about}</span>`;
  return html`<form method="post" action="${form.action}" class="inline">${csrfField(visitor)}${fields}<button class="${form.look ?? ''}">${form.label}${about}</button></form>`;
}

/** An option of a select: its value and its words. */
export type Choice = readonly [value: string, label: string];

/** Returns a labeled select; the first option is for none where `none` has words for it. */
export function select(name: string, label: string, choices: readonly Choice[], chosen: string | undefined): Html {
  const options = choices.map(([value, text]) =>
    value === (chosen ?? '')
      ? html`<option value="${value}" selected>${text}</option>`
      : html`<option value="${value}">${text}</option>`,
  );
  return html`<label class="field"><span>${label}</span><select name="${name}">${options}</select></label>`;
}

/** Returns a labeled field of text. */
export function textField(name: string, label: string, value: string | undefined, hint = ''): Html {
  return html`<label class="field"><span>${label}</span><input type="text" name="${name}" value="${value ?? ''}" placeholder="${hint}" maxlength="300" autocomplete="off"></label>`;
}
