import type { Condition, Expression, Subject, Test } from '../plan/condition.js';
import { evaluateExpression, readSubject, type ConditionFacts, type FactValue } from './evaluate-condition.js';

/** Tests in one reason. */
const MAX_LISTED = 3;
const MAX_VALUE_LENGTH = 60;

/**
 * Says why a condition is false, as the end of a sentence: `its condition is false: nodes.scan-1.lines > 0 (it is 0)`. Names
 * the tests that decided it, with the values that they met. A test that made it false by being true is named with its `NOT`.
 * @param mask replaces secret values in a text, before it is cut
 */
export function describeFalseCondition(
  { expression }: Condition,
  facts: ConditionFacts,
  mask: (text: string) => string = (text) => text,
): string {
  const tests = findDecisive(expression, false, facts);
  const shown = tests.slice(0, MAX_LISTED).map((one) => describeTest(one, readSubject(one.test.subject, facts), mask));
  const more = tests.length - shown.length;
  return `its condition is false: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

interface DecisiveTest {
  test: Test<Subject>;
  /** Whether an odd number of NOTs applies to the test. */
  isNegated: boolean;
}

/** The tests that make an expression true or false: those items that have this result themselves. */
function findDecisive(expression: Expression<Subject>, result: boolean, facts: ConditionFacts): DecisiveTest[] {
  // The search begins with false, and each NOT inverts the result.
  if (expression.kind === 'test') return [{ test: expression, isNegated: result }];
  if (expression.kind === 'not') return findDecisive(expression.item, !result, facts);
  const items = expression.items.filter((item) => evaluateExpression(item, facts) === result);
  return items.flatMap((item) => findDecisive(item, result, facts));
}

function describeTest(
  { test: { text, subject }, isNegated }: DecisiveTest,
  value: FactValue,
  mask: (text: string) => string,
): string {
  const name = `${isNegated ? 'NOT ' : ''}${mask(text)}`;
  if (value === null) return `${name} (it has no value)`;
  const shown = typeof value === 'string' ? quote(mask(value)) : String(value);
  return `${name} (it is ${shown}${subject.from === 'step' && subject.fact === 'size' ? ' bytes' : ''})`;
}

const quote = (text: string): string =>
  JSON.stringify(text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…` : text);
