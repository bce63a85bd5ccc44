import type { RunView } from './run-view.js';

/** Shows a run while it goes on. */
export interface Presenter {
  /** The view has changed; may be called as often as one likes. */
  update(view: RunView): void;
  /** The run has ended, or is no longer followed. */
  end(view: RunView): void;
  /** Says something beside it. */
  note(line: string): void;
}
