import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import type { ColumnsValuesResponse, RowsHelpResponse } from '@millrace/client';
import { formatCount } from '../../../text/format-count.js';
import { isFilterable, writeValue } from '../filter/write-filter.js';
import type { GridColumn } from '../grid/column-layout.js';
import { formatValue } from '../grid/format-cell.js';
import { findValuePlace } from './find-value-place.js';

/** The requests of the API that an editor of queries needs. */
export interface QueryHelp {
  columns: readonly Pick<GridColumn, 'name' | 'type'>[];
  suggest: (text: string, position: number, signal: AbortSignal) => Promise<RowsHelpResponse>;
  findValues: (column: string, search: string, signal: AbortSignal) => Promise<ColumnsValuesResponse>;
}

/** What may come next, by the API, and the values that a column has. */
export function createSources(help: () => QueryHelp): CompletionSource[] {
  return [(context) => suggestParts(context, help()), (context) => suggestValues(context, help())];
}

const WORD = /^[\p{L}\p{N}_$@-]*$/u;

async function suggestParts(context: CompletionContext, help: QueryHelp): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const found = await attempt(context, (signal) => help.suggest(text, context.pos, signal));
  if (!found || found.items.length === 0) return null;
  return {
    from: found.from,
    to: found.to,
    // As long as a word is continued, its suggestions are only filtered, so that they never lag behind the keys.
    validFor: WORD,
    options: found.items.map(({ label, kind, insert, detail }, index): Completion => ({
      label,
      type: kind,
      apply: kind === 'value' ? insert : `${insert} `.replace(/\( $/, '('),
      ...(detail !== undefined && { detail }),
      // The order of the API stays.
      boost: -Math.min(99, index),
    })),
  };
}

async function suggestValues(context: CompletionContext, help: QueryHelp): Promise<CompletionResult | null> {
  const place = findValuePlace(
    context.state.sliceDoc(0, context.pos),
    help.columns.map(({ name }) => name),
  );
  const column = place && help.columns.find(({ name }) => name === place.column);
  if (!place || !column) return null;
  const found = await attempt(context, (signal) => help.findValues(place.column, place.typed, signal));
  // Types say objects; values of a column are any JSON.
  const values = (found?.results ?? []) as { value: unknown; rows: number }[];
  return {
    from: place.from,
    filter: false,
    options: values
      .filter(({ value }) => value !== null && isFilterable(value))
      .map(({ value, rows }, index) => ({
        label: formatValue(value),
        type: 'value',
        apply: writeValue(value, column.type),
        detail: formatCount(rows),
        boost: -Math.min(99, index),
      })),
  };
}

/** Completion is a help: without it the query can still be typed. */
async function attempt<T>(
  context: CompletionContext,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const controller = new AbortController();
  context.addEventListener('abort', () => controller.abort(), { onDocChange: true });
  try {
    return await call(controller.signal);
  } catch {
    return undefined;
  }
}
