import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../text/format-count.js';
import { formatDuration } from '../../../text/format-duration.js';
import { STATUS_LOOKS } from '../../../ui/status-looks.js';
import type { ChildStates } from '../live/child-states.js';
import { ChildrenCanvas } from './children-canvas.js';
import { layoutGrid, moveSquare, positionOf, squareAt } from './grid-layout.js';

interface ChildrenGridProps {
  states: ChildStates;
  /** The children that are shown, by place; all by number if undefined. */
  order: Uint32Array | undefined;
  /** Opens a child. @param place from 0 */
  onOpen: (place: number) => void;
  /** What the grid shows, for screen readers. */
  label: string;
}

/** A grid of all children: hover and arrows describe one, a click and Enter open it. */
export function ChildrenGrid({ states, order, onOpen, label }: ChildrenGridProps) {
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const count = order ? order.length : states.size;
  const layout = useMemo(() => layoutGrid(count, width), [count, width]);
  const [cursor, setCursor] = useState(0);
  const [hovered, setHovered] = useState<number>();
  const [isFocused, setFocused] = useState(false);
  const square = hovered ?? (isFocused ? Math.min(cursor, count - 1) : undefined);
  const placeOf = (at: number) => (order ? (order[at] ?? 0) : at);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onOpen(placeOf(Math.min(cursor, count - 1)));
      return;
    }
    const next = moveSquare(layout, Math.min(cursor, count - 1), event.key);
    if (next === undefined) return;
    event.preventDefault();
    setHovered(undefined);
    setCursor(next);
    scrollIntoView(host.current, positionOf(layout, next).y);
  };
  const squareOf = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return squareAt(layout, event.clientX - box.left, event.clientY - box.top);
  };
  const description = square === undefined ? '' : describe(states, placeOf(square));
  return (
    <div className="flex min-h-0 flex-col gap-1.5">
      <div ref={host} className="max-h-[45vh] overflow-y-auto">
        {width > 0 && count > 0 && (
          <div
            role="application"
            aria-label={label}
            aria-roledescription="Grid of children"
            tabIndex={0}
            onKeyDown={onKeyDown}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onPointerMove={(event) => setHovered(squareOf(event))}
            onPointerLeave={() => setHovered(undefined)}
            onPointerUp={(event) => {
              const at = squareOf(event);
              if (at !== undefined) onOpen(placeOf(at));
            }}
            className="relative w-max -outline-offset-1"
          >
            <ChildrenCanvas states={states} layout={layout} order={order} host={host} />
            {square !== undefined && (
              <span
                aria-hidden
                className="pointer-events-none absolute outline-2 outline-ink"
                style={{
                  ...{ left: positionOf(layout, square).x, top: positionOf(layout, square).y },
                  ...{ width: layout.pitch - layout.gap, height: layout.pitch - layout.gap },
                }}
              />
            )}
          </div>
        )}
      </div>
      <p className="nums h-5 truncate text-xs text-muted" aria-live={isFocused ? 'polite' : 'off'}>
        {description || 'Point at a square, or use the arrow keys. Enter opens the child.'}
      </p>
    </div>
  );
}

function describe(states: ChildStates, place: number): string {
  const duration = states.durationAt(place);
  const { label } = STATUS_LOOKS[states.statusAt(place)];
  return `Child ${formatCount(place + 1)}: ${label.toLowerCase()}${duration === undefined ? '' : `, ${formatDuration(duration)}`}`;
}

function scrollIntoView(host: HTMLElement | null, y: number): void {
  if (!host) return;
  if (y < host.scrollTop) host.scrollTop = y;
  else if (y + 24 > host.scrollTop + host.clientHeight) host.scrollTop = y + 24 - host.clientHeight;
}

function useWidth(host: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return width;
}
