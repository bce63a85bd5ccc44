import type { Positions } from '../../../graph/layout/layout-input.js';
import { createStore, type Store } from '../../../store/create-store.js';
import { applyDiff, type Diff, diffDocuments, squashDiffs } from '../document/diff.js';
import { type Document, EMPTY_DOCUMENT } from '../document/document.js';
import { closeStep, EMPTY_HISTORY, type History, recordEdit, redoStep, undoStep } from '../document/history.js';
import { moveNodes } from '../edits/node-edits.js';

/** The version that the edits start from. Without an id, the workflow has no version yet. */
export interface Base {
  versionId?: string;
  number?: number;
  document: Document;
}

interface Places {
  positions: Positions;
  isComplete: boolean;
}

/** What a session does with its document. Steps are data, so that other tabs can repeat them. */
export type Step =
  | { kind: 'edit'; diff: Diff; label: string; tag?: string | undefined }
  | { kind: 'close' | 'undo' | 'redo' }
  | { kind: 'base'; base: Base };

/** Everything that a step changes. */
export interface SessionState {
  base: Base;
  document: Document;
  history: History;
}

/** An open workflow: its document, what was edited, and what is selected. Components follow its stores. */
export class EditorSession {
  readonly document: Store<Document>;
  readonly base: Store<Base>;
  readonly history: Store<History> = createStore<History>(EMPTY_HISTORY);
  readonly selection: Store<ReadonlySet<string>> = createStore<ReadonlySet<string>>(new Set());
  /** Where the canvas draws the nodes. The document may place none of them. */
  readonly places: Store<Places> = createStore<Places>({ positions: {}, isComplete: true });
  readonly selectedEdge: Store<string | undefined> = createStore<string | undefined>(undefined);
  /** Called after each step of this tab. */
  onStep: ((step: Step) => void) | undefined;

  constructor(base: Base, document: Document = base.document) {
    this.base = createStore(base);
    this.document = createStore(document);
  }

  /**
   * Applies an edit as a step to undo.
   * @param tag edits in a row with the same tag are one step
   */
  edit(diff: Diff, label: string, tag?: string): void {
    if (diff.length > 0) this.perform({ kind: 'edit', diff, label, tag });
  }

  /**
   * Applies an edit that places nodes. If the document places none, it gets the positions of the canvas first: otherwise a single
   * placed node would change the layout of all others.
   */
  editPlaced(make: (document: Document) => Diff, label: string): void {
    const document = this.document.get();
    const { positions, isComplete } = this.places.get();
    const placed = isComplete ? [] : moveNodes(document, new Map(Object.entries(positions)));
    const next = applyDiff(document, placed);
    this.edit(squashDiffs(placed, make(next)), label);
  }

  /** Ends a step such as typing, when its field loses the focus. */
  closeStep(): void {
    if (this.history.get().done.at(-1)?.tag !== undefined) this.perform({ kind: 'close' });
  }

  undo(): void {
    if (this.history.get().done.length > 0) this.perform({ kind: 'undo' });
  }

  redo(): void {
    if (this.history.get().undone.length > 0) this.perform({ kind: 'redo' });
  }

  select(ids: Iterable<string>): void {
    this.selection.set(new Set(ids));
    this.selectedEdge.set(undefined);
  }

  /** Continues from a version that has just been saved, without a change of the document. */
  rebase(base: Base): void {
    this.perform({ kind: 'base', base });
  }

  /** Replaces everything, such as after a merge. The step can be undone. */
  replace(base: Base, document: Document, label: string): void {
    const diff = diffDocuments(this.document.get(), document);
    this.rebase(base);
    this.edit(diff, label);
  }

  /** Repeats a step of another tab. */
  repeat(step: Step): void {
    switch (step.kind) {
      case 'edit':
        this.history.set(recordEdit(this.history.get(), step.diff, step.label, step.tag));
        return this.change(step.diff);
      case 'close':
        return this.history.set(closeStep(this.history.get()));
      case 'undo':
        return this.move(undoStep(this.history.get()));
      case 'redo':
        return this.move(redoStep(this.history.get()));
      case 'base':
        return this.base.set(step.base);
    }
  }

  /** Continues with the state of another tab. */
  adopt({ base, document, history }: SessionState): void {
    this.history.set(history);
    this.base.set(base);
    this.document.set(document);
    this.dropLostSelection();
  }

  private perform(step: Step): void {
    this.repeat(step);
    this.onStep?.(step);
  }

  private move(step: { diff: Diff; history: History } | undefined): void {
    if (!step) return;
    this.history.set(step.history);
    this.change(step.diff);
  }

  private change(diff: Diff): void {
    this.document.set(applyDiff(this.document.get(), diff));
    this.dropLostSelection();
  }

  private dropLostSelection(): void {
    const { nodes, primitiveNodes, annotations, groups, connections } = this.document.get();
    const exists = (id: string) =>
      Object.hasOwn(nodes, id) ||
      Object.hasOwn(primitiveNodes, id) ||
      Object.hasOwn(annotations, id) ||
      (id.startsWith(GROUP_PREFIX) && Object.hasOwn(groups, id.slice(GROUP_PREFIX.length)));
    const kept = [...this.selection.get()].filter(exists);
    if (kept.length < this.selection.get().size) this.selection.set(new Set(kept));
    const edge = this.selectedEdge.get();
    if (edge !== undefined && !Object.hasOwn(connections, edge)) this.selectedEdge.set(undefined);
  }
}

/** The id of a collapsed group on the canvas. Names of nodes contain no slash. */
export const GROUP_PREFIX = 'group/';

export const emptyBase = (): Base => ({ document: EMPTY_DOCUMENT });
