import { type ReactNode, useEffect, useRef } from 'react';
import { Icon, type IconName } from '../../../ui/icon.js';

interface PanelFrameProps {
  icon: IconName;
  /** What the item is, such as "Script". */
  kind: string;
  title: string;
  actions?: ReactNode;
  openCount?: number;
  children: ReactNode;
}

/** The head of a panel, and its scrolling content. */
export function PanelFrame({ icon, kind, title, actions, openCount = 0, children }: PanelFrameProps) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (openCount === 0) return;
    content.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
  }, [openCount]);
  return (
    <>
      <header className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-4">
        <Icon name={icon} className="text-muted" />
        <div className="min-w-0 flex-1">
          <p dir="auto" className="truncate text-xs text-muted" title={kind}>
            {kind}
          </p>
          <h2 dir="auto" className="truncate text-base!" title={title}>
            {title}
          </h2>
        </div>
        {actions}
      </header>
      <div ref={content} className="min-h-0 flex-1 overflow-y-auto pb-8">
        {children}
      </div>
    </>
  );
}

/** A part of a panel. */
export const PanelSection = ({
  title,
  aside,
  children,
}: {
  title?: string;
  aside?: ReactNode;
  children: ReactNode;
}) => (
  <section className="flex flex-col gap-3 border-b border-line px-4 py-3 last:border-b-0">
    {title !== undefined && (
      <div className="flex items-center gap-2">
        <h3 className="flex-1 text-sm!">{title}</h3>
        {aside}
      </div>
    )}
    {children}
  </section>
);
