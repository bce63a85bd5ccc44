import { expect, it } from '@jest/globals';
import { restOperations } from '@millrace/contracts/registry';
import { nameArgument } from './name-argument.js';
import { isMarked } from './name-requests.js';

const operation = (name: string) => restOperations.filter(isMarked).find(({ tool }) => tool.name === name)!;

it.each([
  ['get_run', 'params', 'id', 'run_id'],
  ['get_table', 'params', 'id', 'table_id'],
  ['list_workflows', 'query', 'space', 'space_id'],
  ['create_table', 'body', 'solution', 'solution_id'],
  ['fill_table', 'body', 'dataset_id', 'table_id'],
  ['list_sandbox_files', 'query', 'sessionId', 'session_id'],
  ['compare_runs', 'params', 'otherId', 'other_run_id'],
  ['list_workflows', 'query', 'search', 'search'],
  ['plan_run', 'body', 'reuse_run', null],
  ['fill_table', 'body', 'vault', null],
] as const)('%s calls the %s field `%s` %s', (tool, part, field, name) => {
  expect(nameArgument(operation(tool), part, field)).toBe(name);
});
