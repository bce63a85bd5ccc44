import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';

export interface MenuItem {
  label: string;
  icon?: IconName;
  onSelect: () => void;
  isDangerous?: boolean;
  isDisabled?: boolean;
  /** A key combination or a word at the right. */
  aside?: ReactNode;
}

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** Groups of items, with a line between them. */
  groups: readonly (readonly MenuItem[])[];
  /** Text above the items. */
  header?: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom' | 'right';
}

export function Menu({ trigger, groups, header, align = 'end', side = 'bottom' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-50">
          <Base.Popup className="max-h-[70vh] min-w-44 overflow-y-auto rounded-md bg-raised py-1 shadow-float outline-none">
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
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

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
