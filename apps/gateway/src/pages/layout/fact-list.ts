import { html, type Html } from '@millrace/service/text/html';

/** A list of names and values; leaves out empty values. */
export function factList(pairs: readonly (readonly [name: string, value: string | undefined])[]): Html {
  const present = pairs.flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : html`<dt>${name}</dt>
          <dd>${value}</dd> `,
  );
  return html`<dl>${present}</dl>`;
}
