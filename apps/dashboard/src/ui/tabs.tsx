import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export interface Tab<T extends string> {
  value: T;
  label: ReactNode;
  /** A number or a mark after the label. */
  count?: ReactNode;
}

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onChange: (value: T) => void;
  /** The panel of the selected tab. */
  children: ReactNode;
  className?: string;
  panelClassName?: string;
}

/** The classes of a tab, for links between pages that look like tabs. */
export const tabClass = (isSelected: boolean): string =>
  `-mb-px flex items-center gap-1.5 border-b-2 px-2.5 py-2 text-sm whitespace-nowrap ${isSelected ? 'border-accent font-medium text-ink' : 'border-transparent text-muted hover:text-ink'}`;

/** Tabs by the pattern of the ARIA guide: arrows move, Home and End jump, only the selected tab is in the tab order. */
export function Tabs<T extends string>(props: TabsProps<T>) {
  const { label, tabs, value, onChange, children, className = '', panelClassName = '' } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = tabs.findIndex((tab) => tab.value === value);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (!tab) return;
    event.preventDefault();
    onChange(tab.value);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.value}"]`)?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={`flex shrink-0 gap-1 border-b border-line ${className}`}
      >
        {tabs.map((tab) => {
          const isSelected = tab.value === value;
          return (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              data-tab={tab.value}
              aria-selected={isSelected}
              aria-controls={`${id}-panel`}
              tabIndex={isSelected ? 0 : -1}
              onClick={() => onChange(tab.value)}
              className={tabClass(isSelected)}
            >
              {tab.label}
              {tab.count !== undefined && (
                <span className="nums rounded-full bg-pressed px-1.5 text-xs text-muted">{tab.count}</span>
              )}
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className={panelClassName}>
        {children}
      </div>
    </>
  );
}
