import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';

interface EmptyStateProps {
  icon: IconName;
  title: string;
  /** Whether the title is that of the page. */
  isPage?: boolean;
  /** What belongs here, and the next step. */
  children?: ReactNode;
  actions?: ReactNode;
}

/** What a page shows while it has nothing to show. */
export function EmptyState({ icon, title, isPage = false, children, actions }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-16 text-center">
      <div className="mb-4 rounded-full border border-line bg-panel p-3 text-muted">
        <Icon name={icon} size={22} />
      </div>
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <div className="mt-1.5 text-sm text-muted">{children}</div>}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
