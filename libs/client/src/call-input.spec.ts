import { expect, it } from '@jest/globals';
import { runs, spaces, users } from '@millrace/contracts/resources';
import { MillraceClient } from './client.js';

/** The compiler checks this test. It sends nothing. */
it('the type of a call accepts exactly the input that its contract declares', () => {
  const client = new MillraceClient({ baseUrl: 'http://127.0.0.1:1' });
  const calls = [
    () => client.call(users.getMe),
    () => client.call(runs.listRuns, { query: { status: 'FAILED,STOPPED', page: 2 } }),
    () => client.call(runs.getRun, { params: { id: '7' } }).then(({ run_insights: { succeeded } }) => succeeded + 1),
    // @ts-expect-error the path needs an id
    () => client.call(runs.getRun),
    // @ts-expect-error a space has a name
    () => client.call(spaces.createSpace, { body: { color: 'red' } }),
    // @ts-expect-error there is no such filter
    () => client.call(runs.listRuns, { query: { colour: 'red' } }),
    // @ts-expect-error a run has no such field
    () => client.call(runs.getRun, { params: { id: '7' } }).then((run) => 'status' in run && void run.colour),
    async () => {
      for await (const run of client.list(runs.listRuns)) run.workflow_name.trim();
    },
  ];
  expect(calls).toHaveLength(8);
});
