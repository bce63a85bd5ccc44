import {
  type Comparison,
  type Expression,
  type Literal,
  type Operator,
  RESERVED,
  SYMBOL_OPERATORS,
  WORD_OPERATORS,
} from './expression.js';
import { MAX_CONDITIONS, MAX_DEPTH, MAX_LIST_VALUES } from './limits.js';
import { QueryError } from './query-error.js';
import { readReference } from './read-reference.js';
import { TokenReader } from './token-reader.js';

/** What differs between texts with this grammar: the operators that they may use, and examples for error messages. */
export interface Dialect {
  /** What stands on the left of an operator, such as `a column`. */
  subject: string;
  operators: readonly Operator[];
  comparison: string;
  list: string;
}

const ROWS: Dialect = {
  subject: 'a column',
  operators: [...SYMBOL_OPERATORS, ...WORD_OPERATORS],
  comparison: 'port = 443',
  list: 'port IN (80, 443)',
};

/**
 * Parses `q` by recursive descent, at most `MAX_DEPTH` levels deep. The grammar is in docs/reference/query-language.md.
 * @returns null if the text is empty or white space
 * @throws QueryError if the text does not match the grammar or exceeds a limit
 */
export function parseQuery(text: string, dialect: Dialect = ROWS): Expression | null {
  const reader = new TokenReader(text, 'q');
  if (reader.peek().kind === 'end') return null;
  const bounds = new Limits(reader, dialect);
  const expression = readAny(reader, bounds);
  if (reader.peek().kind !== 'end') reader.fail(['AND', 'OR', 'the end'], hintAfterValue(reader));
  return expression;
}

class Limits {
  private depth = 0;
  private conditions = 0;

  constructor(
    private readonly reader: TokenReader,
    readonly dialect: Dialect,
  ) {}

  inside<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) this.refuse(`is nested deeper than ${MAX_DEPTH}`);
    const result = read();
    this.depth -= 1;
    return result;
  }

  countCondition(): void {
    this.conditions += 1;
    if (this.conditions > MAX_CONDITIONS) this.refuse(`has more than ${MAX_CONDITIONS} conditions`);
  }

  private refuse(message: string): never {
    throw new QueryError('q', this.reader.peek().start, [], message);
  }
}

const readAny = (reader: TokenReader, bounds: Limits): Expression =>
  readChain(reader, 'OR', () => readChain(reader, 'AND', () => readOne(reader, bounds)));

function readChain(reader: TokenReader, keyword: 'AND' | 'OR', read: () => Expression): Expression {
  const items = [read()];
  while (reader.acceptKeyword(keyword)) items.push(read());
  return items.length === 1 ? items[0]! : { kind: keyword === 'AND' ? 'and' : 'or', items };
}

function readOne(reader: TokenReader, bounds: Limits): Expression {
  if (reader.isKeyword('NOT') && !isSymbolOperator(reader, 1)) {
    reader.next();
    return bounds.inside(() => ({ kind: 'not', item: readOne(reader, bounds) }));
  }
  if (!reader.acceptSymbol('(')) return readComparison(reader, bounds);
  const inner = bounds.inside(() => readAny(reader, bounds));
  if (!reader.acceptSymbol(')')) reader.fail(['AND', 'OR', ')'], hintAfterValue(reader));
  return inner;
}

function readComparison(reader: TokenReader, bounds: Limits): Comparison {
  bounds.countCondition();
  if (reader.peek().kind === 'symbol' || reader.peek().kind === 'end')
    reader.fail([bounds.dialect.subject, 'NOT', '(']);
  const reference = readReference(reader, bounds.dialect.subject);
  const position = reader.peek().start;
  const operator = readOperator(reader, bounds.dialect);
  return { kind: 'comparison', reference, operator, position, values: readValues(reader, operator, bounds.dialect) };
}

function isSymbolOperator(reader: TokenReader, ahead = 0): boolean {
  const token = reader.peek(ahead);
  return token.kind === 'symbol' && SYMBOL_OPERATORS.some((operator) => operator === token.text);
}

function readOperator(reader: TokenReader, { operators, comparison }: Dialect): Operator {
  const found = operators.find((operator) =>
    isSymbolOperator(reader)
      ? reader.isSymbol(operator)
      : operator.split(' ').every((keyword, ahead) => reader.isKeyword(keyword, ahead)),
  );
  if (found === undefined) reader.fail([...operators], `, as in ${comparison}`);
  for (const _ of found.split(' ')) reader.next();
  return found;
}

function readValues(reader: TokenReader, operator: Operator, dialect: Dialect): Literal[] {
  if (operator === 'IS NULL' || operator === 'IS NOT NULL') return [];
  return operator === 'IN' || operator === 'NOT IN' ? readList(reader, dialect) : [readLiteral(reader)];
}

function readList(reader: TokenReader, { list }: Dialect): Literal[] {
  if (!reader.acceptSymbol('(')) reader.fail(['('], `, as in ${list}`);
  const values = [readLiteral(reader)];
  while (!reader.acceptSymbol(')')) {
    if (values.length === MAX_LIST_VALUES)
      throw new QueryError('q', reader.peek().start, [')'], `a list has more than ${MAX_LIST_VALUES} values`);
    if (!reader.acceptSymbol(',')) reader.fail([',', ')'], hintAfterValue(reader));
    values.push(readLiteral(reader));
  }
  return values;
}

function readLiteral(reader: TokenReader): Literal {
  const { kind, text, start } = reader.peek();
  if (kind === 'name') reader.fail(['a value'], '; write a value in single or double quotes');
  if (kind !== 'quoted' && (kind !== 'word' || RESERVED.has(text.toUpperCase())))
    reader.fail(['a value'], ', such as 443 or "a text"');
  reader.next();
  return { text, quoted: kind === 'quoted', position: start };
}

/** Unquoted values end at characters that are also operators, as in `url = https://x/?a=b`. */
const hintAfterValue = (reader: TokenReader): string =>
  reader.isAdjacent() && !reader.isSymbol(')') ? '; write a value with such characters in quotes' : '';
