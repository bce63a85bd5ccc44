import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { RunPart } from '@millrace/contracts/runs/run-record';
import type { CreationType } from '@millrace/contracts/runs/statuses';
import type { Plan } from '@millrace/graph/plan/plan';
import type { Run } from '@millrace/persistence/generated/client';
import type { ObjectStore } from '@millrace/storage/object-store';
import type { ShownInputs } from '../inputs/to-inputs.js';
import type { RunRequest } from '../launch/run-starter.js';
import { toParameters } from '../parameters/to-parameters.js';

/** What differs from the former run. */
export interface Changes {
  inputs?: Record<string, string | boolean> | undefined;
  version?: string | undefined;
  /** Nodes whose results are not taken over. */
  except: readonly string[];
  creationType: CreationType;
}

/**
 * Makes the request for a run that repeats another one with changes: with its other inputs, also those that are shown
 * masked or came as content with the request, and with its parameters.
 * @param plan of the former run
 */
export async function repeatWithChanges(
  former: Run,
  plan: Plan,
  changes: Changes,
  store: ObjectStore,
): Promise<RunRequest> {
  return {
    workflow: former.workflowId,
    version: changes.version ?? former.versionId,
    ...(await mergeInputs(former, plan, changes.inputs ?? {}, store)),
    creationType: changes.creationType,
    parallelism: former.parallelism,
    useCache: former.useCache ?? undefined,
    name: former.name,
    timeoutSeconds: former.timeoutSeconds ?? undefined,
    ...{ origin: null, schedule: null },
    parent: { run: former.id, except: changes.except },
    // Where it began does not matter: it takes over whatever has not changed.
    // Another version is requested for its own values.
    parameters: changes.version === undefined ? toParameters(former).parameters : undefined,
    part: former.part === null ? undefined : { until: (former.part as unknown as RunPart).until },
  };
}

/** The inputs of a run with some of them changed. @param plan of the run */
export async function mergeInputs(
  former: Run,
  plan: Plan,
  changes: Record<string, string | boolean>,
  store: ObjectStore,
): Promise<Pick<RunRequest, 'inputs' | 'contents'>> {
  const { given = {}, masked = [], contents = [] } = (former.shownInputs as ShownInputs | null) ?? {};
  const stored = former.inputs as Record<string, InputValue>;
  const idOf = (key: string) =>
    key in plan.primitives
      ? key
      : (Object.keys(plan.primitives).find((id) => plan.primitives[id]?.label === key) ?? key);
  const changed = new Set(Object.keys(changes).map(idOf));
  const kept = Object.entries(given).filter(([key]) => !changed.has(idOf(key)));
  const unmasked = kept.map(([key, value]) => {
    const actual = masked.includes(key) ? stored[idOf(key)] : value;
    return [key, typeof actual === 'object' || actual === undefined ? value : actual] as const;
  });
  return {
    inputs: { ...Object.fromEntries(unmasked), ...changes },
    contents: await readContents(
      contents.filter((key) => !changed.has(idOf(key))),
      (key) => stored[idOf(key)],
      store,
    ),
  };
}

/** Contents that came with the request of the former run, such as the payload of a hook. */
async function readContents(
  keys: readonly string[],
  valueOf: (key: string) => InputValue | undefined,
  store: ObjectStore,
): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const key of keys) {
    const value = valueOf(key);
    if (typeof value === 'object' && 'sha256' in value) {
      contents[key] = (await store.readAll(value.sha256)).toString('base64');
    }
  }
  return contents;
}
