import type { ReactNode } from 'react';
import { useStore } from '../store/create-store.js';
import { createStoredValue } from '../store/stored-value.js';
import { IconButton } from './button.js';
import { ResizeHandle } from './resize-handle.js';

const MIN_WIDTH = 320;
const MAX_WIDTH = 1_400;
const STEP = 32;

const clamp = (width: number): number =>
  Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH, window.innerWidth - 360));

/** The width of all panels of this browser. */
const storedWidth = createStoredValue('panel.width', 520, (value) =>
  typeof value === 'number' && value >= MIN_WIDTH && value <= MAX_WIDTH ? value : undefined,
);

interface SidePanelProps {
  title: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** Details at the right of a list. It is resizable, and covers the list on narrow screens. */
export function SidePanel({ title, actions, onClose, children }: SidePanelProps) {
  const width = useStore(storedWidth);
  return (
    <aside
      aria-label={title}
      style={{ width }}
      className="relative z-10 flex min-h-0 shrink-0 flex-col border-l border-line bg-page max-md:fixed max-md:inset-0 max-md:z-20 max-md:w-full!"
    >
      <ResizeHandle
        label="Width of the panel"
        value={width}
        min={MIN_WIDTH}
        max={MAX_WIDTH}
        onDrag={(clientX, handle) => {
          const panel = handle.parentElement?.getBoundingClientRect();
          if (panel) storedWidth.set(clamp(panel.right - clientX));
        }}
        onStep={(direction) => storedWidth.set(clamp(width - direction * STEP))}
        className="absolute inset-y-0 -left-1 z-10 w-2 hover:bg-accent-line max-md:hidden"
      />
      <header className="flex items-start gap-1 border-b border-line py-1.5 pr-2 pl-4">
        <h2 dir="auto" className="wrap-text min-w-0 flex-1 py-1 text-base!">
          {title}
        </h2>
        {actions}
        <IconButton icon="x" label="Close the panel" onClick={onClose} />
      </header>
      {children}
    </aside>
  );
}
