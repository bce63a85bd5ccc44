import { describe, expect, it } from '@jest/globals';
import { compilePlan } from '../plan/compile-plan.js';
import { draw } from '../testing/draw-workflow.js';
import { describeInputErrors, listAcceptedInputs } from './describe-input-errors.js';
import { resolveRunInputs } from './resolve-run-inputs.js';

const plan = compilePlan(
  draw().primitive('f', 'FILE', null, 'hosts').primitive('s', 'STRING', 'x').script('a-1').wire('f', 'a-1.file').data(),
  {},
);

describe('inputs that do not fit a workflow', () => {
  it('are described under their path, with a hint and the accepted inputs', () => {
    const { errors } = resolveRunInputs(plan, { host: 'https://example.org/' });
    expect(describeInputErrors(plan, errors, 'body.inputs')).toEqual({
      'body.inputs.host': 'The workflow has no input "host". Did you mean "hosts"?',
      'body.inputs.hosts': 'Input "hosts" needs a value.',
      accepted: listAcceptedInputs(plan),
    });
  });

  it('are described without the accepted inputs if only a value is wrong', () => {
    const { errors } = resolveRunInputs(plan, { hosts: 'ftp://example.org/' });
    expect(Object.keys(describeInputErrors(plan, errors, 'inputs'))).toEqual(['inputs.hosts']);
  });

  it('are not described if there are none', () => {
    expect(describeInputErrors(plan, [], 'inputs')).toEqual({});
  });
});

it('an input is required if a node uses it and it has no value', () => {
  expect(listAcceptedInputs(plan)).toEqual([
    { id: 'f', label: 'hosts', type: 'FILE', required: true },
    { id: 's', type: 'STRING', required: false },
  ]);
});
