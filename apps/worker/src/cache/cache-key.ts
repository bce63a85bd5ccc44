import { createHash, createHmac } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CACHE_PARTS, type CacheKey, type CachePart } from '@millrace/contracts/runs/cache';
import type { Step } from '@millrace/graph/plan/plan';
import { type InputValues, buildCommandLine, inputKey } from '@millrace/graph/run/build-command-line';
import { forEachYielding } from '@millrace/service/loops/time-slice';
import type { InputEntries, InputEntry } from '../inputs/input-list.js';
import type { ResolvedInputs } from '../inputs/resolve-inputs.js';
import type { RunVariables } from '../variables/run-variables.js';

/** Raise it when a step with the same key would run differently: other folders, another basic environment. */
const FORMAT = 1;
const PART_DIGITS = 16;
/** Bytes hashed before other work of the event loop: about 10 ms. */
const MAX_SLICE_BYTES = 8 * 1024 * 1024;

export interface KeyContext {
  variables: RunVariables;
  /** What the step sees of its machine or container (`Execution.runnerOf`). */
  runner: readonly string[];
}

/**
 * The key of a step's result: a hash of everything that determines it. Two executions with equal keys get the same program,
 * arguments, environment and files. Values that do not reach the program are not part of it: the node's name, label and place,
 * its time limit and memory, its retries.
 * @returns null if the run's secrets cannot be hashed; then none of its results may be cached
 */
export async function cacheKey(step: Step, inputs: ResolvedInputs, context: KeyContext): Promise<CacheKey | null> {
  const { digests } = context.variables;
  if (digests === null) return null;
  // Arguments and files may contain secrets too. An HMAC with a secret salt prevents anyone from guessing them by hashing.
  const digest = (value: unknown) => createHmac('sha256', digests.salt).update(JSON.stringify(value)).digest('hex');
  const parts: Record<CachePart, string> = {
    runner: digest([FORMAT, process.platform, process.arch, ...context.runner]),
    program: digest([programDigest(step), step.network]),
    arguments: digest(buildCommandLine(step, identify(step, inputs, context.variables))),
    environment: digest(
      Object.entries(step.environment)
        .sort(byName)
        .map(([name, text]) => [name, context.variables.identify(text, step.space)]),
    ),
    inputs: await digestEntries(inputs.entries, digests.salt),
    secrets: digest([...new Set(Object.values(digests.values))].sort()),
  };
  return {
    key: digest(CACHE_PARTS.map((part) => parts[part])),
    parts: Object.fromEntries(CACHE_PARTS.map((part) => [part, parts[part].slice(0, PART_DIGITS)])) as typeof parts,
  };
}

/** Replaces each secret in the values by its digest. */
function identify(step: Step, { values, written }: ResolvedInputs, variables: RunVariables): InputValues {
  const identities = step.inputs.map(inputKey).flatMap((key) => {
    const text = written[key];
    const value = text === undefined ? values[key] : variables.identify(text.text, text.space);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(identities);
}

/** Cached, because a source has up to 10 MiB, and is the same for all children. */
const programs = new WeakMap<Step, string>();

function programDigest(step: Step): string {
  const cached = programs.get(step);
  if (cached !== undefined) return cached;
  const digest = createHash('sha256').update(canonicalJson(step.program)).digest('hex');
  programs.set(step, digest);
  return digest;
}

/** Does not depend on the order of an object's keys. */
const canonicalJson = (value: object): string => JSON.stringify(Object.entries(value).sort(byName));

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

async function digestEntries(entries: InputEntries, salt: string): Promise<string> {
  const contents = new Map<InputEntry, string>();
  for (const entry of entries) if (entry.kind === 'content') contents.set(entry, await hashContent(entry.content));
  const hmac = createHmac('sha256', salt);
  await forEachYielding(entries, (entry) => {
    const content = entry.kind === 'file' ? entry.file.sha256 : contents.get(entry);
    hmac.update(`${JSON.stringify(content === undefined ? [entry.path] : [entry.path, content])}\n`);
  });
  return hmac.digest('hex');
}

async function hashContent(content: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < content.length; from += MAX_SLICE_BYTES) {
    if (from > 0) await yieldToEventLoop();
    hash.update(content.subarray(from, from + MAX_SLICE_BYTES));
  }
  return hash.digest('hex');
}
