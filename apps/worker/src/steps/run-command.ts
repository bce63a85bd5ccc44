import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileRef } from '@millrace/contracts/runs/files';
import type { Step } from '@millrace/graph/plan/plan';
import { type CommandLine, OUTPUT_FILE, buildCommandLine, interpreterOf } from '@millrace/graph/run/build-command-line';
import type { CommandExit } from '@millrace/isolation/slot/running-command';
import type { StepSlot } from '@millrace/isolation/slot/step-slot';
import { TimeSlice } from '@millrace/service/loops/time-slice';
import { NotARegularFileError, type ObjectStore, type StoredObject } from '@millrace/storage/object-store';
import type { BulkThread } from '../bulk/bulk-thread.js';
import type { ResolvedInputs } from '../inputs/resolve-inputs.js';
import { type SampledStep } from '../logs/sampled-step.js';
import { type StoredLog, storeLog, toStoredLog } from '../logs/store-log.js';
import { addMaskedCopy } from '../masking/add-masked-copy.js';
import { storeFile, storeOutputs } from '../outputs/store-outputs.js';
import type { RunVariables } from '../variables/run-variables.js';
import { describeExit, readLastLine } from './describe-exit.js';
import { StepFailedError } from './step-failed-error.js';

export interface CommandTools {
  slot: StepSlot;
  store: ObjectStore;
  bulk: BulkThread;
  memoryBytes: number;
  /** Image that the step runs in; null without a container. */
  image: string | null;
  variables: RunVariables;
  /** Records when the command writes its logs. */
  sampled: SampledStep;
  /** Stops the command, or the storing of its outputs. */
  signal: AbortSignal;
}

/** A command that has ended, and its command line. */
export interface FinishedCommand {
  exit: CommandExit;
  line: CommandLine;
}

export interface CommandResult {
  /** Null on success, unless entries of `out/` were left out. */
  message: string | null;
  failed: boolean;
  files: FileRef[];
  stdout: StoredLog | null;
  stderr: StoredLog | null;
}

/** Runs a tool or script in a slot that has its inputs. */
export async function runCommand(step: Step, inputs: ResolvedInputs, tools: CommandTools): Promise<FinishedCommand> {
  const { slot } = tools;
  if (step.program.kind === 'script') {
    writeFileSync(join(slot.folders.work, interpreterOf(step.program.language).file), step.program.source, {
      flag: 'wx',
    });
  }
  const line = buildCommandLine(step, inputs.values);
  const exit = await slot.run({ argv: line.argv, env: { ...basicEnvironment(tools), ...inputs.environment } });
  tools.sampled.stop();
  return { line, exit };
}

/**
 * Stores logs and outputs of a command. If the command was interrupted, its logs may end within a secret value; that beginning
 * is removed.
 * @throws errors of the store
 */
export async function storeCommandResult(
  step: Step,
  { exit, line }: FinishedCommand,
  tools: CommandTools,
): Promise<CommandResult> {
  const { slot, memoryBytes, variables } = tools;
  const { masker } = variables;
  const [stdout, stderr] = [join(slot.folders.step, 'stdout'), join(slot.folders.step, 'stderr')];
  const cut = exit.signal !== null || exit.killReason !== null || (exit.code ?? 129) > 128 || tools.signal.aborted;
  const { limits } = slot;
  const context = { limits, memoryBytes, image: tools.image };
  const failure = describeExit(exit, () => readLastLine(stderr, masker, cut), context);
  if (failure !== null) {
    return {
      message: failure,
      failed: true,
      files: [],
      stdout: await storeStream('stdout', tools, cut),
      stderr: await storeStream('stderr', tools, cut),
    };
  }
  return { ...(await storeSuccess(step, line, stdout, tools)), stderr: await storeStream('stderr', tools) };
}

function storeStream(stream: 'stdout' | 'stderr', tools: CommandTools, cut = false): Promise<StoredLog | null> {
  const { slot, store, sampled, variables } = tools;
  const translator = variables.masker && sampled.translatorOf(stream);
  return storeLog(join(slot.folders.step, stream), store, variables.masker, { cut, translator });
}

async function storeSuccess(
  step: Step,
  line: CommandLine,
  stdout: string,
  tools: CommandTools,
): Promise<Omit<CommandResult, 'stderr'>> {
  const { slot, store, signal } = tools;
  const { masker } = tools.variables;
  try {
    const { files, ignored, emptied } = await storeOutputs(tools);
    if (emptied) slot.markOutputsCollected();
    const message =
      ignored === 0 ? null : `${ignored} entries of out/ were left out: links that lead out of it, pipes or devices`;
    const path = chooseStdoutPath(step, line, files, stdout);
    const show = (file: FileRef) => addMaskedCopy(file, store, masker, signal);
    const shown = masker ? await showAll(files, show) : files;
    if (path === null) return { files: shown, message, failed: false, stdout: await storeStream('stdout', tools) };
    const original = { path, ...(await storeStdout(stdout, tools)) };
    const output = await addMaskedCopy(original, store, masker, signal, masker && tools.sampled.translatorOf('stdout'));
    return { files: insert(shown, output), message, failed: false, stdout: toStoredLog(output) };
  } catch (error) {
    const log = await storeStream('stdout', tools, signal.aborted);
    return { files: [], message: explainStoreError(error, signal), failed: true, stdout: log };
  }
}

function explainStoreError(error: unknown, signal: AbortSignal): string {
  if (error instanceof StepFailedError) return error.message;
  if (error instanceof NotARegularFileError)
    return 'the command replaced its standard output by something that is not a regular file';
  if (signal.aborted) return 'the step was stopped';
  throw error;
}

/** Usually the file is empty and stays for the next command. A command can have deleted it. */
async function storeStdout(path: string, tools: CommandTools): Promise<StoredObject> {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  return !entry || entry.size === 0 ? tools.store.put(Buffer.alloc(0)) : storeFile(path, entry.size, tools);
}

/**
 * Path below `out/` of the file that standard output becomes; null if the command wrote that file itself. It is also null for
 * a script that wrote files and printed nothing: an empty file would be one more item for steps that take the folder.
 */
function chooseStdoutPath(step: Step, line: CommandLine, files: readonly FileRef[], stdout: string): string | null {
  const isSilent = (lstatSync(stdout, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (step.program.kind === 'script' && isSilent && files.length > 0) return null;
  const target = step.program.kind === 'script' ? OUTPUT_FILE : line.stdout;
  const path = target?.slice('out/'.length) ?? null;
  return path === null || files.some((file) => file.path === path) ? null : path;
}

async function showAll(files: readonly FileRef[], show: (file: FileRef) => Promise<FileRef>): Promise<FileRef[]> {
  const slice = new TimeSlice();
  const shown: FileRef[] = [];
  for (const file of files) {
    shown.push(await show(file));
    if (slice.isOver) await slice.yieldToEventLoop();
  }
  return shown;
}

function insert(files: FileRef[], output: FileRef): FileRef[] {
  const path = Buffer.from(output.path);
  const before = files.findIndex((file) => Buffer.compare(Buffer.from(file.path), path) > 0);
  return files.toSpliced(before === -1 ? files.length : before, 0, output);
}

// LC_CTYPE and not LANG: with LANG every process loads eleven more categories in 0.4 ms, with the same content as C.
const basicEnvironment = ({ slot }: CommandTools): Record<string, string> => ({
  ...(slot.path !== null && { PATH: slot.path }),
  HOME: slot.home,
  TMPDIR: slot.home,
  LC_CTYPE: 'C.UTF-8',
  USER: 'step',
});
