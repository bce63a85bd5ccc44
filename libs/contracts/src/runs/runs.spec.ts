import { describe, expect, it } from '@jest/globals';
import { toErrorDetails } from '../kit/api-error.js';
import { planRun } from './dry-run.js';
import { createRun, retryRun } from './runs.js';

/** The problems of a body, as the response has them; null if it is accepted. */
function problemsOf({ body: schema }: typeof createRun | typeof planRun | typeof retryRun, body: object) {
  const { error } = schema.safeParse(body);
  return error ? toErrorDetails(error, 'body') : null;
}

describe('a retry', () => {
  const nothing = (what: string) => `must name at least one ${what}; leave it out to retry everything that failed`;

  it.each([
    [{ nodes: [] }, { 'body.nodes': nothing('node') }],
    [{ children: [] }, { 'body.children': nothing('subjob') }],
    [{ nodes: ['a-1'], children: [] }, { 'body.children': nothing('subjob') }],
    [{ inputs: {}, nodes: [] }, { 'body.nodes': nothing('node') }],
  ])('is refused if it has an empty list, which would mean everything: %j', (body, problems) => {
    expect(problemsOf(retryRun, body)).toEqual(problems);
  });

  it.each([{}, { nodes: ['a-1'] }, { children: ['7'] }])(
    'is accepted with a node, a subjob, or neither: %j',
    (body) => {
      expect(problemsOf(retryRun, body)).toBeNull();
    },
  );
});

describe('the plan of a run', () => {
  it('accepts each field of a start, so that a client can send the same body', () => {
    const body = {
      ...{
        version_id: 'v',
        inputs: { hosts: 'a' },
        parameters: { 'a-1': { level: 2 } },
        parallelism: 3,
        name: 'Nightly',
        timeout_seconds: 60,
      },
      ...{ use_cache: true, part: { until: ['a-1'] }, reuse_run: '7' },
    };
    expect(Object.keys(body).sort()).toEqual(Object.keys(createRun.body.shape).sort());
    for (const operation of [createRun, planRun]) expect(problemsOf(operation, body)).toBeNull();
  });

  it('refuses unknown fields', () => {
    expect(problemsOf(planRun, { nmae: 'x' })).toEqual({ 'body.nmae': expect.stringContaining('did you mean `name`') });
  });
});

describe.each([
  ['start', createRun],
  ['plan', planRun],
])('the %s of a run', (_name, operation) => {
  it.each([{ until: [] }, { from: [] }, { from: [], until: [] }])(
    'is refused if the lists of its part are empty, which would mean the whole workflow: %j',
    (part) => {
      const problem = 'must name at least one node in `from` or `until`; leave it out to run the whole workflow';
      expect(problemsOf(operation, { part })).toEqual({ 'body.part': problem });
    },
  );

  it.each([{ from: [], until: ['a-1'] }, { from: ['a-1'], until: [] }, { until: ['a-1'] }])(
    'may have an empty list beside one with nodes, as the record of a run shows it: %j',
    (part) => {
      expect(problemsOf(operation, { part })).toBeNull();
    },
  );

  it.each([
    [{}, { 'body.parameters': 'must not be empty' }],
    [{ 'a-1': {} }, { 'body.parameters.a-1': 'must not be empty' }],
    [{ 'a-1': { level: [] } }, { 'body.parameters.a-1.level': expect.stringContaining('must be text of at most') }],
  ])('is refused if its parameters have no value: %j', (parameters, problems) => {
    expect(problemsOf(operation, { parameters })).toEqual(problems);
  });
});
