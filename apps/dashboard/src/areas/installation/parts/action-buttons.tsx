import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.js';
import type { MenuItem } from '../../../ui/menu.js';

interface ActionButtonsProps {
  actions: readonly MenuItem[];
  /** What is at the left, such as a state. */
  children: ReactNode;
}

/** The actions of a record's menu as buttons, at the head of its details. */
export const ActionButtons = ({ actions, children }: ActionButtonsProps) => (
  <div className="flex flex-wrap items-center gap-2">
    {children}
    <span className="ml-auto flex flex-wrap gap-2">
      {actions.map(({ label, icon, onSelect, isDangerous }) => (
        <Button key={label} look={isDangerous ? 'danger' : 'secondary'} {...(icon && { icon })} onClick={onSelect}>
          {label}
        </Button>
      ))}
    </span>
  </div>
);
