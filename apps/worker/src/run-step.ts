import { type DispatchPayload } from '@millrace/contracts/runs/dispatch';
import { type FinishedReport } from '@millrace/contracts/runs/report';
import { type InputValues } from '@millrace/graph/build-command-line';
import { type Plan, type Step } from '@millrace/graph/plan';
import { bringInputs } from './bring-inputs.js';
import { cutText } from './cut-text.js';
import { writeFileSet } from './file-sets.js';
import { InputFolder } from './input-folder.js';
import { runCommand, type CommandTools } from './run-command.js';
import { splitSources } from './split-sources.js';
import { StepFailure } from './step-failure.js';
import { type TaskFiles } from './task-files.js';
import { type Masker } from './variables/masker.js';

/** The part of a report that the running of a step decides. */
export type StepOutcome = Omit<FinishedReport, 'type' | 'dispatch' | 'task' | 'attempt' | 'step' | 'at' | 'startedAt'>;

export interface StepWork {
  plan: Plan;
  step: Step;
  items: DispatchPayload['items'];
  files: TaskFiles;
  tools: Omit<CommandTools, 'signal'>;
  signal: AbortSignal;
}

const PARAM_CHARACTERS = 200;

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
    return {
      ...NOTHING,
      message: error instanceof StepFailure ? error.message : `the worker could not run it: ${String(error)}`,
    };
  }
}

export const stoppedOutcome = (): StepOutcome => ({ ...NOTHING, outcome: 'stopped' });

async function command(work: StepWork): Promise<StepOutcome> {
  const { step, tools, signal, items, files, plan } = work;
  const { slot, store, variables } = tools;
  const values = await bringInputs(step, { plan, items, files, store, variables }, new InputFolder(slot, store));
  const params = shorten(values, variables.masker);
  await slot.open({ network: step.network, memoryBytes: tools.memoryBytes });
  if (signal.aborted) return stoppedOutcome();
  const timedOut = watchTime(work);
  const end = AbortSignal.any([signal, timedOut.signal]);
  const stop = () => slot.stop();
  end.addEventListener('abort', stop);
  try {
    const {
      exit,
      files: outputs,
      stdout,
      stderr,
      failed,
      message,
    } = await runCommand(step, values, { ...tools, signal: end });
    const measured = {
      params,
      exitCode: exit.code,
      cpuMs: exit.cpuMs,
      maxRssBytes: exit.maxRssBytes,
      stdout,
      stderr,
      split: null,
    };
    if (timedOut.signal.aborted)
      return { ...NOTHING, ...measured, message: `timed out after ${step.timeoutSeconds ?? 0} s` };
    if (signal.aborted && failed) return { ...NOTHING, ...measured, outcome: 'stopped', message: null };
    return {
      ...measured,
      message,
      outcome: failed ? 'failed' : 'succeeded',
      outputs: await writeFileSet(outputs, store),
    };
  } finally {
    end.removeEventListener('abort', stop);
    timedOut.clear();
  }
}

async function split(work: StepWork): Promise<StepOutcome> {
  const { step, plan, files, tools, signal } = work;
  const scope = plan.scopes.find((one) => one.split === step.index);
  if (!scope) throw new Error(`no scope is split by step ${step.index}`);
  const before = process.threadCpuUsage();
  const result = await splitSources(step, scope, files, { store: tools.store, scratch: tools.slot.host.step, signal });
  const used = process.threadCpuUsage(before);
  return { ...NOTHING, outcome: 'succeeded', split: result, cpuMs: (used.user + used.system) / 1000 };
}

function watchTime({ step }: StepWork): { signal: AbortSignal; clear(): void } {
  const end = new AbortController();
  if (step.timeoutSeconds === null) return { signal: end.signal, clear: () => undefined };
  const timer = setTimeout(() => end.abort(), step.timeoutSeconds * 1000);
  return { signal: end.signal, clear: () => clearTimeout(timer) };
}

function shorten(values: InputValues, masker: Masker | null): Record<string, string | boolean> {
  const short = (value: string | boolean) => {
    if (typeof value !== 'string') return value;
    const shown = masker?.text(value) ?? value;
    return shown.length > PARAM_CHARACTERS ? `${cutText(shown, PARAM_CHARACTERS)}…` : shown;
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, short(value)]));
}
