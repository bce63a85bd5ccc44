import { isDeepStrictEqual } from 'node:util';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { Step, StepInput } from '@millrace/graph/plan/plan';
import { inputName } from '@millrace/graph/run/resolve-run-inputs';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { stepKey, type EarlierRun } from './read-earlier-runs.js';

/** By step: the earlier runs in which it has the outputs that it will have. Absent if these are not known before the run. */
export type KnownOutputs = ReadonlyMap<number, ReadonlySet<bigint>>;

/** Compares steps of a planned run with those of earlier runs: everything that the cache key consists of. */
export class StepMatcher {
  constructor(
    private readonly plan: PlanIndex,
    private readonly inputs: Readonly<Record<string, InputValue>>,
    private readonly known: KnownOutputs,
  ) {}

  /** Why the inputs of a step are not known before the run; null if they are. */
  findUnknownInput({ inputs }: Step): string | null {
    for (const { binding } of inputs) {
      if (binding.from === 'step' && !this.known.has(binding.step))
        return `it uses the outputs of ${JSON.stringify(this.plan.step(binding.step).node)}, which are not known yet`;
      if (binding.from === 'primitive') {
        const problem = this.findUnknownPrimitive(binding.primitive);
        if (problem !== null) return problem;
      }
      if (binding.from !== 'item') continue;
      const problem = this.findUnknownInput(this.splitOf(this.plan, binding.scope));
      if (problem !== null) return problem;
    }
    return null;
  }

  private findUnknownPrimitive(id: string): string | null {
    const value = this.inputs[id];
    const name = JSON.stringify(inputName(this.plan.plan, id));
    if (value === undefined) return `input ${name} has no value`;
    const type = this.plan.plan.primitives[id]?.type;
    const isUrl = typeof value === 'string' && (type === 'FILE' || type === 'FOLDER');
    return isUrl ? `input ${name} has to be fetched first` : null;
  }

  /** Whether the step had the same program, arguments and inputs in the earlier run. */
  isSame(step: Step, run: EarlierRun): boolean {
    const former = this.findFormer(step, run);
    if (!former) return false;
    const [own, other] = [step, former].map(({ program, network, environment }) => [program, network, environment]);
    return isDeepStrictEqual(own, other) && this.hasSameInputs(step, former, run);
  }

  /** Whether a scope gets the same items as in the earlier run. */
  isSameSplit(scope: number, formerScope: number, run: EarlierRun): boolean {
    const [own, other] = [this.plan.plan.scopes[scope], run.plan.plan.scopes[formerScope]];
    if (!own || !other || own.mode !== other.mode || own.splits !== other.splits) return false;
    const [split, former] = [this.splitOf(this.plan, scope), this.splitOf(run.plan, formerScope)];
    return stepKey(split) === stepKey(former) && this.hasSameInputs(split, former, run);
  }

  private findFormer(step: Step, run: EarlierRun): Step | undefined {
    return run.plan.plan.steps[run.steps.get(stepKey(step)) ?? -1];
  }

  private splitOf({ plan }: PlanIndex, scope: number): Step {
    const split = plan.steps[plan.scopes[scope]?.split ?? -1];
    if (!split) throw new Error(`Scope ${scope} has no split`);
    return split;
  }

  private hasSameInputs(step: Step, former: Step, run: EarlierRun): boolean {
    if (step.inputs.length !== former.inputs.length) return false;
    return step.inputs.every((input, at) => {
      const other = former.inputs[at];
      return (
        other !== undefined &&
        isDeepStrictEqual(describe(input), describe(other)) &&
        this.isSameValue(input, other, run)
      );
    });
  }

  private isSameValue({ binding: own }: StepInput, { binding: other }: StepInput, run: EarlierRun): boolean {
    if (own.from === 'value') return isDeepStrictEqual(own, other);
    if (own.from === 'primitive' && other.from === 'primitive') {
      return isDeepStrictEqual(this.inputs[own.primitive], run.inputs[other.primitive]);
    }
    if (own.from === 'item' && other.from === 'item') return this.isSameSplit(own.scope, other.scope, run);
    if (own.from !== 'step' || other.from !== 'step') return false;
    const isSameSource = stepKey(this.plan.step(own.step)) === stepKey(run.plan.step(other.step));
    const isSameBinding = own.port === other.port && own.gather === other.gather;
    return isSameSource && isSameBinding && this.known.get(own.step)?.has(run.id) === true;
  }
}

const describe = ({ param, source, type, order, command }: StepInput): unknown => [param, source, type, order, command];
