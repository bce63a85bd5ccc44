import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ChildStates } from '../../live/child-states.js';
import type { ChildItem } from '../use-child-item.js';
import { ChildrenCanvas } from './children-canvas.js';
import { describeChild } from './describe-child.js';
import { layoutGrid, positionOf } from './grid-layout.js';
import { type GridRange, includes, outlineRange } from './grid-selection.js';
import { useGridInput } from './use-grid-input.js';

interface ChildrenGridProps {
  states: ChildStates;
  /** The children that are shown, by place; all by number if undefined. */
  order: Uint32Array | undefined;
  /** Opens a child. @param place from 0 */
  onOpen: (place: number) => void;
  range: GridRange | undefined;
  onRange: (range: GridRange | undefined) => void;
  /** What the grid shows, for screen readers. */
  label: string;
  /** Which child is described now: the place where the pointer is, or else the keyboard. */
  onPoint: (place: number | undefined) => void;
  /** What a child works on, as far as it is known. */
  item: ChildItem | undefined;
}

/** A grid of all children: hover and arrows describe one, dragging and Shift select some, a click and Enter open one. */
export function ChildrenGrid({ states, order, onOpen, range, onRange, label, onPoint, item }: ChildrenGridProps) {
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const count = order ? order.length : states.size;
  const layout = useMemo(() => layoutGrid(count, width), [count, width]);
  const [isFocused, setFocused] = useState(false);
  const placeOf = (square: number) => (order ? (order[square] ?? 0) : square);
  const { cursor, hovered, handlers } = useGridInput({
    ...{ layout, range, onRange },
    onOpen: (square) => onOpen(placeOf(square)),
    onMove: (square) => scrollIntoView(host.current, positionOf(layout, square).y),
  });
  const square = hovered ?? (isFocused ? cursor : undefined);
  const pointed = square === undefined ? undefined : placeOf(square);
  useEffect(() => onPoint(pointed), [onPoint, pointed]);
  const textOf = (place: number) => describeChild(states, place, item?.place === place ? item.text : undefined);
  const description = pointed === undefined ? undefined : textOf(pointed);
  return (
    <div className="flex min-h-0 flex-col gap-1.5">
      <div ref={host} className="max-h-[45vh] overflow-y-auto">
        {width > 0 && count > 0 && (
          <div
            role="listbox"
            aria-label={label}
            aria-multiselectable
            aria-describedby={`${id}-help`}
            aria-activedescendant={`${id}-child`}
            tabIndex={0}
            {...handlers}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            className="relative w-max touch-manipulation -outline-offset-1 select-none"
          >
            <ChildrenCanvas states={states} layout={layout} order={order} host={host} />
            {range && outlineRange(layout, range).map((box) => <Outline key={`${box.left} ${box.top}`} box={box} />)}
            {/* 100,000 options would be too many elements, so the list has only the one that the keyboard is at. */}
            <span
              id={`${id}-child`}
              role="option"
              aria-selected={includes(range, cursor)}
              aria-setsize={count}
              aria-posinset={cursor + 1}
              aria-label={textOf(placeOf(cursor))}
              className={`pointer-events-none absolute outline-2 ${square === undefined ? 'outline-transparent' : 'outline-ink'}`}
              style={{
                ...{ left: positionOf(layout, square ?? cursor).x, top: positionOf(layout, square ?? cursor).y },
                ...{ width: layout.pitch - layout.gap, height: layout.pitch - layout.gap },
              }}
            />
          </div>
        )}
      </div>
      <p className="nums h-5 truncate text-xs text-muted" title={description} dir="auto">
        <span id={`${id}-help`} className={description === undefined ? '' : 'hidden'}>
          Point at a child, or use the arrow keys. Enter opens it; drag or Shift selects.
        </span>
        <span>{description}</span>
      </p>
    </div>
  );
}

const Outline = ({ box }: { box: { left: number; top: number; width: number; height: number } }) => (
  <span aria-hidden className="pointer-events-none absolute bg-ink/25 outline-1 outline-ink" style={box} />
);

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
