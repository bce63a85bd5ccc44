import { type Problem } from '../check/problem.js';
import { type NamedCondition, type NamedSubject } from '../conditions/named-condition.js';
import { SINGLE_FACTS } from '../conditions/node-facts.js';
import { showName } from '../names/check-name.js';
import { type Level, type LevelNode } from '../parse/level.js';
import { type Condition, type ConditionRead, type Expression, type Subject, type Test } from './condition.js';
import { type Expansion, type LevelContext } from './expansion.js';
import { bindPrimitive, findOutputStep } from './find-bound-values.js';

/** Where a condition is being bound. */
export interface ConditionPlace {
  target: LevelNode;
  level: Level;
  context: LevelContext;
  expansion: Expansion;
  /** Scope of the step that gets the condition. */
  scope: number | null;
}

/**
 * Replaces the names in a node's condition by steps and inputs of the plan. Returns null and adds an error if one has no
 * value that the engine could read. Steps that share a condition share the object.
 */
export function bindCondition(condition: NamedCondition, place: ConditionPlace): Condition | null {
  const reads = new Map<number, ConditionRead>();
  const inputs = new Set<string>();
  const expression = bindExpression(condition.expression, (test) => {
    const subject = bindSubject(test, place);
    if (subject?.from === 'input') inputs.add(subject.primitive);
    if (subject?.from === 'step') addRead(reads, subject, place);
    return subject;
  });
  if (expression === null) {
    // A node must never run because its condition was lost on the way.
    if (place.expansion.errors.isEmpty)
      place.expansion.errors.add(describe(place, 0, 'it names nothing that runs', [], 'Refer to another node.'));
    return null;
  }
  const sorted = [...reads.values()].sort((a, b) => a.step - b.step);
  return {
    text: condition.text,
    steps: sorted.map(({ step }) => step),
    inputs: [...inputs].sort(),
    reads: sorted.map((read) => ({ ...read, facts: read.facts.sort() })),
    expression,
  };
}

function bindExpression(
  expression: Expression<NamedSubject>,
  bind: (test: Test<NamedSubject>) => Subject | null,
): Expression<Subject> | null {
  if (expression.kind === 'test') {
    const subject = bind(expression);
    return subject === null ? null : { ...expression, subject };
  }
  if (expression.kind === 'not') {
    const item = bindExpression(expression.item, bind);
    return item === null ? null : { kind: 'not', item };
  }
  const items = expression.items.map((item) => bindExpression(item, bind)).filter((item) => item !== null);
  return items.length < expression.items.length ? null : { kind: expression.kind, items };
}

function bindSubject({ subject, text }: Test<NamedSubject>, place: ConditionPlace): Subject | null {
  if (subject.from === 'input') return bindInput(subject.id, subject.position, text, place);
  const { expansion } = place;
  const step = findStep(subject.node, subject.port, place);
  if (step === null) return null;
  const { fact } = subject;
  if (SINGLE_FACTS.includes(fact) && readsAllChildren(step, place)) {
    const message = `${showName(subject.node)} has children, whose ${showName(fact)} cannot be combined`;
    const hint = 'Test `size`, `files` or `succeeded`, or gather the outputs in a script and test its output.';
    expansion.errors.add(describe(place, subject.position, message, ['size', 'files', 'succeeded'], hint));
    return null;
  }
  return { from: 'step', step, fact };
}

function findStep(node: string, port: string, { context, expansion }: ConditionPlace): number | null {
  const result = context.results.get(node);
  if (result === undefined) return null;
  if (result.kind === 'step') return result.step;
  if (result.kind === 'splitter') return expansion.scopes[result.scope]?.split ?? null;
  return findOutputStep(result, port);
}

/** Whether a step has children of its own: other ones than the child that the condition belongs to. */
function readsAllChildren(step: number, { expansion, scope }: ConditionPlace): boolean {
  const other = expansion.steps[step]?.scope ?? null;
  return other !== null && other !== scope;
}

function addRead(reads: Map<number, ConditionRead>, subject: Subject & { from: 'step' }, place: ConditionPlace): void {
  const { step, fact } = subject;
  const read = reads.get(step);
  const isSame = place.scope !== null && place.expansion.steps[step]?.scope === place.scope;
  if (read === undefined) reads.set(step, { step, child: isSame ? 'same' : 'all', facts: [fact] });
  else if (!read.facts.includes(fact)) read.facts.push(fact);
}

/** An input of a module has the value that the outer workflow binds to it. Its condition cannot use data that a step makes. */
function bindInput(id: string, position: number, text: string, place: ConditionPlace): Subject | null {
  const { level, context, expansion } = place;
  const values = bindPrimitive(level.primitives.get(id), context, expansion);
  const binding = values.length === 1 ? values[0]?.binding : undefined;
  if (binding?.from === 'primitive') return { from: 'input', primitive: binding.primitive };
  if (binding?.from === 'value') return { from: 'value', value: binding.value };
  // Nothing is bound if there are too many connections, which is an error of its own.
  if (values.length === 0) return null;
  const what = values.length > 1 ? 'several values' : 'the output of a node';
  const message = `${showName(text)} tests an input of the module that is connected to ${what}`;
  const hint = `Connect input ${showName(id)} of the module to one input of the workflow, or set its value.`;
  expansion.errors.add(describe(place, position, message, ['an input with one value'], hint));
  return null;
}

function describe(
  { target, context }: ConditionPlace,
  position: number,
  message: string,
  expected: string[],
  hint: string,
): Problem {
  const node = context.prefix + target.name;
  const subject = `The condition of node ${showName(node)}`;
  return {
    code: 'bad_condition',
    message: `${subject} is wrong at position ${position}: ${message}.`,
    ...{ node, position, expected, hint, ...(context.prefix === '' ? { path: `nodes.${node}.when` } : {}) },
  };
}

/** Joins the condition of a module with that of a step in it. */
export function joinConditions(outer: Condition, inner: Condition | undefined): Condition {
  if (inner === undefined) return outer;
  const reads = new Map(inner.reads.map((read) => [read.step, read]));
  for (const read of outer.reads) {
    const facts = new Set([...(reads.get(read.step)?.facts ?? []), ...read.facts]);
    reads.set(read.step, { ...read, facts: [...facts].sort() });
  }
  const sorted = [...reads.values()].sort((a, b) => a.step - b.step);
  return {
    text: `(${outer.text}) AND (${inner.text})`,
    steps: sorted.map(({ step }) => step),
    inputs: [...new Set([...outer.inputs, ...inner.inputs])].sort(),
    reads: sorted,
    expression: { kind: 'and', items: [outer.expression, inner.expression] },
  };
}
