import { html, type Html } from '@millrace/service/html';

/** What is known of something: names and values, without those that have none. */
export function facts(pairs: readonly (readonly [name: string, value: string | undefined])[]): Html {
  const known = pairs.flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : html`<dt>${name}</dt>
          <dd>${value}</dd> `,
  );
  return html`<dl>${known}</dl>`;
}
