import { BUILT_IN_VARIABLES } from '@millrace/contracts/workflows/secrets';
import { requirementKey } from '@millrace/graph/plan/placement';
import type { Plan, Scope, Segment, Step } from '@millrace/graph/plan/plan';
import {
  listPlanVariables,
  type ScopedVariables,
  listSecretVariables,
  type SecretVariables,
} from '@millrace/graph/variables/list-plan-variables';
import type { TaskState } from '../states/task-transitions.js';

type Need = Segment['needs'][number];

/** A plan with the indexes that the engine needs, built once. */
export class PlanIndex {
  /** By segment: the segments that need it, and whether they need all of it or the same child. */
  readonly consumers: Need[][];
  /** By segment: the scope that it splits for, if it is a split. */
  private readonly scopeBySplit = new Map<number, Scope>();
  /** Whether a node tolerates failures or has a condition, so that tasks may end without a result although the run goes on. */
  readonly isTolerant: boolean;
  private readonly segmentsByScope: Segment[][];
  /** By hidden split: the step of the node that it splits for. */
  private readonly nodeBySplit = new Map<number, Step>();
  private readonly requirements = new Map<number, string | null>();
  private scopedVariables: readonly ScopedVariables[] | null = null;
  private secretVariables: SecretVariables | null = null;

  constructor(
    readonly plan: Plan,
    readonly sha256: string,
  ) {
    this.isTolerant = plan.steps.some(({ onError, when }) => onError !== undefined || when !== undefined);
    this.consumers = plan.segments.map(() => []);
    for (const { index, needs } of plan.segments) {
      for (const need of needs) this.consumers[need.segment]?.push({ ...need, segment: index });
    }
    this.segmentsByScope = plan.scopes.map(({ index }) => plan.segments.filter(({ scope }) => scope === index));
    for (const scope of plan.scopes) {
      const split = this.step(scope.split);
      this.scopeBySplit.set(split.segment, scope);
      const node = plan.steps.find((step) => step.scope === scope.index && step.node === split.node);
      if (split.type === 'SPLIT' && node) this.nodeBySplit.set(split.index, node);
    }
  }

  /** Names of the variables that the plan uses, by scope. */
  get variables(): readonly ScopedVariables[] {
    return (this.scopedVariables ??= listPlanVariables(this.plan));
  }

  /** The secret variables among them; null if there are none. */
  get secrets(): Readonly<SecretVariables> | null {
    this.secretVariables ??= listSecretVariables(this.variables, BUILT_IN_VARIABLES);
    const { names, modules } = this.secretVariables;
    return names.length + modules.length > 0 ? this.secretVariables : null;
  }

  /** What the workers of a segment must have, as a text; null if any worker will do. */
  requirementOf(segment: number): string | null {
    let key = this.requirements.get(segment);
    if (key === undefined) {
      key = requirementKey(this.plan.steps, this.segment(segment));
      this.requirements.set(segment, key);
    }
    return key;
  }

  /** Requirements other than that of null, by segment. */
  listRequirements(): { segment: number; key: string }[] {
    return this.plan.segments.flatMap(({ index }) => {
      const key = this.requirementOf(index);
      return key === null ? [] : [{ segment: index, key }];
    });
  }

  /** Whether a node has a condition or is an approval. */
  get hasChecks(): boolean {
    return this.plan.segments.some(({ index }) => this.readyState(index) === 'CHECKING');
  }

  /** The state of a segment's task whose needs are met: its condition is checked first, or somebody has to approve it. */
  readyState(segment: number): Extract<TaskState, 'CHECKING' | 'READY'> {
    const [first] = this.steps(segment);
    return first?.when !== undefined || first?.program.kind === 'approval' ? 'CHECKING' : 'READY';
  }

  step(index: number): Step {
    const step = this.plan.steps[index];
    if (!step) throw new Error(`Plan ${this.sha256} has no step ${index}`);
    return step;
  }

  segment(index: number): Segment {
    const segment = this.plan.segments[index];
    if (!segment) throw new Error(`Plan ${this.sha256} has no segment ${index}`);
    return segment;
  }

  steps(segment: number): Step[] {
    return this.segment(segment).steps.map((index) => this.step(index));
  }

  segmentsIn(scope: number): Segment[] {
    return this.segmentsByScope[scope] ?? [];
  }

  /** These segments, and those of their scopes that follow them child by child, directly or after others. */
  withFollowers(segments: readonly number[]): number[] {
    return reach(segments, (segment) => sameChild(this.consumers[segment] ?? []));
  }

  /** These segments, and those of their scopes that they follow child by child, directly or after others. */
  withPredecessors(segments: readonly number[]): number[] {
    return reach(segments, (segment) => sameChild(this.segment(segment).needs));
  }

  stepsIn(scope: number): Step[] {
    return this.plan.steps.filter((step) => step.scope === scope);
  }

  scopeSplitBy(segment: number): Scope | null {
    return this.scopeBySplit.get(segment) ?? null;
  }

  splitSegmentOf(scope: number): number {
    return this.step(this.plan.scopes[scope]?.split ?? -1).segment;
  }

  /** The subjob that represents a step: for a hidden split the task group of the node that it splits for. */
  subjobOf(step: number, task: number): { step: number; task: number } {
    const node = this.nodeBySplit.get(step);
    return node ? { step: node.index, task: 0 } : { step, task };
  }

  isHidden(step: number): boolean {
    return this.nodeBySplit.has(step);
  }
}

const sameChild = (needs: readonly Need[]): number[] =>
  needs.filter(({ how }) => how === 'each').map(({ segment }) => segment);

/** The segments from which `next` leads on, and those that it leads to. */
function reach(from: readonly number[], next: (segment: number) => number[]): number[] {
  const found = new Set(from);
  for (const segment of found) for (const reached of next(segment)) found.add(reached);
  return [...found];
}
