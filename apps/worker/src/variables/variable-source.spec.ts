import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { sealFor } from '@millrace/messaging/crypto/sealed-box';
import { type RunVariables } from './run-variables.js';
import { VariableSource, type OpenVariables } from './variable-source.js';

const node = { type: 'SCRIPT', script: { source: 'x' }, inputs: { x: { type: 'STRING', value: '${{vars.TOKEN}}' } } };
const plan = compilePlan({ nodes: { a: node } }, {});
const answer: OpenVariables = async (_, recipient) => {
  return { sealed: sealFor(recipient, '{"TOKEN":"hunter22"}'), missing: [], plain: {} };
};

const lent = async (source: VariableSource, run: string, isWanted = () => true, during = async () => {}) => {
  const got: RunVariables[] = [];
  await source.lend({ run, dispatch: '1' }, plan, isWanted, async (variables) => {
    got.push(variables);
    await during();
  });
  return got[0];
};

describe('variables of a run', () => {
  it('are the same object for all dispatches that are out at once, and for those that follow', async () => {
    let requestCount = 0;
    const source = new VariableSource((...given) => {
      requestCount++;
      return answer(...given);
    });
    const all = await Promise.all([1, 2, 3, 4].map(() => lent(source, '1', undefined, () => sleep(20))));
    all.push(await lent(source, '1'));
    expect(new Set(all).size).toBe(1);
    expect(requestCount).toBeLessThanOrEqual(4);
    expect(await lent(source, '2')).not.toBe(all[0]);
  });

  it('that cannot be had are withheld in the end, and asked for again by the next dispatch', async () => {
    let fails = true;
    const source = new VariableSource((...given) => {
      return fails ? Promise.reject(new ApiError('internal_error', 'not there')) : answer(...given);
    }, 0);
    expect((await lent(source, '1'))?.withheld).toContain('not there');
    fails = false;
    expect(await lent(source, '1')).toMatchObject({ withheld: null, masker: expect.anything() });
  });

  it('are waited for no longer than the dispatch has tasks', async () => {
    const source = new VariableSource(() => Promise.reject(new ApiError('internal_error', 'not there')));
    expect((await lent(source, '1', () => false))?.withheld).toContain('not there');
  });
});
