import { expect } from '@jest/globals';
import type { MillraceClient } from '@millrace/client';
import { datasets, loads, reportingNodes, rows, solutions } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import type { Account } from './sign-up.js';

type Row = Record<string, unknown>;

/** Makes a Live Table in a new solution. @returns its id */
export async function makeTable({ client, space }: Account, primary_key: string[] = []): Promise<string> {
  const solution = await client.call(solutions.createSolution, { body: { name: 'Findings', space } });
  const body = { name: 'hosts', solution: solution.id, primary_key };
  return (await client.call(datasets.createDataset, { body })).id;
}

/** Binds the output of a node to a table. */
export const bindNode = ({ client }: Account, workflow: string, dataset_id: string, node_name: string) =>
  client.call(reportingNodes.createReportingNode, { body: { workflow, node_name, dataset_id } });

/** Waits until a run's output is loaded into a table. @returns the load */
export const waitForLoad = (client: MillraceClient, dataset: string, run: string) =>
  eventually(async () => {
    const { results } = await client.call(loads.listLoads, { params: { id: dataset }, query: { run } });
    expect(results.map(({ status, error }) => error ?? status)).toEqual(['COMPLETED']);
    return results[0] as NonNullable<(typeof results)[0]>;
  });

/** Reads all rows of a query, page by page. */
export async function readRows(
  client: MillraceClient,
  dataset: string,
  query: { q?: string; select?: string; order?: string; page_size?: number } = {},
): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: { results: unknown[]; cursor: string | null } = await client.call(rows.queryRows, {
      params: { id: dataset },
      query: { page_size: 1000, ...query, ...(cursor !== null && { cursor }) },
    });
    all.push(...(page.results as Row[]));
    cursor = page.cursor;
  } while (cursor !== null);
  return all;
}
