import { Logger } from '@nestjs/common';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type FinishedReport } from '@millrace/contracts/runs/report';
import { type Plan, type Step } from '@millrace/graph/plan/plan';
import { isDiskFull } from '@millrace/messaging/rpc/explain-outage';
import { type DiskSpace } from '@millrace/service/disk-space';
import { writeFileSet } from '../inputs/file-sets.js';
import { layOutInputs } from '../inputs/lay-out-inputs.js';
import { resolveInputs, type ResolvedInputs } from '../inputs/resolve-inputs.js';
import { type TaskFiles } from '../inputs/task-files.js';
import { storeCommandResult, runCommand, type CommandTools, type Ran } from './run-command.js';
import { shortenParams } from './shorten-params.js';
import { splitSources } from './split-sources.js';
import { StepFailedError } from './step-failed-error.js';

/** The part of a report that the running of a step decides. */
export type StepOutcome = Omit<
  FinishedReport,
  'type' | 'dispatch' | 'task' | 'attempt' | 'step' | 'at' | 'startedAt' | 'cache'
>;

export interface StepWork {
  plan: Plan;
  step: Step;
  items: DispatchPayload['items'];
  files: TaskFiles;
  /** If they were resolved already, for the cache. */
  inputs?: ResolvedInputs | undefined;
  tools: Omit<CommandTools, 'signal'>;
  signal: AbortSignal;
  disk: DiskSpace;
}

const logger = new Logger('Steps');

const NOTHING: StepOutcome = {
  outcome: 'failed',
  exitCode: null,
  message: null,
  params: {},
  outputs: { files: [] },
  stdout: null,
  stderr: null,
  cpuMs: 0,
  maxRssBytes: null,
  split: null,
};

const DISK_FULL: StepOutcome = {
  ...NOTHING,
  message: 'The disk of the worker is full; the step runs again when there is space.',
  platformFailed: true,
};

/** Runs one step of one task, from bringing its inputs in to storing its outputs. Failures are outcomes, never thrown. */
export async function runStep(work: StepWork): Promise<StepOutcome> {
  const outcome = await attempt(work);
  const { masker } = work.tools.variables;
  return masker && outcome.message !== null ? { ...outcome, message: masker.text(outcome.message) } : outcome;
}

async function attempt(work: StepWork): Promise<StepOutcome> {
  const { withheld } = work.tools.variables;
  if (withheld !== null) return { ...NOTHING, message: withheld };
  try {
    return await (work.step.program.kind === 'split' ? split(work) : command(work));
  } catch (error) {
    if (work.signal.aborted) return stoppedOutcome();
    return failedOutcome(work, error, 'the worker could not run the step');
  }
}

/** A full disk is the platform's failure, whatever was being written. */
function failedOutcome(work: StepWork, error: unknown, problem: string): StepOutcome {
  if (!isDiskFull(error)) return { ...NOTHING, message: explain(work, error, problem) };
  logger.warn({ message: 'Disk full; the step runs again later', error });
  return DISK_FULL;
}

/** What is wrong with the worker itself goes to its log: such words name its paths and hosts. */
function explain({ tools }: StepWork, error: unknown, problem: string): string {
  if (error instanceof StepFailedError) return error.message;
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logger.error({
    message: 'Step failed because of its worker',
    problem,
    error: tools.variables.masker?.text(details) ?? details,
  });
  return `${problem}; the log of the worker has the details`;
}

export const stoppedOutcome = (): StepOutcome => ({ ...NOTHING, outcome: 'stopped' });

async function command(work: StepWork): Promise<StepOutcome> {
  const { step, tools, signal, items, files, plan } = work;
  const { slot, store, bulk, variables } = tools;
  const inputs = work.inputs ?? (await resolveInputs(step, { plan, items, files, store, variables }));
  const params = shortenParams(inputs.values, variables.masker);
  await layOutInputs(inputs.entries, { slot, store, bulk, signal });
  await slot.open({ network: step.network, memoryBytes: tools.memoryBytes });
  if (signal.aborted) return stoppedOutcome();
  const timedOut = watchTime(work);
  const end = AbortSignal.any([signal, timedOut.signal]);
  const stop = () => slot.stop();
  end.addEventListener('abort', stop);
  try {
    const ending = { ...tools, signal: end };
    const ran = await runCommand(step, inputs, ending);
    const { code: exitCode, maxRssBytes } = ran.exit;
    const cpuMs = Math.ceil(ran.exit.cpuMs);
    return { ...(await finish(work, ran, ending, timedOut.signal)), params, exitCode, cpuMs, maxRssBytes };
  } finally {
    end.removeEventListener('abort', stop);
    timedOut.clear();
  }
}

/** Keeps what a command left. Its caller says what it used, which is billed though none of this can be stored. */
async function finish(work: StepWork, ran: Ran, tools: CommandTools, timedOut: AbortSignal): Promise<StepOutcome> {
  const { step, signal } = work;
  try {
    const { files, stdout, stderr, failed, message } = await storeCommandResult(step, ran, tools);
    const logs = { stdout, stderr };
    if (timedOut.aborted) return { ...NOTHING, ...logs, message: `timed out after ${step.timeoutSeconds ?? 0} s` };
    if (failed && signal.aborted) return { ...NOTHING, ...logs, outcome: 'stopped' };
    // Commands say what failed in words of their own, so the disk itself is asked.
    if (failed && (await work.disk.findFull()) !== null) return DISK_FULL;
    if (failed) return { ...NOTHING, ...logs, message };
    return { ...NOTHING, ...logs, message, outcome: 'succeeded', outputs: await writeFileSet(files, tools.store) };
  } catch (error) {
    if (signal.aborted) return stoppedOutcome();
    return failedOutcome(work, error, 'the outputs of the step could not be stored');
  }
}

async function split(work: StepWork): Promise<StepOutcome> {
  const { step, plan, files, tools, signal } = work;
  const scope = plan.scopes.find((one) => one.split === step.index);
  if (!scope) throw new Error(`no scope is split by step ${step.index}`);
  const before = process.threadCpuUsage();
  const result = await splitSources(step, scope, files, {
    store: tools.store,
    scratch: tools.slot.folders.step,
    signal,
  });
  const used = process.threadCpuUsage(before);
  return { ...NOTHING, outcome: 'succeeded', split: result, cpuMs: Math.ceil((used.user + used.system) / 1000) };
}

function watchTime({ step }: StepWork): { signal: AbortSignal; clear(): void } {
  const end = new AbortController();
  if (step.timeoutSeconds === null) return { signal: end.signal, clear: () => undefined };
  const timer = setTimeout(() => end.abort(), step.timeoutSeconds * 1000);
  return { signal: end.signal, clear: () => clearTimeout(timer) };
}
