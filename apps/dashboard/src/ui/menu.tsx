import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { IconName } from './icon.js';

export interface MenuItem {
  label: string;
  icon?: IconName;
  onSelect: () => void;
  isDangerous?: boolean;
  isDisabled?: boolean;
  /** A key combination or a word at the right. */
  aside?: ReactNode;
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** Groups of items, with a line between them. */
  groups: readonly (readonly MenuItem[])[];
  /** Text above the items. */
  header?: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom' | 'right';
}

const load = () => import('./menu-popup.js');
const MenuPopup = lazy(() => load().then(({ MenuPopup }) => ({ default: MenuPopup })));

/**
 * A button with a menu. The menu's library (40 kB) loads when the pointer or the focus reaches the first button, and a list of a
 * thousand rows has a thousand plain buttons until one is used.
 */
export function Menu(props: MenuProps) {
  const [isUsed, setUsed] = useState(false);
  const preload = () => void load();
  const trigger = cloneElement(props.trigger as ReactElement<Record<string, unknown>>, {
    'aria-haspopup': 'menu',
    'aria-expanded': isUsed,
    onClick: () => setUsed(true),
    onPointerEnter: preload,
    onFocus: preload,
  });
  if (!isUsed) return trigger;
  return (
    <Suspense fallback={trigger}>
      <MenuPopup {...props} />
    </Suspense>
  );
}
