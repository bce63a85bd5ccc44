import type { ReactNode } from 'react';

interface PageBodyProps {
  /** Details beside the content. */
  panel?: ReactNode;
  children: ReactNode;
}

/** The content of a page, which scrolls. Its tables hide columns by its width, because a panel takes some of it. */
export const PageBody = ({ panel, children }: PageBodyProps) => (
  <div className="flex min-h-0 flex-1">
    <div className="@container min-w-0 flex-1 overflow-y-auto pb-16">{children}</div>
    {panel}
  </div>
);
