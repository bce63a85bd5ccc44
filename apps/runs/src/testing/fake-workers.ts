import { createHash } from 'node:crypto';
import type { DispatchPayload, DispatchTask } from '@millrace/contracts/runs/dispatch';
import type { FileSet } from '@millrace/contracts/runs/files';
import type { FinishedReport, Report } from '@millrace/contracts/runs/report';
import type { Step } from '@millrace/graph/plan/plan';
import type { PlanIndex } from '../engine/plans/plan-index.js';

/** The outcome of a step, decided by the test. */
export type Outcome = 'succeeded' | 'failed' | 'platformFailed' | 'interrupted' | 'lost';

export const always = (outcome: Outcome) => (): Outcome => outcome;

const HASH = 'a'.repeat(64);

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a step used, by `<step>` or `<step> gathered`: the contents of its inputs, and the manifests of failures. */
export type UsedInputs = Record<string, string[]>;

/** CPU time in milliseconds, different for each attempt: 0 to 3 s, including whole seconds. */
const cpuOf = ({ step, task, attempt }: { step: number; task: number; attempt: number }): number =>
  ((step * 7 + task * 3 + attempt * 5) % 13) * 250;

/** Makes the reports that workers would send for a dispatch, without running anything. */
export class FakeWorkers {
  /** Started steps as `<step>#<task>`, in order. */
  readonly started: string[] = [];
  /** By the content of an output, which no two executions share: what its step used. */
  readonly used = new Map<string, UsedInputs>();
  private executions = 0;

  constructor(
    private readonly plan: PlanIndex,
    private readonly outcomeOf: (step: Step, task: number, attempt: number) => Outcome,
    private readonly itemsOf: (step: Step) => number,
  ) {}

  /** What a user decides about an approval: the outcome of its step. */
  readonly decisionOf = (step: Step, task: number) =>
    this.outcomeOf(step, task, 1) === 'succeeded' ? ('approved' as const) : ('rejected' as const);

  /** All reports of a dispatch in order, the last of them `closed`. */
  run(payload: DispatchPayload): Report[] {
    return [
      ...payload.tasks.flatMap((task) => this.runTask(payload, task)),
      { type: 'closed', dispatch: payload.dispatch },
    ];
  }

  private runTask(payload: DispatchPayload, task: DispatchTask): Report[] {
    const reports: Report[] = [];
    const outputs = new Map<number, string[]>();
    for (const step of this.plan.steps(payload.segment)) {
      if (task.recorded.includes(step.index)) continue;
      const inputs = this.readInputs(payload, task, step, outputs);
      this.started.push(`${step.index}#${task.index}`);
      const subject = {
        dispatch: payload.dispatch,
        task: task.index,
        attempt: task.attempt,
        step: step.index,
        at: Date.now(),
      };
      reports.push({ type: 'started', ...subject });
      const outcome = this.outcomeOf(step, task.index, task.attempt);
      const content = hash(`${step.index}#${task.index} ${this.executions++}`);
      this.used.set(content, inputs);
      outputs.set(step.index, [content]);
      reports.push(this.finish(subject, step, outcome, content));
      if (outcome !== 'succeeded') break;
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
    outcome: Outcome,
    content: string,
  ): Report {
    const isSplit = step.program.kind === 'split';
    return {
      type: 'finished',
      ...subject,
      startedAt: subject.at,
      outcome: outcome === 'succeeded' ? outcome : 'failed',
      ...(['platformFailed', 'interrupted', 'lost'].includes(outcome) && { platformFailed: true }),
      ...(outcome === 'interrupted' && { interrupted: true }),
      ...(outcome === 'lost' && { lost: true }),
      exitCode: outcome === 'succeeded' ? 0 : 1,
      message: outcome === 'succeeded' ? null : 'exit code 1',
      params: {},
      outputs: {
        files: isSplit || outcome !== 'succeeded' ? [] : [{ path: 'output.txt', sha256: content, size: step.index }],
      },
      stdout: { sha256: content, size: 3, truncated: false },
      stderr: null,
      cpuMs: cpuOf(subject),
      maxRssBytes: null,
      split: isSplit && outcome === 'succeeded' ? { items: HASH, index: HASH, count: this.itemsOf(step) } : null,
    };
  }

  /** @throws Error if a step is dispatched without an input that it needs */
  private readInputs(
    payload: DispatchPayload,
    task: DispatchTask,
    step: Step,
    outputs: ReadonlyMap<number, string[]>,
  ): UsedInputs {
    const used: UsedInputs = {};
    for (const { binding } of step.inputs) {
      if (binding.from === 'item' && payload.items === null) throw new Error(`step ${step.index} has no items`);
      if (binding.from !== 'step') continue;
      const own = binding.gather ? undefined : task.files[binding.step];
      const set: FileSet | undefined = own ?? payload.shared[binding.step];
      const failures = own ? undefined : payload.failures?.[binding.step];
      const files = outputs.get(binding.step) ?? (set && 'files' in set ? set.files.map(({ sha256 }) => sha256) : []);
      if (!outputs.has(binding.step) && !set) {
        throw new Error(`step ${step.index}#${task.index} misses the outputs of step ${binding.step}`);
      }
      used[`${binding.step}${binding.gather ? ' gathered' : ''}`] = [...files, ...(failures ? [failures.sha256] : [])];
    }
    return used;
  }
}
