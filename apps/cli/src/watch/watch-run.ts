import type { WriteStream } from 'node:tty';
import type { MillraceClient, Run } from '@millrace/client';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import { EXIT } from '../cli-context.js';
import { runFolder } from '../files/choose-output-paths.js';
import { downloadOutputs, type DownloadedOutput } from '../files/download-outputs.js';
import { toLine } from '../to-line.js';
import { followRun } from './follow-run.js';
import { interruptRun } from './interrupt-run.js';
import { liveTree } from './live-tree.js';
import { plainLines } from './plain-lines.js';

export interface WatchOptions {
  /** Folder for the outputs; undefined for the default of the run. */
  folder?: string | undefined;
  screen: WriteStream;
  json: boolean;
  /** Whether the terminal can move its cursor. */
  hasCursor: boolean;
  /** Whether to print lines even to a terminal. */
  isPlain?: boolean;
  /** Labels or names of the nodes whose outputs to download; undefined for all named outputs. */
  nodes?: readonly string[] | undefined;
}

/** Shows a run until it ends, downloads its outputs, and returns the exit code. */
export async function watchRun(client: MillraceClient, run: Run, options: WatchOptions): Promise<number> {
  const { screen } = options;
  const title = toLine(`${run.workflow_name}, run ${run.id}`);
  // Some terminals, such as a serial line or the terminal of a build, report a width of 0 columns.
  const hasSize = screen.columns > 0 && screen.rows > 0;
  const canRedraw = !options.isPlain && options.hasCursor && screen.isTTY && hasSize;
  const presenter = canRedraw ? liveTree(title, screen) : plainLines(title, screen);
  const hasUser = !options.isPlain && process.stdin.isTTY && process.stderr.isTTY;
  const interrupt = interruptRun(client, run.id, { presenter, hasUser });
  try {
    const ended = await followRun(client, run, presenter);
    const downloads = ended.status === 'STOPPED' ? [] : await download(client, ended, options);
    if (options.json) writeJson(ended, downloads);
    else screen.write(summarize(ended, downloads));
    if (interrupt.isInterrupted()) return EXIT.interrupted;
    return ended.status === 'COMPLETED' ? EXIT.ok : EXIT.runFailed;
  } finally {
    interrupt.release();
  }
}

/** A failed run may have produced only some of its outputs, so all outputs that exist are downloaded. */
async function download(
  client: MillraceClient,
  run: Run,
  { folder = runFolder(run), nodes }: WatchOptions,
): Promise<DownloadedOutput[]> {
  return downloadOutputs(client, run.id, folder, { nodes: run.status === 'COMPLETED' ? nodes : undefined });
}

function summarize(run: Run, downloads: DownloadedOutput[]): string {
  const duration = run.duration_ms === undefined ? '' : ` in ${formatDuration(run.duration_ms)}`;
  const error = run.error === undefined ? [] : [`  ${toLine(run.error)}`];
  const shown = downloads.slice(0, 20).map(({ output, file }) => `  ${toLine(file)}  (${output.pretty_size})`);
  const more = downloads.length > shown.length ? [`  … and ${downloads.length - shown.length} more`] : [];
  return [`Run ${run.id} ${run.status}${duration}`, ...error, ...shown, ...more, ''].join('\n');
}

function writeJson(run: Run, downloads: DownloadedOutput[]): void {
  const outputs = downloads.map(({ output, file }) => ({ ...output, file }));
  process.stdout.write(`${JSON.stringify({ run, outputs }, null, 2)}\n`);
}
