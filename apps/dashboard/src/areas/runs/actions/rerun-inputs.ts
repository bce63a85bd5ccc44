import type { RunInputs } from '@millrace/client';

/** An input of a run in the form for a repetition. */
export interface InputField {
  id: string;
  label: string;
  type: RunInputs['resolved'][number]['type'];
  value: string | boolean;
  /** Its value contained a secret, so it has to be entered again. */
  isMasked: boolean;
}

/** The inputs of a run that a repetition can change. */
export function editableInputs(inputs: RunInputs | undefined): InputField[] {
  const masked = new Set(inputs?.masked);
  return (inputs?.resolved ?? []).map(({ id, label, type, value }) => {
    const isMasked = masked.has(id) || (label !== undefined && masked.has(label));
    const shown = value ?? (type === 'BOOLEAN' ? false : '');
    return { id, label: label ?? id, type, value: isMasked ? '' : shown, isMasked };
  });
}

/** The values that differ from those of the run. */
export function changedInputs(
  fields: readonly InputField[],
  values: Readonly<Record<string, string | boolean>>,
): Record<string, string | boolean> {
  const changed = fields.flatMap(({ id, value }) => {
    const next = values[id];
    return next === undefined || next === value ? [] : [[id, next] as const];
  });
  return Object.fromEntries(changed);
}
