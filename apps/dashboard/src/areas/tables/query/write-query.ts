import { RESERVED } from '@millrace/query/parse/expression';
import { parseQuery } from '@millrace/query/parse/parse-query';
import { isBareSegment, quoteName } from '@millrace/query/parse/read-reference';
import { splitTokens } from '@millrace/query/parse/split-tokens';

/** A column as queries name it: in backticks if its name has other characters than a bare name, or is a keyword. */
export const writeColumn = (name: string): string =>
  isBareSegment(name) && !RESERVED.has(name.toUpperCase()) ? name : quoteName(name);

/** A text as a value of a query. */
export const writeText = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A list of columns, as `select` has it. */
export const writeColumns = (names: readonly string[]): string => names.map(writeColumn).join(',');

const parse = (q: string) => {
  try {
    return parseQuery(q);
  } catch {
    return undefined;
  }
};

/** The query whose rows match `q` and `condition`. */
export function addCondition(q: string, condition: string): string {
  const text = q.trim();
  if (text === '') return condition;
  const parts = splitConditions(text);
  if (parts?.includes(condition)) return text;
  return parts ? `${text} AND ${condition}` : `(${text}) AND ${condition}`;
}

/** The query whose rows match both queries. */
export function joinQueries(one: string, other: string): string {
  const text = other.trim();
  if (text === '') return one.trim();
  return addCondition(one, one.trim() === '' || splitConditions(text) ? text : `(${text})`);
}

/** The conditions that a query joins by AND, or undefined if it is no such query. */
export function splitConditions(q: string): string[] | undefined {
  const expression = parse(q);
  if (expression === undefined) return undefined;
  if (expression === null) return [];
  if (expression.kind === 'or') return undefined;
  if (expression.kind !== 'and') return [q.trim()];
  const parts = splitAtKeyword(q);
  const isSplit = parts.length === expression.items.length && parts.every((part) => Boolean(parse(part)));
  return isSplit ? parts : undefined;
}

function splitAtKeyword(q: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const token of splitTokens(q, 'q')) {
    if (token.kind === 'symbol' && token.text === '(') depth += 1;
    if (token.kind === 'symbol' && token.text === ')') depth -= 1;
    if (token.kind !== 'word' || depth > 0 || token.text.toUpperCase() !== 'AND') continue;
    parts.push(q.slice(start, token.start).trim());
    start = token.end;
  }
  return [...parts, q.slice(start).trim()];
}
