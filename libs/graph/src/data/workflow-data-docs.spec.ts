import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { validateWorkflow } from '../check/validate-workflow.js';
import { compilePlan } from '../plan/compile-plan.js';
import { type Modules } from './workflow-data.js';

const page = readFileSync(new URL('../../../../docs/reference/workflow-data.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
  (block) => JSON.parse(block[1] ?? '') as unknown,
);
const modules: Modules = { '01938f5e-7c11-7000-8000-000000000001': { workflow_id: 'first', data: examples[0] } };

it.each(examples.map((data, at) => ({ data, at: at + 1 })))(
  'example $at of docs/reference/workflow-data.md is valid and compiles',
  ({ data }) => {
    const variables = new Set(['API_TOKEN']);
    expect(validateWorkflow(data, { modules, variables })).toEqual({ errors: [], warnings: [] });
    expect(compilePlan(data, modules).steps.length).toBeGreaterThan(0);
  },
);

it('docs/reference/workflow-data.md has examples of a tool, a script and a module', () => {
  const types = examples.flatMap((data) => [...JSON.stringify(data).matchAll(/"type":"(TOOL|SCRIPT|WORKFLOW)"/g)]);
  expect(new Set(types.map((match) => match[1]))).toEqual(new Set(['TOOL', 'SCRIPT', 'WORKFLOW']));
});
