import { type ReactNode, useMemo } from 'react';
import { useStore } from '../../../store/create-store.js';
import { createStoredValue } from '../../../store/stored-value.js';
import { ResizeHandle } from '../../../ui/resize-handle.js';

const STEP = 24;

interface DockedPanelProps {
  /** Under this name the browser stores the width. */
  name: string;
  label: string;
  side: 'left' | 'right';
  width: number;
  minWidth?: number;
  maxWidth?: number;
  /** Escape inside of the panel. */
  onLeave?: () => void;
  children: ReactNode;
}

/** A panel beside the content, whose width the user sets by its edge: with the mouse, or with the arrow keys. */
export function DockedPanel({
  name,
  label,
  side,
  width,
  minWidth = 240,
  maxWidth = 800,
  onLeave,
  children,
}: DockedPanelProps) {
  const stored = useMemo(
    () => createStoredValue(`panel.${name}`, width, (value) => (typeof value === 'number' ? value : undefined)),
    [name, width],
  );
  const clamp = (value: number) => Math.round(Math.min(Math.max(value, minWidth), maxWidth));
  const current = clamp(useStore(stored));
  const direction = side === 'left' ? 1 : -1;
  const drag = (clientX: number, handle: HTMLElement) => {
    const panel = handle.parentElement?.getBoundingClientRect();
    if (panel) stored.set(clamp(side === 'left' ? clientX - panel.left : panel.right - clientX));
  };
  return (
    <aside
      aria-label={label}
      onKeyDown={(event) => {
        // Keys of a dialog that the panel has opened bubble to it as well.
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
        if (event.key === 'Escape' && !event.defaultPrevented && isInside) onLeave?.();
      }}
      style={{ width: current }}
      className={`relative flex max-w-[80vw] shrink-0 flex-col bg-page max-md:absolute max-md:inset-y-0 max-md:z-20 ${side === 'left' ? 'max-md:left-0' : 'max-md:right-0'} ${side === 'left' ? 'border-r' : 'border-l'} border-line`}
    >
      <ResizeHandle
        label={`Width of ${label}`}
        value={current}
        min={minWidth}
        max={maxWidth}
        onDrag={drag}
        onStep={(step) => stored.set(clamp(current + step * direction * STEP))}
        className={`absolute inset-y-0 z-20 w-1.5 hover:bg-accent-soft ${side === 'left' ? '-right-1' : '-left-1'}`}
      />
      {children}
    </aside>
  );
}
