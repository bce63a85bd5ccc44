import { Menu as Base } from '@base-ui/react/menu';
import { type FocusEvent, useRef } from 'react';
import { Icon } from './icon.js';
import type { MenuItem, MenuProps } from './menu.js';

/** A menu that is open from the start. It is in a chunk of its own, with the library that places it. */
export function MenuPopup({ trigger, groups, header, align = 'end', side = 'bottom' }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal {...LANDMARK}>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-50">
          <Base.Popup className={POPUP}>
            <Content groups={groups} header={header} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuAtProps extends Pick<MenuProps, 'groups' | 'header'> {
  /** Where it opens, in pixels of the window. */
  place: DOMRect;
  /** What gets the focus when it closes. */
  returnTo: HTMLElement | null;
  onClose: () => void;
}

/** A menu at a place of the page, such as the cell of a grid. It is open as long as it is rendered. */
export function MenuAt({ place, groups, header, returnTo, onClose }: MenuAtProps) {
  const isEntered = useRef(false);
  // Without a trigger, no item is highlighted at first. Enter and the arrows work from the first one.
  const enter = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (isEntered.current || target !== currentTarget) return;
    isEntered.current = true;
    currentTarget.querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')?.focus();
  };
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal {...LANDMARK}>
        <Base.Positioner
          anchor={{ getBoundingClientRect: () => place }}
          align="start"
          sideOffset={2}
          className="z-50 max-w-96"
        >
          <Base.Popup className={POPUP} finalFocus={() => returnTo} onFocus={enter}>
            <Content groups={groups} header={header} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** A popup is at the end of the page, outside of its landmarks. All content of a page belongs into one. */
const LANDMARK = { role: 'region', 'aria-label': 'Menu' };

const POPUP = 'max-h-[70vh] min-w-44 overflow-y-auto rounded-md bg-raised py-1 shadow-float outline-none';

const Content = ({ groups, header }: Pick<MenuProps, 'groups' | 'header'>) => (
  <>
    {header && <div className="border-b border-line px-3 pt-1 pb-2 text-xs text-muted">{header}</div>}
    {groups
      .filter((group) => group.length > 0)
      .map((group, index) => (
        <div key={index} className={index > 0 ? 'mt-1 border-t border-line pt-1' : ''}>
          {group.map((item) => (
            <Item key={item.label} {...item} />
          ))}
        </div>
      ))}
  </>
);

function Item({ label, icon, onSelect, isDangerous, isDisabled, aside }: MenuItem) {
  return (
    <Base.Item
      disabled={isDisabled ?? false}
      onClick={onSelect}
      className={`mx-1 flex items-center gap-2.5 rounded-sm px-2 py-1.5 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover ${isDangerous ? 'text-failed' : ''}`}
    >
      {icon && <Icon name={icon} className={isDangerous ? '' : 'text-muted'} />}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {aside && <span className="text-xs text-muted">{aside}</span>}
    </Base.Item>
  );
}
