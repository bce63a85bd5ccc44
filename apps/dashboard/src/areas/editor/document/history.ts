import { type Diff, revertDiff, squashDiffs } from './diff.js';

interface Entry {
  diff: Diff;
  /** What the edit did, for the tooltip of the undo button. */
  label: string;
  /** Edits in a row with the same tag are one step, such as the keystrokes in one field. */
  tag: string | undefined;
}

export interface History {
  readonly done: readonly Entry[];
  readonly undone: readonly Entry[];
}

export const EMPTY_HISTORY: History = { done: [], undone: [] };

const MAX_STEPS = 500;

/** Records an edit. What was undone before can no longer be redone. */
export function recordEdit({ done }: History, diff: Diff, label: string, tag?: string): History {
  const last = done.at(-1);
  if (last && tag !== undefined && last.tag === tag) {
    const squashed = { ...last, diff: squashDiffs(last.diff, diff) };
    return { done: [...done.slice(0, -1), ...(squashed.diff.length > 0 ? [squashed] : [])], undone: [] };
  }
  return { done: [...done, { diff, label, tag }].slice(-MAX_STEPS), undone: [] };
}

/** Ends the current step: a further edit with the same tag is a step of its own. */
export function closeStep(history: History): History {
  const last = history.done.at(-1);
  return last?.tag === undefined
    ? history
    : { ...history, done: [...history.done.slice(0, -1), { ...last, tag: undefined }] };
}

/** @returns the diff to apply and the next history; undefined if there is nothing to undo */
export function undoStep({ done, undone }: History): { diff: Diff; history: History } | undefined {
  const last = done.at(-1);
  return (
    last && {
      diff: revertDiff(last.diff),
      history: { done: done.slice(0, -1), undone: [...undone, { ...last, tag: undefined }] },
    }
  );
}

export function redoStep({ done, undone }: History): { diff: Diff; history: History } | undefined {
  const last = undone.at(-1);
  return last && { diff: last.diff, history: { done: [...done, last], undone: undone.slice(0, -1) } };
}
