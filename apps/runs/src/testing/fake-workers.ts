import type { DispatchPayload, DispatchTask } from '@millrace/contracts/runs/dispatch';
import type { FileSet } from '@millrace/contracts/runs/files';
import type { FinishedReport, Report } from '@millrace/contracts/runs/report';
import type { Step } from '@millrace/graph/plan/plan';
import type { PlanIndex } from '../engine/plans/plan-index.js';

/** What a step of a task comes to, decided by the test. */
export type Outcome = 'succeeded' | 'failed' | 'platformFailed';

export const always = (fate: Outcome) => (): Outcome => fate;

const HASH = 'a'.repeat(64);

/** Another one for each attempt: from nothing at all to some seconds, whole ones among them. */
const cpuOf = ({ step, task, attempt }: { step: number; task: number; attempt: number }): number =>
  ((step * 7 + task * 3 + attempt * 5) % 13) * 250;

/** Says what a worker would report of a dispatch, without running anything. */
export class FakeWorkers {
  /** Steps that were begun, as `<step>#<task>`, in order. */
  readonly begun: string[] = [];

  constructor(
    private readonly plan: PlanIndex,
    private readonly fateOf: (step: Step, task: number, attempt: number) => Outcome,
    private readonly itemsOf: (step: Step) => number,
  ) {}

  /** All reports of a dispatch in order, the last of them `closed`. */
  run(payload: DispatchPayload): Report[] {
    return [
      ...payload.tasks.flatMap((task) => this.runTask(payload, task)),
      { type: 'closed', dispatch: payload.dispatch },
    ];
  }

  private runTask(payload: DispatchPayload, task: DispatchTask): Report[] {
    const reports: Report[] = [];
    for (const step of this.plan.steps(payload.segment)) {
      if (task.recorded.includes(step.index)) continue;
      this.checkInputs(payload, task, step);
      this.begun.push(`${step.index}#${task.index}`);
      const subject = {
        dispatch: payload.dispatch,
        task: task.index,
        attempt: task.attempt,
        step: step.index,
        at: Date.now(),
      };
      reports.push({ type: 'started', ...subject });
      const fate = this.fateOf(step, task.index, task.attempt);
      reports.push(this.finish(subject, step, fate));
      if (fate !== 'succeeded') break;
    }
    return reports;
  }

  private finish(
    subject: Omit<
      FinishedReport,
      | 'type'
      | 'startedAt'
      | 'outcome'
      | 'exitCode'
      | 'message'
      | 'params'
      | 'outputs'
      | 'stdout'
      | 'stderr'
      | 'cpuMs'
      | 'maxRssBytes'
      | 'split'
      | 'platformFailed'
    >,
    step: Step,
    fate: Outcome,
  ): Report {
    const isSplit = step.program.kind === 'split';
    return {
      type: 'finished',
      ...subject,
      startedAt: subject.at,
      outcome: fate === 'succeeded' ? fate : 'failed',
      ...(fate === 'platformFailed' && { platformFailed: true }),
      exitCode: fate === 'succeeded' ? 0 : 1,
      message: fate === 'succeeded' ? null : 'exit code 1',
      params: {},
      outputs: {
        files: isSplit || fate !== 'succeeded' ? [] : [{ path: 'output.txt', sha256: HASH, size: step.index }],
      },
      stdout: null,
      stderr: null,
      cpuMs: cpuOf(subject),
      maxRssBytes: null,
      split: isSplit && fate === 'succeeded' ? { items: HASH, index: HASH, count: this.itemsOf(step) } : null,
    };
  }

  /** @throws Error where a step is handed out without something that it takes */
  private checkInputs(payload: DispatchPayload, task: DispatchTask, step: Step): void {
    const inSegment = this.plan.segment(payload.segment).steps;
    for (const { binding } of step.inputs) {
      if (binding.from === 'item' && payload.items === null) throw new Error(`step ${step.index} has no items`);
      if (binding.from !== 'step') continue;
      const isEarlier = inSegment.includes(binding.step) && !task.recorded.includes(binding.step);
      const set: FileSet | undefined = task.files[binding.step] ?? payload.shared[binding.step];
      if (!isEarlier && !set) throw new Error(`step ${step.index}#${task.index} misses what step ${binding.step} left`);
    }
  }
}
