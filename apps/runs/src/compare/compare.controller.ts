import { Controller } from '@nestjs/common';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import {
  compareNodes,
  compareOutputs,
  compareRuns,
  OUTPUT_CHANGES,
  runComparison,
} from '@millrace/contracts/runs/compare';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import type { Run } from '@millrace/persistence/generated/client';
import { PlanStore } from '../engine/plans/plan-store.js';
import { InputMasker } from '../inputs/input-masker.js';
import { findRun } from '../runs/find-run.js';
import { loadPlan } from '../runs/load-plan.js';
import { toRun } from '../runs/to-run.js';
import { compareInputs, type RunInputs } from './compare-inputs.js';
import { countOutputs, listOutputs, type Comparison, type OutputRow } from './compare-output-rows.js';
import { compareVersions } from './compare-versions.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { ItemKeys } from './item-keys.js';
import { matchChildren, scopesOf } from './match-children.js';
import { matchNodes, type NodePair } from './match-nodes.js';
import { type NodeSide, readNodeSides } from './read-node-sides.js';

type NodeResult = Result<typeof compareNodes>['results'][number];
type OutputResult = Result<typeof compareOutputs>['results'][number];

/** Compares two runs, whatever their workflows. */
@Controller()
export class CompareController {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
    private readonly rpc: RpcClient,
    private readonly masker: InputMasker,
    private readonly itemKeys: ItemKeys,
  ) {}

  @OperationHandler(compareRuns)
  async compare({ params }: Input<typeof compareRuns>, context: Context): Promise<Result<typeof compareRuns>> {
    const { a, b, comparison } = await this.open(params, context, (pairs) => pairs);
    const version = await compareVersions(this.rpc, context, a, b);
    const [inputsOfA, inputsOfB] = [await this.readInputs(a, context), await this.readInputs(b, context)];
    const outputs = await countOutputs(this.database, comparison);
    const [sideA, sideB] = [toRunSide(a), toRunSide(b)];
    return {
      a: sideA,
      b: sideB,
      difference: subtract(sideA, sideB),
      same_plan: a.plan === b.plan,
      ...(version && { version }),
      inputs: compareInputs(inputsOfA, inputsOfB),
      nodes: {
        both: comparison.pairs.filter((pair) => pair.a && pair.b).length,
        only_in_a: comparison.pairs.filter((pair) => !pair.b).length,
        only_in_b: comparison.pairs.filter((pair) => !pair.a).length,
      },
      outputs: toCounts(outputs),
    };
  }

  @OperationHandler(compareNodes)
  async nodes({ params, query }: Input<typeof compareNodes>, context: Context): Promise<Result<typeof compareNodes>> {
    const after = decodeCursor(query.cursor, ['number']) ?? [-1];
    const { comparison, hasMore } = await this.open(params, context, (pairs) =>
      pairs.filter(({ position }) => position > Number(after[0])).slice(0, query.page_size),
    );
    const { pairs, keys } = comparison;
    const sides = (side: 'a' | 'b') =>
      readNodeSides(
        this.database,
        comparison[side].id,
        pairs.flatMap((pair) => pair[side]?.index ?? []),
      );
    const [ofA, ofB] = [await sides('a'), await sides('b')];
    const counts = Map.groupBy(await countOutputs(this.database, comparison), ({ position }) => position);
    const results = pairs.map((pair): NodeResult => {
      const [a, b] = [pair.a && (ofA.get(pair.a.index) ?? NO_SUBJOB), pair.b && (ofB.get(pair.b.index) ?? NO_SUBJOB)];
      const scopes = scopesOf(pair);
      return {
        node: pair.node,
        label: pair.label,
        ...(scopes !== null && { matched_by: keys.get(scopes) ? 'item' : 'index' }),
        ...(a && { a }),
        ...(b && { b }),
        ...(a && b && { difference: subtract(a, b) }),
        outputs: toCounts(counts.get(pair.position) ?? []),
      };
    });
    const last = pairs.at(-1);
    return { results, cursor: last && hasMore(last.position) ? encodeCursor([last.position]) : null };
  }

  @OperationHandler(compareOutputs)
  async outputs(
    { params, query }: Input<typeof compareOutputs>,
    context: Context,
  ): Promise<Result<typeof compareOutputs>> {
    const place = decodeCursor(query.cursor, ['number', 'number', 'number', 'string']);
    const [position, task, side, path] = place ?? [];
    const after = place && { position: Number(position), task: Number(task), side: Number(side), path: String(path) };
    const { comparison } = await this.open(params, context, (pairs) =>
      pairs.filter(
        (pair) => (query.node === undefined || pair.node === query.node) && pair.position >= (after?.position ?? 0),
      ),
    );
    const size = query.page_size;
    const changes = query.change ?? OUTPUT_CHANGES;
    const rows = await listOutputs(this.database, comparison, { after, limit: size + 1, changes });
    const page = rows.slice(0, size);
    const last = page.at(-1);
    const cursor = last && rows.length > size ? encodeCursor([last.position, last.task, last.side, last.path]) : null;
    return { results: page.map(toOutput), cursor };
  }

  /** Finds both runs, and matches some of their nodes and the children of these. */
  private async open(
    { id, otherId }: { id: string; otherId: string },
    context: Context,
    select: (pairs: NodePair[]) => NodePair[],
  ): Promise<{ a: Run; b: Run; comparison: Comparison; hasMore: (position: number) => boolean }> {
    const a = await findRun(this.database, context, id);
    const b = await findRun(this.database, context, otherId);
    const sideA = { id: a.id, plan: await loadPlan(this.plans, a) };
    const sideB = { id: b.id, plan: await loadPlan(this.plans, b) };
    const all = matchNodes(sideA.plan, sideB.plan);
    const pairs = select(all);
    const keys = await matchChildren(this.database, this.itemKeys, sideA, sideB, pairs);
    const hasMore = (position: number) => position < all.length - 1;
    return { a, b, comparison: { a: sideA, b: sideB, pairs, keys }, hasMore };
  }

  private async readInputs(run: Run, context: Context): Promise<RunInputs> {
    const plan = await loadPlan(this.plans, run);
    return { run, plan, masked: await this.masker.maskStored(run, plan, context) };
  }
}

/** The side of a node whose run has no subjob for it. */
const NO_SUBJOB: NodeSide = { execution_units: 0 };

type Measured = { duration_ms?: number | undefined; execution_units: number };

/** The fields of a run that a comparison shows. */
const toRunSide = (run: Run) => runComparison.shape.a.parse(toRun(run));

const subtract = (a: Measured, b: Measured) => ({
  ...(a.duration_ms !== undefined && b.duration_ms !== undefined && { duration_ms: b.duration_ms - a.duration_ms }),
  execution_units: b.execution_units - a.execution_units,
});

function toCounts(rows: readonly { change: OutputResult['change']; count: number }[]): NodeResult['outputs'] {
  const counts = { same: 0, changed: 0, only_in_a: 0, only_in_b: 0 };
  for (const { change, count } of rows) counts[change] += count;
  return counts;
}

const toOutput = ({ node, path, change, a, b }: OutputRow): OutputResult => ({
  ...{ node, path, change },
  ...(a && { a: toSide(a) }),
  ...(b && { b: toSide(b) }),
});

const toSide = ({ id, subjob, task, size, sha256 }: NonNullable<OutputRow['a']>) => ({
  ...{ id, subjob, sha256, size: Number(size) },
  ...(task > 0 && { task_index: task }),
});
