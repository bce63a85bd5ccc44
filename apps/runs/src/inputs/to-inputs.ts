import type { z } from 'zod';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { runInputs } from '@millrace/contracts/runs/run-record';
import type { Plan, PlanPrimitive } from '@millrace/graph/plan/plan';
import type { Run } from '@millrace/persistence/generated/client';

/** The inputs of a run as users see them. A type, not an interface, so that it can be assigned to a JSON column. */
export type ShownInputs = {
  /** Values by primitive id or label, as the request gave them; values of secret variables are masked. */
  given: Record<string, string | boolean>;
  /** Keys of `given` with masked text. */
  masked: string[];
  /** Keys of inputs whose content came with the request; absent if there are none. */
  contents?: string[];
};

type Inputs = z.input<typeof runInputs>;
type Resolved = Inputs['resolved'][number];

/** The API record of a run's inputs, as the request gave them and as they were resolved. Files and folders are references. */
export function toInputs(row: Pick<Run, 'inputs' | 'shownInputs'>, { primitives }: Plan): Inputs {
  const shown = row.shownInputs as ShownInputs | null;
  const stored = row.inputs as Record<string, InputValue>;
  const resolved = Object.entries(primitives).flatMap(([id, primitive]) => {
    const value = stored[id];
    return value === undefined ? [] : [resolve(id, primitive, value, shown)];
  });
  return {
    ...(shown && { given: shown.given }),
    ...(shown && shown.masked.length > 0 && { masked: shown.masked }),
    ...(shown?.contents && { contents: shown.contents }),
    resolved,
  };
}

function resolve(id: string, primitive: PlanPrimitive, stored: InputValue, shown: ShownInputs | null): Resolved {
  const { type, label } = primitive;
  const identity = { id, ...(label !== '' && { label }), type };
  const hasContent = shown?.contents?.some((key) => key === id || (label !== '' && key === label)) === true;
  if (hasContent) return { ...identity, given: true, ...describeContent(stored) };
  const given = shown ? findGiven(shown.given, id, primitive) : undefined;
  const isGiven = shown ? given !== undefined : guessGiven(primitive, stored);
  const reference = isGiven === false ? (primitive.value ?? undefined) : given;
  // A request can give a flag as text; the stored value is the flag.
  const value = typeof stored === 'boolean' ? stored : (reference ?? (typeof stored === 'string' ? stored : undefined));
  return {
    ...identity,
    ...(isGiven !== undefined && { given: isGiven }),
    ...(value !== undefined && { value }),
    ...describeContent(stored),
  };
}

/** For a run without recorded inputs. A stored file may be the default or not if there is one, so the result is undefined. */
function guessGiven({ value }: PlanPrimitive, stored: InputValue): boolean | undefined {
  return typeof stored === 'object' && value !== null ? undefined : stored !== value;
}

/** An id has precedence over a label. An empty text is a value of STRING inputs only. */
function findGiven(given: ShownInputs['given'], id: string, { label, type }: PlanPrimitive) {
  const key = [id, label].find((name) => name !== '' && Object.hasOwn(given, name));
  const value = key === undefined ? undefined : given[key];
  return value === '' && type !== 'STRING' ? undefined : value;
}

function describeContent(stored: InputValue): Pick<Resolved, 'name' | 'sha256' | 'size' | 'files'> {
  if (typeof stored !== 'object') return {};
  if (!('folder' in stored)) {
    const { sha256, size } = stored.shown ?? stored;
    return { name: stored.path, sha256, size };
  }
  if (!('files' in stored.folder)) return { files: stored.folder.count };
  const { files } = stored.folder;
  return { files: files.length, size: files.reduce((sum, { size }) => sum + size, 0) };
}
