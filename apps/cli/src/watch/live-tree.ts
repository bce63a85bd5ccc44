import type { WriteStream } from 'node:tty';
import { createLogUpdate } from 'log-update';
import { describeRetry } from './describe-node.js';
import type { Presenter } from './follow-run.js';
import { renderTree } from './render-tree.js';
import type { RunView } from './run-view.js';

const REDRAW_MS = 100;

/** Draws the tree in place ten times a second, so that durations advance. */
export function liveTree(title: string, screen: WriteStream): Presenter {
  const draw = createLogUpdate(screen);
  let current: RunView | null = null;
  const render = (lines: number) =>
    current === null ? '' : renderTree(title, current, Date.now(), { lines, columns: screen.columns || 80 });
  const printed = new Map<string, number>();
  /** Above the tree, because the tree shows only the last reason. */
  const printRetries = (view: RunView) => {
    for (const node of view.list()) {
      for (const retry of node.retries.slice(printed.get(node.id) ?? 0)) draw.persist(describeRetry(node, retry));
      printed.set(node.id, node.retries.length);
    }
  };
  const timer = setInterval(() => draw(render(screen.rows || 24)), REDRAW_MS);
  return {
    update: (view) => {
      current = view;
      printRetries(view);
    },
    end: (view) => {
      clearInterval(timer);
      current = view;
      printRetries(view);
      draw(render(Number.MAX_SAFE_INTEGER));
      draw.done();
    },
    note: (line) => draw.persist(line),
  };
}
