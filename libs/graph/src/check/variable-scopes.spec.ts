import { describe, expect, it } from '@jest/globals';
import { type Modules, type ModuleVersion } from '../data/workflow-data.js';
import { compilePlan } from '../plan/compile-plan.js';
import { draw, type Drawing } from '../testing/draw-workflow.js';
import { listPlanVariables } from '../variables/list-plan-variables.js';
import { validateWorkflow } from './validate-workflow.js';

const TEXT = { type: 'STRING', order: 0, command: '-t' } as const;
const uses = (name: string) => `\${{vars.${name}}}`;
const of = (space: string, workflow_id: string, drawing: Drawing, version?: string): ModuleVersion => ({
  ...{ space, workflow_id, data: drawing.data() },
  ...(version !== undefined && { version }),
});

/** Has the inputs `given` and `left`, and uses a variable in every place that takes one. */
const inner = () =>
  draw()
    .primitive('given-1', 'STRING', uses('DEFAULT'), 'given')
    .primitive('left-1', 'STRING', uses('LEFT'), 'left')
    .script(
      'a-1',
      { g: TEXT, l: TEXT, w: { ...TEXT, value: uses('WRITTEN') } },
      { script: { source: 'x', environment: { E: uses('ENV') } } },
    )
    .wire('given-1', 'a-1.g')
    .wire('left-1', 'a-1.l');

const scopesOf = (drawing: Drawing, modules: Modules) =>
  Object.fromEntries(
    listPlanVariables(compilePlan(drawing.data(), modules)).map(({ space, names }) => [space ?? 'run', names.sort()]),
  );

describe('the space of a variable', () => {
  it('is the space of the module that its text is written in', () => {
    const outer = draw()
      .module('m-1', 'm')
      .script('b-1', { t: { ...TEXT, value: uses('OWN') } });
    const modules = { m: of('s3', 'w', inner()) };
    expect(scopesOf(outer, modules)).toEqual({ run: ['OWN'], s3: ['DEFAULT', 'ENV', 'LEFT', 'WRITTEN'] });
    expect(compilePlan(outer.data(), modules).format).toBe(2);
  });

  it('is the space of the run for text that the workflow passes into a module, as a value or by a connection', () => {
    const outer = draw()
      .primitive('p-1', 'STRING', uses('PASSED'))
      .module('m-1', 'm', { given: { type: 'STRING', value: uses('SET') } })
      .wire('p-1', 'm-1.left');
    expect(scopesOf(outer, { m: of('s3', 'w', inner()) })).toEqual({
      run: ['PASSED', 'SET'],
      s3: ['ENV', 'WRITTEN'],
    });
  });

  it('stays the same when the text passes through nested modules', () => {
    const between = draw()
      .primitive('through-1', 'STRING', null, 'through')
      .module('c-1', 'c', { given: { type: 'STRING', value: uses('MIDDLE') } })
      .wire('through-1', 'c-1.left');
    const outer = draw().module('b-1', 'b', { through: { type: 'STRING', value: uses('OUTER') } });
    const modules = { b: of('s2', 'wb', between), c: of('s3', 'wc', inner()) };
    expect(scopesOf(outer, modules)).toEqual({ run: ['OUTER'], s2: ['MIDDLE'], s3: ['ENV', 'WRITTEN'] });
  });

  it('leaves a plan in format 1 if no text of a module uses a variable', () => {
    const outer = draw()
      .module('m-1', 'm')
      .script('b-1', { t: { ...TEXT, value: uses('OWN') } });
    const plan = compilePlan(outer.data(), { m: of('s3', 'w', draw().script('a-1')) });
    expect(plan.format).toBe(1);
    expect(JSON.stringify(plan)).not.toContain('s3');
  });

  it('decides which names validation accepts', () => {
    const outer = draw()
      .module('m-1', 'm', { given: { type: 'STRING', value: uses('SET') } })
      .module('n-1', 'n');
    const { warnings } = validateWorkflow(outer.data(), {
      modules: { m: of('s3', 'w', inner()), n: of('s4', 'v', inner()) },
      variables: new Set(['SET', 'LEFT', 'ENV']),
      moduleVariables: new Map([['s3', new Set(['SET', 'LEFT', 'WRITTEN'])]]),
    });
    const unknown = warnings.filter(({ code }) => code === 'unknown_variable');
    expect(unknown).toMatchObject([{ node: 'm-1/a-1', message: expect.stringContaining('"ENV"') }]);
  });
});

describe('a module of another space', () => {
  const outer = (...keys: string[]) => keys.reduce((drawing, key, at) => drawing.module(`m-${at + 1}`, key), draw());
  const found = (keys: string[], modules: Modules, required: boolean) => {
    const pinning = { space: 's1', required };
    const { errors, warnings } = validateWorkflow(outer(...keys).data(), { modules, pinning });
    const nodes = (list: typeof errors) =>
      list.filter(({ code }) => code === 'unpinned_module').map(({ node }) => node);
    return { errors: nodes(errors), warnings: nodes(warnings), hint: [...errors, ...warnings][0]?.hint };
  };

  it('is an error without a pinned version if the policy requires one, and a warning otherwise', () => {
    const modules = {
      w3: of('s3', 'w3', draw().script('a-1'), 'v3'),
      v3: of('s3', 'w3', draw().script('a-1'), 'v3'),
      w1: of('s1', 'w1', draw().script('a-1'), 'v1'),
    };
    expect(found(['w3', 'v3', 'w1'], modules, true)).toMatchObject({ errors: ['m-1'], warnings: [] });
    expect(found(['w3', 'v3', 'w1'], modules, false)).toMatchObject({ errors: [], warnings: ['m-1'] });
    expect(found(['w3'], modules, true).hint).toContain('Set `workflow` to "v3"');
  });
});
