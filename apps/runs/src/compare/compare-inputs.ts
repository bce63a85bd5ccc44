import { isDeepStrictEqual } from 'node:util';
import type { Result } from '@millrace/contracts/kit/operation';
import type { compareRuns } from '@millrace/contracts/runs/compare';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { Run } from '@millrace/persistence/generated/client';
import type { PlanIndex } from '../engine/plans/plan-index.js';
import { toInputs } from '../inputs/to-inputs.js';

type InputChanges = Result<typeof compareRuns>['inputs'];
type InputSide = InputChanges['added'][number];

/** The inputs of a run: as the engine has them, and with masked values as users see them. */
export interface RunInputs {
  run: Run;
  masked: Run;
  plan: PlanIndex;
}

/** Compares inputs by id. Whether they differ follows from what the engine has, so that a masked value can have changed. */
export function compareInputs(a: RunInputs, b: RunInputs): InputChanges {
  const [before, after] = [sidesOf(a), sidesOf(b)];
  const result: InputChanges = { added: [], removed: [], changed: [], same: 0 };
  for (const [id, { shown, content }] of before) {
    const other = after.get(id);
    if (!other) result.removed.push(shown);
    else if (isDeepStrictEqual(content, other.content)) result.same += 1;
    else {
      const label = other.shown.label ?? shown.label;
      result.changed.push({ id, ...(label !== undefined && { label }), before: shown, after: other.shown });
    }
  }
  for (const [id, { shown }] of after) if (!before.has(id)) result.added.push(shown);
  return result;
}

function sidesOf({ run, masked, plan }: RunInputs): Map<string, { shown: InputSide; content: unknown }> {
  const stored = run.inputs as Record<string, InputValue>;
  return new Map(
    toInputs(masked, plan.plan).resolved.map(({ id, label, type, value, sha256, size, files }) => {
      const shown = { id, label, type, value, sha256, size, files };
      const present = Object.fromEntries(Object.entries(shown).filter(([, part]) => part !== undefined)) as InputSide;
      return [id, { shown: present, content: contentOf(stored[id]) }];
    }),
  );
}

/** A file is the same if its content and its name are, wherever it comes from. */
export function contentOf(value: InputValue | undefined): unknown {
  if (typeof value !== 'object') return value;
  if (!('folder' in value)) return { path: value.path, sha256: value.sha256 };
  if (!('files' in value.folder)) return value.folder.manifest;
  return value.folder.files.map(({ path, sha256 }) => `${path}\n${sha256}`).sort();
}
