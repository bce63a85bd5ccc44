import { Logger } from '@nestjs/common';
import {
  ContainerDisruptedError,
  ContainerStartError,
  ImageUnavailableError,
} from '@millrace/containers/container-executor';
import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type FinishedReport } from '@millrace/contracts/runs/report';
import { type Plan, type Step } from '@millrace/graph/plan/plan';
import { isDiskFull } from '@millrace/messaging/rpc/explain-outage';
import { type DiskSpace } from '@millrace/service/health/disk-space';
import { type Execution } from '../execution/prepare-execution.js';
import { writeFileSet } from '../inputs/file-sets.js';
import { layOutInputs } from '../inputs/lay-out-inputs.js';
import { resolveInputs, type ResolvedInputs } from '../inputs/resolve-inputs.js';
import { type TaskFiles } from '../inputs/task-files.js';
import { storeCommandResult, runCommand, type CommandTools, type FinishedCommand } from './run-command.js';
import { shortenParams } from './shorten-params.js';
import { splitSources } from './split-sources.js';
import { StepFailedError } from './step-failed-error.js';

/** The part of a report that depends on how the step ran. */
export type StepOutcome = Omit<
  FinishedReport,
  'type' | 'dispatch' | 'task' | 'attempt' | 'step' | 'at' | 'startedAt' | 'cache'
>;

export interface StepWork {
  plan: Plan;
  step: Step;
  items: DispatchPayload['items'];
  files: TaskFiles;
  /** Present if the cache lookup has already resolved them. */
  inputs?: ResolvedInputs | undefined;
  tools: Omit<CommandTools, 'signal' | 'image'> & { execution: Execution };
  signal: AbortSignal;
  disk: DiskSpace;
}

const logger = new Logger('Steps');

const EMPTY_OUTCOME: StepOutcome = {
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
  ...EMPTY_OUTCOME,
  message: 'The disk of the worker is full; the step runs again when there is space.',
  platformFailed: true,
};

/** Runs one step of one task, from creating its inputs to storing its outputs. Failures are outcomes and never thrown. */
export async function runStep(work: StepWork): Promise<StepOutcome> {
  const outcome = await attempt(work);
  const { masker } = work.tools.variables;
  return masker && outcome.message !== null ? { ...outcome, message: masker.text(outcome.message) } : outcome;
}

async function attempt(work: StepWork): Promise<StepOutcome> {
  const { withheld } = work.tools.variables;
  if (withheld !== null) return { ...EMPTY_OUTCOME, message: withheld };
  try {
    return await (work.step.program.kind === 'split' ? split(work) : command(work));
  } catch (error) {
    if (work.signal.aborted) return stoppedOutcome();
    if (error instanceof ContainerDisruptedError)
      return { ...EMPTY_OUTCOME, message: error.message, platformFailed: true, lost: true };
    return failedOutcome(work, error, 'the worker could not run the step');
  }
}

/** A full disk is a failure of the platform and not of the step. */
function failedOutcome(work: StepWork, error: unknown, problem: string): StepOutcome {
  if (!isDiskFull(error)) return { ...EMPTY_OUTCOME, message: explain(work, error, problem) };
  logger.warn({ message: 'Disk full; the step runs again later', error });
  return DISK_FULL;
}

/** Their messages are about the step, and for its user. */
const EXPLAINED_ERRORS = [StepFailedError, ImageUnavailableError, ContainerStartError];

/** Errors of the worker itself go only to its log, because they name its paths and hosts. */
function explain({ tools }: StepWork, error: unknown, problem: string): string {
  if (EXPLAINED_ERRORS.some((kind) => error instanceof kind)) return (error as Error).message;
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logger.error({
    message: 'Step failed because of its worker',
    problem,
    error: tools.variables.masker?.text(details) ?? details,
  });
  return `${problem}; the log of the worker has the details`;
}

export const stoppedOutcome = (): StepOutcome => ({ ...EMPTY_OUTCOME, outcome: 'stopped' });

async function command(work: StepWork): Promise<StepOutcome> {
  const { step, tools, signal, items, files, plan } = work;
  const { slot, store, bulk, variables } = tools;
  const inputs = work.inputs ?? (await resolveInputs(step, { plan, items, files, store, variables }));
  const params = shortenParams(inputs.values, variables.masker);
  await layOutInputs(inputs.entries, { slot, store, bulk, signal });
  const image = tools.execution.imageOf(step);
  await slot.open({ network: step.network, memoryBytes: tools.memoryBytes, image });
  if (signal.aborted) return stoppedOutcome();
  const timedOut = startTimeout(work);
  const end = AbortSignal.any([signal, timedOut.signal]);
  const stop = () => slot.stop();
  end.addEventListener('abort', stop);
  try {
    const stoppableTools = { ...tools, image, signal: end };
    const ran = await runCommand(step, inputs, stoppableTools);
    const { code: exitCode, maxRssBytes } = ran.exit;
    const cpuMs = Math.ceil(ran.exit.cpuMs);
    return { ...(await finish(work, ran, stoppableTools, timedOut.signal)), params, exitCode, cpuMs, maxRssBytes };
  } finally {
    end.removeEventListener('abort', stop);
    timedOut.clear();
  }
}

/** Stores the result of a command. The caller adds its usage, which is billed even if the result cannot be stored. */
async function finish(
  work: StepWork,
  ran: FinishedCommand,
  tools: CommandTools,
  timedOut: AbortSignal,
): Promise<StepOutcome> {
  const { step, signal } = work;
  try {
    const { files, stdout, stderr, failed, message } = await storeCommandResult(step, ran, tools);
    const logs = { stdout, stderr, ...tools.sampled.describe({ stdout, stderr }) };
    if (timedOut.aborted)
      return { ...EMPTY_OUTCOME, ...logs, message: `timed out after ${step.timeoutSeconds ?? 0} s` };
    if (failed && signal.aborted) return { ...EMPTY_OUTCOME, ...logs, outcome: 'stopped' };
    // Messages of commands about a full disk differ, so the disk itself is checked.
    if (failed && (await work.disk.findFull()) !== null) return DISK_FULL;
    if (failed) return { ...EMPTY_OUTCOME, ...logs, message };
    return {
      ...EMPTY_OUTCOME,
      ...logs,
      message,
      outcome: 'succeeded',
      outputs: await writeFileSet(files, tools.store),
    };
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
  return { ...EMPTY_OUTCOME, outcome: 'succeeded', split: result, cpuMs: Math.ceil((used.user + used.system) / 1000) };
}

function startTimeout({ step }: StepWork): { signal: AbortSignal; clear(): void } {
  const end = new AbortController();
  if (step.timeoutSeconds === null) return { signal: end.signal, clear: () => undefined };
  const timer = setTimeout(() => end.abort(), step.timeoutSeconds * 1000);
  return { signal: end.signal, clear: () => clearTimeout(timer) };
}
