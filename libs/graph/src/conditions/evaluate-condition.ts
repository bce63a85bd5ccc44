import { readNumber } from '@millrace/query/parse/read-number';
import type { Condition, Expression, FactName, Subject, Test } from '../plan/condition.js';
import { matchesLike } from './matches-like.js';

/** A value that is compared. Null: there is none, because the step did not run or has no such file. */
export type FactValue = string | number | boolean | null;

/** The facts of a step that a condition reads. Those that it does not read may be absent. */
export type StepFacts = Readonly<Partial<Record<FactName, string | number | null>>>;

/**
 * What a condition is evaluated with. An absent entry counts as null.
 * - `inputs`: the values of the run's inputs, by the ids in `Condition.inputs`. Files and folders by their reference.
 *   Secret variables are not substituted.
 * - `steps`: facts by step, as `Condition.reads` lists them.
 */
export interface ConditionFacts {
  inputs: Readonly<Record<string, string | boolean | null>>;
  steps: Readonly<Record<number, StepFacts>>;
}

/**
 * Whether a condition is true. A comparison with a fact that has no value is false, except IS NULL; NOT inverts the result
 * of what follows it. Takes at most milliseconds: a condition has at most `MAX_CONDITION_LENGTH` characters, a first line
 * at most `MAX_FIRST_LINE`.
 */
export const evaluateCondition = ({ expression }: Condition, facts: ConditionFacts): boolean =>
  evaluateExpression(expression, facts);

export function evaluateExpression(expression: Expression<Subject>, facts: ConditionFacts): boolean {
  switch (expression.kind) {
    case 'and':
      return expression.items.every((item) => evaluateExpression(item, facts));
    case 'or':
      return expression.items.some((item) => evaluateExpression(item, facts));
    case 'not':
      return !evaluateExpression(expression.item, facts);
    case 'test':
      return evaluateTest(expression, readSubject(expression.subject, facts));
  }
}

/** The value that a test is about. */
export function readSubject(subject: Subject, facts: ConditionFacts): FactValue {
  if (subject.from === 'value') return subject.value;
  if (subject.from === 'step') return facts.steps[subject.step]?.[subject.fact] ?? null;
  return Object.hasOwn(facts.inputs, subject.primitive) ? (facts.inputs[subject.primitive] ?? null) : null;
}

function evaluateTest({ operator, values }: Test<Subject>, value: FactValue): boolean {
  if (operator === 'null' || operator === 'not null') return (value === null) === (operator === 'null');
  const [first] = values;
  if (value === null || first === undefined) return false;
  switch (operator) {
    case '=':
    case 'in':
      return values.some((one) => compare(value, one) === 0);
    case '!=':
    case 'not in':
      return values.every((one) => compare(value, one) !== 0);
    case 'like':
      return matchesLike(String(value), String(first));
    case 'not like':
      return !matchesLike(String(value), String(first));
    case '<':
      return compare(value, first) < 0;
    case '<=':
      return compare(value, first) <= 0;
    case '>':
      return compare(value, first) > 0;
    case '>=':
      return compare(value, first) >= 0;
  }
}

/**
 * Less than, equal to or greater than 0; NaN if the values have no order. A text is compared with a number as a number, so
 * that `first_line > 9` is true for "10". Texts are compared by code unit, as a plan must not depend on a locale.
 */
function compare(value: string | number | boolean, other: string | number | boolean): number {
  if (typeof other === 'number') {
    const number = typeof value === 'string' ? Number(readNumber(value.trim()) ?? NaN) : Number(value);
    return number - other;
  }
  if (typeof other === 'boolean') return value === other ? 0 : NaN;
  const text = String(value);
  return text < other ? -1 : text > other ? 1 : 0;
}
