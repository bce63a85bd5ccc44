import { describe, expect, it } from '@jest/globals';
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

/** Tests that validation finds the problem of each case, that each code has a case, and that the texts help. */
export function describeProblems(kind: 'errors' | 'warnings', codes: readonly ProblemCode[], cases: ProblemCase[]) {
  describe(`validation ${kind}`, () => {
    it.each(cases.map((one) => ({ ...one, title: JSON.stringify([one.code, one.expected.hint]) })))(
      'name the problem, its place and the fix: $title',
      ({ code, expected, data, context }) => {
        expect(validateWorkflow(data, context)[kind]).toContainEqual(
          expect.objectContaining({ code, message: expect.any(String), ...matching(expected) }),
        );
      },
    );

    it('have a case here for every code', () => {
      expect(new Set(cases.map(({ code }) => code))).toEqual(new Set(codes));
    });

    it('have a hint, except for malformed data', () => {
      const problems = cases.flatMap(listProblems).filter(({ code }) => code !== 'malformed');
      expect(problems.filter(({ hint }) => hint === undefined)).toEqual([]);
    });

    it('are written in whole sentences', () => {
      const texts = cases.flatMap(listProblems).flatMap(({ message, hint }) => [message, hint ?? message]);
      expect(texts.filter((text) => !/^(\p{Lu}|`|[0-9]).*[.?…]$/su.test(text))).toEqual([]);
    });
  });
}

const matching = ({ message, hint, ...rest }: Partial<Problem>) => ({
  ...rest,
  ...(message === undefined ? {} : { message: expect.stringContaining(message) }),
  ...(hint === undefined ? {} : { hint: expect.stringContaining(hint) }),
});

/** All errors and warnings of a case's workflow. */
function listProblems({ data, context }: ProblemCase): Problem[] {
  const { errors, warnings } = validateWorkflow(data, context);
  return [...errors, ...warnings];
}
