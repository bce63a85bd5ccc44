import type { ReactNode } from 'react';

/** One fact of a list: its name above its value. */
export const Fact = ({ name, title, children }: { name: string; title?: string; children: ReactNode }) => (
  <div className="min-w-0" title={title}>
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="nums truncate text-sm">{children}</dd>
  </div>
);
