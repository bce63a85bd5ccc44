import { type FinishedReport } from '@millrace/contracts/runs/report';

type Subject = Pick<FinishedReport, 'dispatch' | 'task' | 'attempt' | 'step'>;

/** Reports a step that the shutdown of its worker has ended. It is no attempt: the task runs again at once. */
export function describeInterruption(subject: Subject, startedAt: number): FinishedReport {
  return {
    ...{ type: 'finished', ...subject, startedAt, at: Date.now() },
    ...{ outcome: 'failed', platformFailed: true, interrupted: true, exitCode: null },
    message: 'The worker shut down before this step ended; the step runs again',
    ...{ params: {}, outputs: { files: [] }, stdout: null, stderr: null },
    ...{ cpuMs: 0, maxRssBytes: null, split: null },
  };
}
