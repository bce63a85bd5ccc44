import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { sealFor } from '@millrace/messaging/crypto/sealed-box';
import { type RunVariables } from './run-variables.js';
import { VariableSource, type OpenVariables } from './variable-source.js';

const node = { type: 'SCRIPT', script: { source: 'x' }, inputs: { x: { type: 'STRING', value: '${{vars.TOKEN}}' } } };
const plan = compilePlan({ nodes: { a: node } }, {});
const unlock: OpenVariables = async (_, recipient) => {
  return { sealed: sealFor(recipient, '{"TOKEN":"hunter22"}'), missing: [], plain: {} };
};

const borrow = async (source: VariableSource, run: string, hasWaitingTasks = () => true, during = async () => {}) => {
  const variablesSeen: RunVariables[] = [];
  await source.lend({ run, dispatch: '1' }, plan, hasWaitingTasks, async (variables) => {
    variablesSeen.push(variables);
    await during();
  });
  return variablesSeen[0];
};

describe('variables of a run', () => {
  it('are the same object for all concurrent dispatches, and for later ones', async () => {
    let requestCount = 0;
    const source = new VariableSource((...args) => {
      requestCount++;
      return unlock(...args);
    });
    const all = await Promise.all([1, 2, 3, 4].map(() => borrow(source, '1', undefined, () => sleep(20))));
    all.push(await borrow(source, '1'));
    expect(new Set(all).size).toBe(1);
    expect(requestCount).toBeLessThanOrEqual(4);
    expect(await borrow(source, '2')).not.toBe(all[0]);
  });

  it('are withheld after the timeout if they are not available, and requested again by the next dispatch', async () => {
    let fails = true;
    const source = new VariableSource((...args) => {
      return fails ? Promise.reject(new ApiError('internal_error', 'not there')) : unlock(...args);
    }, 0);
    expect((await borrow(source, '1'))?.withheld).toContain('not there');
    fails = false;
    expect(await borrow(source, '1')).toMatchObject({ withheld: null, masker: expect.anything() });
  });

  it('are no longer requested when the dispatch has no waiting tasks', async () => {
    const source = new VariableSource(() => Promise.reject(new ApiError('internal_error', 'not there')));
    expect((await borrow(source, '1', () => false))?.withheld).toContain('not there');
  });
});
