import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useStore } from '../store/create-store.js';
import { createStoredValue } from '../store/stored-value.js';
import { IconButton } from './button.js';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo } from 'react';
import { useStore } from '../../../store/create-store.js';
import { createStoredValue } from '../../../store/stored-value.js';

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
interface DockedPanelProps {
  /** Under this name the browser stores the width. */
  name: string;
  label: string;
  side: 'left' | 'right';
  width: number;
  minWidth?: number;
  maxWidth?: number;
/** A panel beside the content, whose width the user sets by its edge: with the mouse, or with the arrow keys. */
export function DockedPanel({ name, label, side, width, minWidth = 240, maxWidth = 800, children }: DockedPanelProps) {
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
      aria-label={title}
      style={{ width }}
      className="relative z-10 flex min-h-0 shrink-0 flex-col border-l border-line bg-page max-md:fixed max-md:inset-0 max-md:z-20 max-md:w-full!"
    >
      <Separator width={width} />
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

/** The left edge, which the mouse drags and the arrow keys move. */
function Separator({ width }: { width: number }) {
  const start = useRef({ x: 0, width });
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    storedWidth.set(clamp(start.current.width + start.current.x - event.clientX));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const change = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (change === undefined) return;
    event.preventDefault();
    storedWidth.set(clamp(width + change));
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none hover:bg-accent-line max-md:hidden"
    />
  );
}
