import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { COLUMN_TYPES } from '@millrace/contracts/datasets/datasets';
import { EXPORT_FORMATS } from '@millrace/contracts/datasets/exports';
import type { Column } from '@millrace/query/fields/column';
import { QueryError } from '@millrace/query/parse/query-error';
import { FORMATS } from '../formats/formats.js';
import { bindSettings } from './bind-settings.js';
import { planRows, selectRows } from './select-rows.js';

describe('parameters of a statement', () => {
  it('are read from settings once, in their type', () => {
    const text = 'c1 = $1::bigint AND c2 = ANY($2::double precision[])';
    expect(bindSettings({ text, values: ['1', '{}'] })).toBe(
      "c1 = (SELECT current_setting('millrace.p1')::bigint)::bigint AND " +
        "c2 = ANY((SELECT current_setting('millrace.p2')::double precision[])::double precision[])",
    );
  });

  it('are not replaced in quoted text', () => {
    const text = `'000Z$1' || 'it''s $1' || "$1"`;
    expect(bindSettings({ text, values: ['x'] })).toBe(text);
  });

  it.each(['c1 = $1', 'c1 = $2::text', 'c1 = $0::text'])('must have a cast and a value: %s', (text) => {
    expect(() => bindSettings({ text, values: ['x'] })).toThrow('cannot be bound');
  });
});

/** All tokens of a valid statement. None of them is text of a user. */
const WORDS = new Set(
  (
    'select from where order by and or not is null true desc nulls last collate any case when then else end as at time zone ' +
    'current_setting replace coalesce to_json abbrev ascii jsonb_typeof nullif like regexp_replace to_char string number utc ' +
    'text bigint double precision boolean timestamptz inet uuid jsonb int live d_7 _id c t'
  ).split(' '),
);
const MARK = 'qzx';

describe('the text of a user', () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 8 })
    .map((text) => `${MARK}${text.replaceAll('\0', '')}`);
  const value = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(`${MARK}${text}`));
  const quoted = (text: string) => `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
  const operator = fc.constantFrom('=', '!=', '~', '<', 'like', 'in', 'has', 'is null', 'or', ') or (');
  const named = fc.uniqueArray(fc.record({ name, type: fc.constantFrom(...COLUMN_TYPES) }), {
    selector: (column) => column.name,
    minLength: 1,
    maxLength: 4,
  });
  const settings = fc.record({ columns: named, operator, value, junk: value });

  it('is never part of the statement', () => {
    let compiled = 0;
    const property = fc.property(
      settings,
      fc.constantFrom(...EXPORT_FORMATS),
      fc.boolean(),
      (setting, format, isInvalid) => {
        const columns = setting.columns.map((column, at): Column => ({ ...column, sql: `c${at + 1}` }));
        const reference = quoted(columns[0]!.name);
        const right =
          setting.operator === 'is null' ? '' : setting.operator === 'in' ? `(${setting.value})` : setting.value;
        const q = isInvalid
          ? `${setting.junk} ${setting.operator} ${setting.value}`
          : `${reference} ${setting.operator} ${right}`;
        try {
          const rows = planRows(
            7,
            columns,
            { q, select: isInvalid ? setting.junk : '', order: `-${reference}` },
            new Date(),
          );
          const text = bindSettings(selectRows(rows, FORMATS[format].selectList));
          compiled += 1;
          expect(text).not.toContain(MARK);
          const bare = text.replaceAll(/'(?:[^']|'')*'/g, ' ');
          for (const [word] of bare.matchAll(/[a-z_]\w*/gi)) {
            expect(WORDS.has(word.toLowerCase()) || /^c\d+$/.test(word)).toBe(true);
          }
          expect(bare).toMatch(/^[\w\s().,:=<>~!|#@[\]*"-]*$/);
        } catch (error) {
          if (!(error instanceof QueryError)) throw error;
        }
      },
    );
    fc.assert(property, { numRuns: 6_000 });
    expect(compiled).toBeGreaterThan(1_000);
  });
});
