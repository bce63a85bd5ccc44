import { checkQuery } from '../fields/check-query.js';
import { indexColumns, type Column, type ColumnType } from '../fields/column.js';
import type { Field } from '../fields/field.js';
import { findField } from '../fields/find-field.js';
import { type Comparison, type Expression, SYMBOL_OPERATORS, WORD_OPERATORS } from '../parse/expression.js';
import { parseQuery } from '../parse/parse-query.js';
import { QueryError } from '../parse/query-error.js';
import { isBareSegment, quoteName } from '../parse/read-reference.js';
import { splitTokens, type Token } from '../parse/split-tokens.js';

export interface CompletionItem {
  label: string;
  kind: 'column' | 'operator' | 'keyword' | 'value';
  /** The text that replaces the text between `from` and `to`. */
  insert: string;
  detail?: string;
}

export interface Completion {
  from: number;
  to: number;
  items: CompletionItem[];
  /** The error of the current query. */
  error?: { position: number; expected: string[]; message: string };
}

/** Suggests items at a position of a query: those that the parser expects there and that match the type of the column. */
export function completeQuery(text: string, position: number, columns: readonly Column[]): Completion {
  const at = Math.max(0, Math.min(text.length, Math.trunc(position) || 0));
  const queryError = errorOf(text, columns);
  const error = queryError === undefined ? {} : { error: queryError };
  const start = startOfWord(text.slice(0, at));
  if (start === undefined) return { from: at, to: at, items: [], ...error };
  const { from, items } = suggest(text.slice(0, start), text.slice(start, at), columns);
  return { from, to: at, items, ...error };
}

/** The query is only checked, so its value of `now` does not matter. */
const ANY_CLOCK = { now: new Date(0) };

function errorOf(text: string, columns: readonly Column[]): Completion['error'] {
  const error = attempt(() => checkQuery(parseQuery(text), columns, ANY_CLOCK));
  if (!(error instanceof QueryError)) return undefined;
  return { position: error.position, expected: error.expected, message: error.message };
}

/** Returns the result of `work`, or the QueryError that it throws. */
function attempt<T>(work: () => T): T | QueryError {
  try {
    return work();
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** The start of the word before the cursor; undefined inside of quotes. A word can begin with a backtick. */
function startOfWord(before: string): number | undefined {
  const tokens = tokensOf(before);
  const last = tokens?.at(-2);
  if (tokens === undefined) return openBacktick(before);
  if (last === undefined || last.end !== before.length) return before.length;
  if (last.kind === 'quoted') return undefined;
  return last.kind === 'symbol' ? before.length : last.start;
}

function tokensOf(text: string): Token[] | undefined {
  const tokens = attempt(() => splitTokens(text, 'q'));
  return tokens instanceof QueryError ? undefined : tokens;
}

function openBacktick(before: string): number | undefined {
  const error = attempt(() => splitTokens(before, 'q'));
  return error instanceof QueryError && error.expected.includes('`') ? error.position : undefined;
}

interface Suggestions {
  from: number;
  items: CompletionItem[];
}

function suggest(before: string, typed: string, columns: readonly Column[]): Suggestions {
  const found = attempt(() => parseQuery(before));
  const from = before.length;
  if (!(found instanceof QueryError))
    return { from, items: matching(found === null ? operands(columns) : keywords(['AND', 'OR']), typed) };
  const { expected, position } = found;
  if (expected.includes('IS NULL')) return suggestOperators(before, typed, position, columns);
  if (position < before.length) return { from, items: [] };
  if (expected.includes('a column')) return { from, items: matching(operands(columns), typed) };
  if (expected.includes('a value')) return { from, items: matching(valuesFor(before, columns), typed) };
  const symbols = expected.filter((one) => ['AND', 'OR', '(', ')', ','].includes(one));
  return { from, items: matching(keywords(symbols), typed) };
}

/** Replaces an operator of several words from the start of its first word. */
function suggestOperators(before: string, typed: string, position: number, columns: readonly Column[]): Suggestions {
  const prefix = `${before.slice(position)}${typed}`.toUpperCase().replaceAll(/\s+/g, ' ');
  const field = lastField(`${before.slice(0, position)} = x`, columns);
  if (field === undefined) return { from: position, items: [] };
  const items = operatorsOf(field.column.type).filter(({ label }) => label.startsWith(prefix));
  return { from: position, items };
}

const keywords = (labels: string[]): CompletionItem[] =>
  labels.map((label) => ({ label, kind: 'keyword', insert: label }));

function operands(columns: readonly Column[]): CompletionItem[] {
  const named = columns.map(({ name, type }) => ({
    label: name,
    kind: 'column' as const,
    insert: isBareSegment(name) && name.toUpperCase() !== 'NOT' ? name : quoteName(name),
    detail: type,
  }));
  return [...named, ...keywords(['NOT', '('])];
}

function operatorsOf(type: ColumnType): CompletionItem[] {
  const all = [...SYMBOL_OPERATORS, ...WORD_OPERATORS];
  const operators = all.filter((operator) => {
    if (operator.endsWith('HAS')) return type === 'json';
    return type !== 'boolean' || !/^[<>]/.test(operator);
  });
  return operators.map((label) => ({ label, kind: 'operator', insert: label.endsWith('IN') ? `${label} (` : label }));
}

const VALUES: Partial<Readonly<Record<ColumnType, string[]>>> = {
  boolean: ['true', 'false'],
  timestamp: ['now', 'now-1h', 'now-1d', 'now-7d', 'now-30d'],
};

/** Suggests no values for patterns. */
function valuesFor(before: string, columns: readonly Column[]): CompletionItem[] {
  const comparison = lastComparison(`${before} x`);
  const field = comparison === undefined ? undefined : fieldOf(comparison, columns);
  if (comparison === undefined || field === undefined || /~|LIKE|HAS/.test(comparison.operator)) return [];
  const isEquality = comparison.operator === '=' || comparison.operator === '!=';
  const labels = [...(VALUES[field.column.type] ?? []), ...(isEquality ? ['null'] : [])];
  return labels.map((label) => ({ label, kind: 'value', insert: label }));
}

const lastField = (text: string, columns: readonly Column[]): Field | undefined => {
  const comparison = lastComparison(text);
  return comparison === undefined ? undefined : fieldOf(comparison, columns);
};

function fieldOf({ reference }: Comparison, columns: readonly Column[]): Field | undefined {
  const field = attempt(() => findField(reference, indexColumns(columns), { part: 'q', position: 0 }));
  return field instanceof QueryError ? undefined : field;
}

/** The last comparison of a query that is complete except for closing parentheses. */
function lastComparison(text: string): Comparison | undefined {
  const symbols = tokensOf(text)?.filter(({ kind }) => kind === 'symbol') ?? [];
  const count = (sign: string): number => symbols.filter((symbol) => symbol.text === sign).length;
  const closed = text + ')'.repeat(Math.max(0, count('(') - count(')')));
  const expression = attempt(() => parseQuery(closed));
  return expression === null || expression instanceof QueryError ? undefined : rightmost(expression);
}

function rightmost(expression: Expression): Comparison {
  if (expression.kind === 'comparison') return expression;
  return rightmost(expression.kind === 'not' ? expression.item : expression.items.at(-1)!);
}

/** The items whose label begins with the typed text, in any case; a leading backquote does not count. */
function matching(items: CompletionItem[], typed: string): CompletionItem[] {
  const prefix = typed.replace(/^`/, '').toLowerCase();
  return items.filter(({ label }) => label.toLowerCase().startsWith(prefix));
}
