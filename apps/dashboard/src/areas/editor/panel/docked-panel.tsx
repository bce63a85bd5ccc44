import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo } from 'react';
import { useStore } from '../../../store/create-store.js';
import { createStoredValue } from '../../../store/stored-value.js';

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
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const panel = event.currentTarget.parentElement?.getBoundingClientRect();
    if (panel) stored.set(clamp(side === 'left' ? event.clientX - panel.left : panel.right - event.clientX));
  };
  const press = (event: KeyboardEvent) => {
    const steps = { ArrowRight: direction, ArrowLeft: -direction }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    stored.set(clamp(current + steps * STEP));
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
      <div
        role="separator"
        aria-label={`Width of ${label}`}
        aria-orientation="vertical"
        aria-valuenow={current}
        aria-valuemin={minWidth}
        aria-valuemax={maxWidth}
        tabIndex={0}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        className={`absolute inset-y-0 z-20 w-1.5 cursor-col-resize hover:bg-accent-soft ${side === 'left' ? '-right-1' : '-left-1'}`}
      />
      {children}
    </aside>
  );
}
