import { compareTableRows, compareTables } from '@millrace/contracts/datasets/run-tables';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { newId } from '@millrace/persistence/ids';
import type { FakeRun, IngestTable } from '../../ingest/testing/ingest-table.js';
import type { IngestingSystem } from '../../ingest/testing/start-ingesting.js';

/** Functions that load runs into tables and compare them. */
export function comparingRuns(system: IngestingSystem, owner: Caller) {
  const compare = (a: string, b: string, query: Request<typeof compareTables>['query'] = {}, caller = owner) =>
    system.callAs(caller, compareTables, { params: { id: a, otherId: b }, query });
  return {
    /** A table that is bound to a workflow, by default with the key `k`. */
    async seedBound(key?: string[]) {
      const table = await system.seed(key);
      const workflow = newId();
      await table.bind(workflow, 1);
      const load = async (content: string, change: Partial<FakeRun> = {}) => {
        const run = await system.runs.finish({ workflow, outputs: [content], ...change });
        await table.load(run);
        return run;
      };
      return { table, workflow, load };
    },
    compare,
    compareOne: async (a: string, b: string) => (await compare(a, b)).results[0],
    rowsOf: (
      { table }: Pick<IngestTable, 'table'>,
      [a, b]: [string, string],
      query: Request<typeof compareTableRows>['query'] = {},
      caller = owner,
    ) => system.callAs(caller, compareTableRows, { params: { id: a, otherId: b, dataset: table.id }, query }),
  };
}
