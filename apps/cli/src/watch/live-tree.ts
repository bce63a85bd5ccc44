import type { WriteStream } from 'node:tty';
import { createLogUpdate } from 'log-update';
import { describeRetry } from './describe-node.js';
import type { Presenter } from './follow-run.js';
import { renderTree } from './render-tree.js';
import type { RunView } from './run-view.js';

const REDRAW_INTERVAL_MS = 100;

/** Shows a run as a tree in a terminal. Redraws it ten times per second, so that durations advance. */
export function liveTree(title: string, screen: WriteStream): Presenter {
  const draw = createLogUpdate(screen);
  let current: RunView | null = null;
  let isPaused = false;
  const render = (lines: number) =>
    current === null ? '' : renderTree(title, current, Date.now(), { lines, columns: screen.columns || 80 });
  const printedRetries = new Map<string, number>();
  /** Prints retries above the tree, because the tree shows only the last reason. */
  const printRetries = (view: RunView) => {
    if (isPaused) return;
    for (const node of view.list()) {
      const unprinted = node.retries.slice(printedRetries.get(node.id) ?? 0);
      for (const retry of unprinted) draw.persist(describeRetry(node, retry));
      printedRetries.set(node.id, node.retries.length);
    }
  };
  const redraw = () => {
    if (!isPaused) draw(render(screen.rows || 24));
  };
  const timer = setInterval(redraw, REDRAW_INTERVAL_MS);
  return {
    update: (view) => {
      current = view;
      printRetries(view);
    },
    end: (view) => {
      clearInterval(timer);
      current = view;
      // The cursor is behind the question.
      if (isPaused) screen.write('\n');
      isPaused = false;
      printRetries(view);
      draw(render(Number.MAX_SAFE_INTEGER));
      draw.done();
    },
    pause: () => {
      isPaused = true;
      draw.clear();
      // Shows the cursor again.
      draw.done();
    },
    resume: () => {
      isPaused = false;
      if (current) printRetries(current);
      redraw();
    },
    note: (line) => draw.persist(line),
  };
}
