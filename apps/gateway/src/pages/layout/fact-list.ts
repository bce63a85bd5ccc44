import { type Html, html } from '@millrace/service/text/html';

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

/** A time as pages show it: in UTC, because the reader's time zone is unknown. */
export const formatTime = (rfc3339: string): string => `${rfc3339.slice(0, 10)} ${rfc3339.slice(11, 19)} UTC`;
