import { expect, it } from '@jest/globals';
import { TOOLS } from './all-tools.js';
import { normalizeArguments } from './normalize-arguments.js';

const normalize = (tool: string, args: Record<string, unknown>) =>
  normalizeArguments(args, TOOLS.get(tool)!.inputSchema);

it('null leaves out an argument that does not accept it', () => {
  expect(normalize('set_schedule', { workflow_id: 'w', cron: '0 3 * * *', timezone: null })).toEqual({
    workflow_id: 'w',
    cron: '0 3 * * *',
  });
  expect(normalize('save_workflow', { expected_version_id: null })).toEqual({ expected_version_id: null });
  expect(normalize('query_table', { nothing: null })).toEqual({ nothing: null });
});

it('the number of a run may be a number', () => {
  expect(normalize('read_log', { run_id: 42, tail: 5 })).toEqual({ run_id: '42', tail: 5 });
});
