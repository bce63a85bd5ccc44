import { type Expression, type Literal, type Reference } from '../parse/expression.js';
import { quoteName } from '../parse/read-reference.js';

/** Prints a query in a form that `parseQuery` parses as the same query. */
export function printQuery(expression: Expression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.items.map(printInner).join(expression.kind === 'and' ? ' AND ' : ' OR ');
    case 'not':
      return `NOT ${printInner(expression.item)}`;
    case 'comparison': {
      const { reference, operator, values } = expression;
      const list = values.map(printLiteral).join(', ');
      const right = operator === 'IN' || operator === 'NOT IN' ? `(${list})` : list;
      return `${printReference(reference)} ${operator} ${right}`.trimEnd();
    }
  }
}

const printInner = (expression: Expression): string =>
  expression.kind === 'and' || expression.kind === 'or' ? `(${printQuery(expression)})` : printQuery(expression);

export const printReference = ({ segments }: Pick<Reference, 'segments'>): string =>
  segments.map(({ text, quoted }) => (quoted ? quoteName(text) : text)).join('.');

export const quoteValue = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const printLiteral = ({ text, quoted }: Literal): string => (quoted ? quoteValue(text) : text);
