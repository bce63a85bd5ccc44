import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Modules } from '../data/workflow-data.js';
import { compilePlan } from '../plan/compile-plan.js';
import { draw, drawChain } from '../testing/draw-workflow.js';
import { randomWorkflow } from '../testing/random-workflow.js';
import { InvalidWorkflowError } from './problem.js';
import { validateWorkflow } from './validate-workflow.js';

const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true });

/** Replaces, removes or copies something somewhere in a document, as a careless or hostile client would. */
function mutate(data: unknown, at: number, value: unknown): unknown {
  const copy: unknown = structuredClone(data);
  const places: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const [holder, key] = places[at % Math.max(1, places.length)] ?? [];
  if (holder === undefined || key === undefined) return copy;
  if (value === undefined) delete holder[key];
  else holder[key] = value;
  return copy;
}

function expectResult(data: unknown, modules: Modules): void {
  const { errors } = validateWorkflow(data, { modules });
  for (const problem of errors)
    expect(problem).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  if (errors.length === 0) expect([1, 2, 3]).toContain(compilePlan(data, modules).format);
  else expect(() => compilePlan(data, modules)).toThrow(InvalidWorkflowError);
}

describe('validation never throws, and accepts only workflows that compile,', () => {
  it('if the workflow is any value', () => {
    fc.assert(
      fc.property(anything, (data) => expectResult(data, {})),
      { numRuns: 500 },
    );
  });

  it('if the workflow has any values in place of nodes, edges and inputs', () => {
    const part = fc.oneof(anything, fc.dictionary(fc.string(), anything), fc.array(anything));
    const data = fc.record({ nodes: part, connections: part, primitiveNodes: part }, { requiredKeys: [] });
    fc.assert(
      fc.property(data, (one) => expectResult(one, {})),
      { numRuns: 500 },
    );
  });

  it('if the workflow is valid data with random damage', () => {
    const value = fc.oneof(
      anything,
      fc.constant(undefined),
      fc.constantFrom('splitter-1', 'FOLDER', 'output/script-1/file', 'input/script-2/file', 'm', '__proto__', ''),
      fc.constantFrom('APPROVAL', 'output/script-1', 'input/script-2', 'continue', '10%', 'nodes.script-1.size > 0'),
    );
    const damage = fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(randomWorkflow, damage, fc.boolean(), ({ data, modules }, list, inside) => {
        const damaged = (one: unknown): unknown =>
          list.reduce<unknown>((before, [at, value]) => mutate(before, at, value), one);
        if (inside) expectResult(data, { wrapped: { workflow_id: 'w', data: damaged(modules['wrapped']?.data) } });
        else expectResult(damaged(data), modules);
      }),
      { numRuns: 1_500 },
    );
  });

  it('if the workflow is nested deeper than the call stack, or contains itself', () => {
    let deep: unknown = 'x\u0000';
    for (let level = 0; level < 200_000; level += 1) deep = { deep };
    expect(validateWorkflow({ annotations: { deep } }, {}).errors).toMatchObject([{ code: 'bad_text' }]);
    const cyclic: Record<string, unknown> = {};
    cyclic['config'] = { cyclic };
    expect(validateWorkflow(cyclic, {}).errors).toMatchObject([{ code: 'bad_text' }]);
  });
});

describe('the largest workflows', () => {
  it('include a chain of 5,000 nodes, which does not overflow the stack and compiles to one segment', () => {
    const data = drawChain(5_000).data();
    expect(validateWorkflow(data, {}).errors).toEqual([]);
    expect(compilePlan(data, {}).segments).toMatchObject([{ steps: { length: 5_000 } }]);
  });

  it('include a cycle of 5,000 nodes, which the message shortens', () => {
    const { errors } = validateWorkflow(drawChain(5_000).wire('step-5000.file', 'step-1.file').data(), {});
    expect(errors).toMatchObject([{ code: 'cycle' }]);
    expect(errors[0]?.message.length).toBeLessThan(300);
  });

  it('have 20,000 edges, into one node or into many', () => {
    const spread = draw();
    for (let at = 0; at < 5_000; at += 1) {
      spread.script(`n-${at}`);
      for (let back = 1; back <= 4 && back <= at; back += 1) spread.wire(`n-${at - back}.file`, `n-${at}.file`);
    }
    const gather = draw().script('end-1');
    for (let at = 0; at < 4_999; at += 1)
      for (const port of ['file', 'folder']) gather.script(`n-${at}`).wire(`n-${at}.${port}`, `end-1.${port}`);
    for (const data of [spread.data(), gather.data()]) {
      const start = performance.now();
      expect(validateWorkflow(data, {}).errors).toEqual([]);
      process.stdout.write(
        `validated ${data.connections?.length ?? 0} edges in ${Math.round(performance.now() - start)} ms\n`,
      );
    }
  });

  it('are rejected if modules with many sources per input multiply their connections', () => {
    const inner = draw().primitive('h-1', 'FILE', null, 'feed');
    for (let at = 0; at < 4_000; at += 1) inner.script(`n-${at}`).wire('h-1', `n-${at}.file`);
    const outer = draw().module('m-1', 'm');
    for (let at = 0; at < 4_000; at += 1) outer.script(`n-${at}`).wire(`n-${at}.file`, 'm-1.feed');
    const { errors } = validateWorkflow(outer.data(), { modules: { m: { workflow_id: 'w', data: inner.data() } } });
    expect(errors).toMatchObject([{ code: 'too_large' }]);
  });
});
