import type { FileSet } from '@millrace/contracts/runs/files';
import type { FinishedReport } from '@millrace/contracts/runs/report';
import type { WorkerReport } from './reported-changes.js';

const MESSAGE = 'a file that the step stored was deleted before it was reported; the step runs again';

/**
 * Replaces a report whose contents have been deleted by a failure of the platform: the step runs again, which stores them
 * again. A worker may report minutes after it stored a content, for example when the runs service was away.
 * @param gone the deleted contents
 */
export function withoutGoneContents(received: WorkerReport, gone: ReadonlySet<string>): WorkerReport {
  const { report, outputs } = received;
  if (report.type !== 'finished') return received;
  if (!contentsOf(report, outputs ?? report.outputs).some((sha256) => gone.has(sha256))) return received;
  return { ...received, report: toPlatformFailure(report), outputs: { files: [] } };
}

export function toPlatformFailure(report: FinishedReport): FinishedReport {
  const { cache: _cache, resultKey: _resultKey, ...rest } = report;
  return {
    ...rest,
    ...{ outcome: 'failed', platformFailed: true, message: MESSAGE },
    ...{ outputs: { files: [] }, stdout: null, stderr: null, split: null },
  };
}

/** All contents that the report refers to. @param outputs as the worker sent them */
function contentsOf({ outputs: listed, stdout, stderr, split }: FinishedReport, outputs: FileSet): string[] {
  const files = 'files' in listed ? listed.files : [];
  return [
    ...files.flatMap(({ sha256, shown }) => (shown ? [sha256, shown.sha256] : [sha256])),
    ...('manifest' in outputs ? [outputs.manifest] : []),
    ...[stdout, stderr].flatMap((log) => (log ? [log.sha256] : [])),
    ...(split ? [split.items, split.index] : []),
  ];
}
