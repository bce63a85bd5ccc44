import { type ReactNode, useEffect } from 'react';

interface PageProps {
  title: ReactNode;
  /** The title of the browser's tab; default: `title` if it is a text. */
  tabTitle?: string;
  /** Where the page is, as links. */
  breadcrumb?: ReactNode;
  /** Status and facts beside the title. */
  aside?: ReactNode;
  /** Buttons at the right, the most important one last. */
  actions?: ReactNode;
  children: ReactNode;
  /** Whether the content fills the window and scrolls inside, as the editor does. */
  isFull?: boolean;
}

/** The frame of a page: breadcrumb, title, actions, content. */
export function Page({ title, tabTitle, breadcrumb, aside, actions, children, isFull = false }: PageProps) {
  useTabTitle(tabTitle ?? (typeof title === 'string' ? title : undefined));
  return (
    <div className={isFull ? 'flex h-full min-h-0 flex-col' : 'min-h-full pb-16'}>
      <header
        className={`flex shrink-0 flex-wrap items-end gap-x-4 gap-y-2 px-6 pt-4 pb-3 max-sm:px-4 ${isFull ? 'border-b border-line' : ''}`}
      >
        <div className="min-w-0 flex-1 basis-60">
          {breadcrumb && (
            <nav
              aria-label="Breadcrumb"
              className="mb-0.5 flex min-w-0 flex-wrap items-center gap-1.5 text-xs text-muted"
            >
              {breadcrumb}
            </nav>
          )}
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="wrap-text line-clamp-2 min-w-0" title={typeof title === 'string' ? title : undefined}>
              {title}
            </h1>
            {aside}
          </div>
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

function useTabTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} – Millrace`;
  }, [title]);
}

/** A block of content with a title. */
export function Section({ title, actions, children, className = '' }: SectionProps) {
  return (
    <section className={`px-6 pt-4 max-sm:px-4 ${className}`}>
      <div className="mb-2 flex min-h-8 items-center gap-3">
        <h2 className="min-w-0 flex-1 text-base!">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

interface SectionProps {
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A bordered box. */
export const Card = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <div className={`rounded-md border border-line bg-raised ${className}`}>{children}</div>
);
