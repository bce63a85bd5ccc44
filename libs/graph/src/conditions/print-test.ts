import type { Comparison, Literal } from '@millrace/query/parse/expression';
import { isBareSegment, quoteName } from '@millrace/query/parse/read-reference';

/** Prints a comparison in one form, whatever spaces and quotes its author used. */
export function printTest({ reference, operator, values }: Comparison): string {
  const name = reference.segments.map(({ text }) => (isBareSegment(text) ? text : quoteName(text))).join('.');
  if (values.length === 0) return `${name} ${operator}`;
  const list = values.map(printLiteral).join(', ');
  return operator === 'IN' || operator === 'NOT IN' ? `${name} ${operator} (${list})` : `${name} ${operator} ${list}`;
}

const printLiteral = ({ text, quoted }: Literal): string => (quoted ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text);
