import { html, type Html } from '@millrace/service/text/html';

interface Field {
  name: string;
  label: string;
  hint?: string;
  type?: 'text' | 'email' | 'password';
  value?: string;
  /** The kind of value that a browser may fill in (WHATWG HTML, "autofill"). */
  autocomplete: string;
  isOptional?: boolean;
  isCode?: boolean;
}

/** A labelled input. */
export const field = ({
  name,
  label,
  hint,
  type = 'text',
  value = '',
  autocomplete,
  isOptional,
  isCode,
}: Field): Html =>
  html`<label for="${name}">${label}${hint === undefined ? null : html` <small>${hint}</small>`}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      autocapitalize="off"
      spellcheck="false"
      ${isCode ? html` class="code"` : null}${isOptional ? null : html` required`}
    /> `;

/** Hidden inputs, which the form sends along. */
export const hidden = (fields: Record<string, string>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
