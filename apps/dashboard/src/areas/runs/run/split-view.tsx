import { type ReactNode, useRef } from 'react';
import { useStore } from '../../../store/create-store.js';
import { createStoredValue } from '../../../store/stored-value.js';
import { ResizeHandle } from '../../../ui/resize-handle.js';

const MIN = 25;
const MAX = 75;
const STEP = 2;

/** The width of the left part in percent. */
const leftWidth = createStoredValue('run.split', 50, (value) =>
  typeof value === 'number' && value >= MIN && value <= MAX ? value : undefined,
);

/** Two parts beside each other with a handle between them; below each other on a narrow screen. */
export function SplitView({ left, right }: { left: ReactNode; right: ReactNode }) {
  const width = useStore(leftWidth);
  const frame = useRef<HTMLDivElement>(null);
  const set = (next: number) => leftWidth.set(Math.round(Math.min(MAX, Math.max(MIN, next))));
  const drag = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect();
    if (box) set(((clientX - box.left) / box.width) * 100);
  };
  return (
    <div ref={frame} className="flex min-h-0 flex-1 max-md:flex-col max-md:overflow-y-auto">
      <div
        className="flex min-h-0 min-w-0 flex-col max-md:h-[60vh] max-md:w-full! max-md:shrink-0"
        style={{ width: `${width}%` }}
      >
        {left}
      </div>
      <ResizeHandle
        label="Width of the list"
        value={width}
        min={MIN}
        max={MAX}
        onDrag={drag}
        onStep={(direction) => set(width + direction * STEP)}
        className="relative w-px shrink-0 bg-line before:absolute before:inset-y-0 before:-inset-x-1.5 hover:bg-accent-line focus-visible:bg-accent-line max-md:hidden"
      />
      <div className="min-h-0 min-w-0 flex-1 max-md:order-first max-md:h-[65vh] max-md:flex-none max-md:border-b max-md:border-line">
        {right}
      </div>
    </div>
  );
}
