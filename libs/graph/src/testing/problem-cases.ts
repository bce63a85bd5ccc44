import type { Problem, ProblemCode } from '../check/problem.js';
import { validateWorkflow, type ValidationContext } from '../check/validate-workflow.js';
import type { Modules } from '../data/workflow-data.js';
import { draw, type Drawing } from './draw-workflow.js';

export const TEXT = { type: 'STRING', order: 0, command: '-t' } as const;
export const FILE = { type: 'FILE', order: 0, command: '-f' } as const;

export const wraps = (inner: Drawing, workflow_id = 'w'): Modules => ({ m: { workflow_id, data: inner.data() } });
export const OTHER_SPACE: Modules = {
  m: { workflow_id: 'm', version: 'v', space: 's3', data: draw().script('a-1').data() },
};
export const UNPINNED = {
  expected: { node: 'm-1', path: 'nodes.m-1.workflow', hint: 'Set `workflow` to "v"' },
  data: draw().module('m-1', 'm').data(),
};

/** A workflow with a problem. */
export interface ProblemCase {
  code: ProblemCode;
  /** Fields of the expected problem; `hint` and `message` are parts of the text. */
  expected: Partial<Problem>;
  data: unknown;
  context?: ValidationContext;
}

export const withTitles = (cases: ProblemCase[]) =>
  cases.map((one) => ({ ...one, title: JSON.stringify([one.code, one.expected.hint]) }));

/** The first 20 errors and the first 20 warnings of each workflow. */
export const listProblems = (cases: ProblemCase[]): Problem[] =>
  cases.flatMap(({ data, context }) => {
    const { errors, warnings } = validateWorkflow(data, context);
    return [...errors.slice(0, 20), ...warnings.slice(0, 20)];
  });

/** All messages and hints of each workflow. */
export const listTexts = (cases: ProblemCase[]): string[] =>
  cases.flatMap(({ data, context }) => {
    const { errors, warnings } = validateWorkflow(data, context);
    return [...errors, ...warnings].flatMap(({ message, hint }) => [message, hint ?? message]);
  });
