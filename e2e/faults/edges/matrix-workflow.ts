import { randomBytes } from 'node:crypto';
import { bindNode } from '../../support/live-table.js';
import { makeWorkflow, script, type Draft } from '../../support/run-workflow.js';
import type { Edge } from '../cases/fault-case.js';
import type { Matrix } from '../matrix/start-matrix.js';

export const CHILDREN = 4;

/** Seconds that each child takes: long where a user acts while children run. */
const CHILD_SECONDS: Partial<Record<Edge, number>> = { stop: 60, pause: 1 };

export interface MatrixWorkflow {
  id: string;
  /** In the command lines and outputs of this workflow only. */
  mark: string;
  /** The output of `gather-1`, which is loaded into the Live Table. */
  gathered: string;
}

const itemOf = (mark: string, item: number | string) => `{"mark": "${mark}", "item": ${item}}`;

/** A workflow that splits, gathers, uses the cache, waits for an approval if the edge is one, and ends with a chained step. */
export async function makeMatrixWorkflow(matrix: Matrix, edge: Edge, fleet?: string): Promise<MatrixWorkflow> {
  const mark = `m${randomBytes(6).toString('hex')}`;
  const id = await makeWorkflow(matrix.account, draftOf(mark, edge, fleet === undefined ? {} : { fleet }));
  await bindNode(matrix.account, id, matrix.table, 'gather-1');
  const items = Array.from({ length: CHILDREN }, (_, index) => `${itemOf(mark, index + 1)}\n`);
  return { id, mark, gathered: items.join('') };
}

function draftOf(mark: string, edge: Edge, place: { fleet?: string }): Draft {
  const seconds = CHILD_SECONDS[edge] ?? 0.1;
  const child = `: ${mark}; sleep ${seconds}; echo '${itemOf(mark, `'"$0"'`)}'`;
  const needsApproval = edge === 'approval';
  return {
    nodes: {
      'source-1': script(`: ${mark}; seq ${CHILDREN}`, place),
      'each-1': {
        type: 'TOOL',
        container: { command: ['/bin/sh', '-c', child] },
        output_command: '>',
        inputs: { item: { type: 'STRING', order: 1 } },
        distribution: { input: 'item', mode: 'line' },
        ...place,
      },
      'gather-1': script(`: ${mark}; for i in $(seq ${CHILDREN}); do cat in/each-1/$i/output.txt; done`, {
        cache: true,
        ...place,
      }),
      ...(needsApproval && { 'ok-1': { type: 'APPROVAL', approval: { message: 'Continue?' } } }),
      'last-1': script(`: ${mark}; sleep 0.4; cat in/*/output.txt`, place),
    },
    edges: [
      ['source-1/file', 'each-1/item'],
      ['each-1/folder', 'gather-1/folder'],
      ...(needsApproval
        ? ([
            ['gather-1/file', 'ok-1/file'],
            ['ok-1/file', 'last-1/file'],
          ] as [string, string][])
        : ([['gather-1/file', 'last-1/file']] as [string, string][])),
    ],
  };
}
