import type { Comparison, Expression as Parsed, Literal, Operator } from '@millrace/query/parse/expression';
import { parseQuery, type Dialect } from '@millrace/query/parse/parse-query';
import { QueryError } from '@millrace/query/parse/query-error';
import type { Problems } from '../check/problem.js';
import { showName } from '../names/check-name.js';
import type { LevelNode, Primitive } from '../parse/level.js';
import type { Expression, Test, TestOperator } from '../plan/condition.js';
import { ConditionError } from './condition-error.js';
import { findSubject } from './find-subject.js';
import type { NamedCondition, NamedSubject } from './named-condition.js';
import { isFactName } from './node-facts.js';
import { printTest } from './print-test.js';
import { readValues } from './read-condition-values.js';

/** Characters of one condition. */
export const MAX_CONDITION_LENGTH = 1_000;

/** Operators of the query language, and what a test does with them. Regular expressions could take forever. */
const OPERATORS: Partial<Record<Operator, TestOperator>> = {
  '=': '=',
  '!=': '!=',
  '>': '>',
  '>=': '>=',
  '<': '<',
  '<=': '<=',
  IN: 'in',
  'NOT IN': 'not in',
  LIKE: 'like',
  'NOT LIKE': 'not like',
  'IS NULL': 'null',
  'IS NOT NULL': 'not null',
};

const DIALECT: Dialect = {
  subject: 'a reference such as nodes.scan-1.size',
  operators: Object.keys(OPERATORS) as Operator[],
  comparison: 'nodes.scan-1.size > 0',
  list: 'inputs.mode IN (quick, deep)',
};

const EXAMPLE = 'Write a condition such as nodes.scan-1.size > 0 AND inputs.mode = deep.';

/** The names of a level, which its conditions may use. */
export interface ConditionNames {
  nodes: ReadonlyMap<string, LevelNode>;
  primitives: ReadonlyMap<string, Primitive>;
  /** Named inputs by their label. */
  labelled: ReadonlyMap<string, Primitive[]>;
}

/**
 * Reads the condition in `when` of a node, with the grammar of the query language. Its names are nodes and inputs of the same
 * level. Returns null if there is none, or if it is not valid, and adds an error for the latter.
 */
export function readCondition(target: LevelNode, names: ConditionNames, errors: Problems): NamedCondition | null {
  const text = target.node.when ?? '';
  if (text.trim() === '') return null;
  try {
    return parseCondition(text, target, names);
  } catch (error) {
    if (!(error instanceof QueryError) && !(error instanceof ConditionError)) throw error;
    const { position, expected, message } = error;
    const suggest = error instanceof ConditionError ? error.suggest : undefined;
    errors.add(
      {
        code: error instanceof ConditionError ? error.code : 'bad_condition',
        message: `The condition of node ${showName(target.name)} is wrong at position ${position}: ${message}.`,
        node: target.name,
        path: `nodes.${target.name}.when`,
        position,
        expected: expected.slice(0, 20),
        hint: error instanceof ConditionError ? error.hint : EXAMPLE,
      },
      suggest,
    );
    return null;
  }
}

function parseCondition(text: string, target: LevelNode, names: ConditionNames): NamedCondition | null {
  if (text.length > MAX_CONDITION_LENGTH) {
    const message = `it is longer than ${MAX_CONDITION_LENGTH} characters`;
    throw new ConditionError(
      MAX_CONDITION_LENGTH,
      message,
      [],
      'Compute the decision in a script, and test its output.',
    );
  }
  const parsed = parseQuery(text, DIALECT);
  if (parsed === null) return null;
  const condition: NamedCondition = {
    ...{ text: text.trim(), nodes: new Set(), inputs: new Set(), weight: 0 },
    referenceLikeValues: [],
    expression: { kind: 'and', items: [] },
  };
  condition.expression = readExpression(parsed, (comparison) => {
    const test = readTest(comparison, target, names);
    condition.weight += 1 + test.values.length;
    condition.referenceLikeValues.push(...comparison.values.filter(isReferenceLike));
    if (test.subject.from === 'node') condition.nodes.add(test.subject.node);
    else condition.inputs.add(test.subject.id);
    return test;
  });
  return condition;
}

/** Whether an unquoted value has the form `inputs.<input>` or `nodes.<node>.<fact>`. */
function isReferenceLike({ text, quoted }: Literal): boolean {
  const [group, ...parts] = text.split('.');
  if (quoted || parts.some((part) => part === '')) return false;
  return group === 'inputs'
    ? parts.length > 0
    : group === 'nodes' && parts.length > 1 && isFactName(parts.at(-1) ?? '');
}

/** Recursive, because the parser limits how deep a text is nested. */
function readExpression(
  parsed: Parsed,
  read: (comparison: Comparison) => Test<NamedSubject>,
): Expression<NamedSubject> {
  if (parsed.kind === 'comparison') return read(parsed);
  if (parsed.kind === 'not') return { kind: 'not', item: readExpression(parsed.item, read) };
  return { kind: parsed.kind, items: parsed.items.map((item) => readExpression(item, read)) };
}

function readTest(comparison: Comparison, target: LevelNode, names: ConditionNames): Test<NamedSubject> {
  const { subject, type } = findSubject(comparison.reference, target, names);
  const written = OPERATORS[comparison.operator] ?? '=';
  const [first] = comparison.values;
  const isNull = first !== undefined && !first.quoted && first.text.toUpperCase() === 'NULL';
  const test: Test<NamedSubject> = { kind: 'test', subject, operator: written, values: [], text: '' };
  if (isNull && (written === '=' || written === '!=')) test.operator = written === '=' ? 'null' : 'not null';
  else test.values = readValues(comparison, written, type);
  return { ...test, text: printTest(comparison) };
}
