import type { z } from 'zod';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { runInputs } from '@millrace/contracts/runs/runs';
import type { Plan, PlanPrimitive } from '@millrace/graph/plan/plan';
import type { Run } from '@millrace/persistence/generated/client';
import type { ShownInputs } from './shown-inputs.js';

type Inputs = z.input<typeof runInputs>;
type Resolved = Inputs['resolved'][number];

/** The inputs of a run as they were given and as they were resolved; files and folders by reference. */
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
  const named = { id, ...(label !== '' && { label }), type };
  const hasContent = shown?.contents?.some((key) => key === id || (label !== '' && key === label)) === true;
  if (hasContent) return { ...named, given: true, ...describeContent(stored) };
  const given = shown ? findGiven(shown.given, id, primitive) : undefined;
  const isGiven = shown ? given !== undefined : guessGiven(primitive, stored);
  const reference = isGiven === false ? (primitive.value ?? undefined) : given;
  // A flag can be given as text; what is stored is the flag.
  const value = typeof stored === 'boolean' ? stored : (reference ?? (typeof stored === 'string' ? stored : undefined));
  return {
    ...named,
    ...(isGiven !== undefined && { given: isGiven }),
    ...(value !== undefined && { value }),
    ...describeContent(stored),
  };
}

/** For a run from before it was recorded. A stored file with a default may come from either, so that is unknown. */
function guessGiven({ value }: PlanPrimitive, stored: InputValue): boolean | undefined {
  return typeof stored === 'object' && value !== null ? undefined : stored !== value;
}

/** An id goes before a label. An empty text is a value for text alone. */
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
