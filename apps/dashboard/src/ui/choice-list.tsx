import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { INPUT_CLASS } from './field.js';
import { Icon } from './icon.js';

interface ChoiceListProps<T> {
  /** What is typed into the field. */
  label: string;
  /** What the list contains, for screen readers. */
  listLabel: string;
  placeholder?: string;
  typed: string;
  onType: (typed: string) => void;
  choices: readonly T[];
  keyOf: (choice: T) => string;
  /** Choices in a row with the same group have one heading. */
  groupOf?: (choice: T) => string;
  onChoose: (choice: T) => void;
  /** What a choice shows, in one row. */
  children: (choice: T) => ReactNode;
  /** Shown if there are no choices. */
  empty: ReactNode;
  /** Below the last choice, such as a button for more. */
  more?: ReactNode;
  /** `bar`: the field is the head of its dialog. */
  look?: 'field' | 'bar';
  isSearching?: boolean;
}

/**
 * A list to choose from by typing: the arrows move, Enter chooses, and the field keeps the focus. A combobox by the pattern of the
 * ARIA guide.
 */
export function ChoiceList<T>(props: ChoiceListProps<T>) {
  const { choices, keyOf, groupOf, onChoose, typed, look = 'field', isSearching = false } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState(0);
  const current = Math.min(position, choices.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const choice = choices[current];
    if (event.key === 'Enter') {
      event.preventDefault();
      if (choice !== undefined) onChoose(choice);
    }
    const next = { ArrowDown: current + 1, ArrowUp: current - 1 + choices.length }[event.key];
    if (next === undefined || choices.length === 0) return;
    event.preventDefault();
    setPosition(next % choices.length);
  };
  const field = (
    <input
      role="combobox"
      aria-label={props.label}
      aria-expanded
      aria-controls={`${id}-list`}
      aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
      autoFocus
      autoComplete="off"
      placeholder={props.placeholder}
      value={typed}
      onChange={(event) => {
        props.onType(event.target.value);
        setPosition(0);
      }}
      onKeyDown={onKeyDown}
      className={look === 'bar' ? 'h-12 min-w-0 flex-1 bg-transparent text-base outline-none' : INPUT_CLASS}
    />
  );
  return (
    <>
      {look === 'field' ? (
        field
      ) : (
        <div className="flex items-center gap-3 border-b border-line px-4">
          <Icon
            name={isSearching ? 'loader' : 'search'}
            className={`text-muted ${isSearching ? 'animate-spin' : ''}`}
          />
          {field}
        </div>
      )}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={props.listLabel}
        className={`min-h-0 overflow-y-auto ${look === 'bar' ? 'flex-1 p-2' : 'mt-2 max-h-80'}`}
      >
        {choices.map((choice, index) => (
          <Option
            key={keyOf(choice)}
            id={`${id}-${index}`}
            group={headingOf(choices, index, groupOf)}
            isCurrent={index === current}
            onPoint={() => setPosition(index)}
            onChoose={() => onChoose(choice)}
          >
            {props.children(choice)}
          </Option>
        ))}
      </div>
      {choices.length === 0 && (
        <p role="status" className={`text-sm text-muted ${look === 'bar' ? 'px-4 pb-6 text-center' : 'pb-2'}`}>
          {props.empty}
        </p>
      )}
      {props.more}
    </>
  );
}

function headingOf<T>(choices: readonly T[], index: number, groupOf: ((choice: T) => string) | undefined) {
  const [choice, before] = [choices[index], choices[index - 1]];
  if (!groupOf || choice === undefined) return undefined;
  const group = groupOf(choice);
  return before !== undefined && groupOf(before) === group ? undefined : group;
}

interface OptionProps {
  id: string;
  group: string | undefined;
  isCurrent: boolean;
  onPoint: () => void;
  onChoose: () => void;
  children: ReactNode;
}

const Option = ({ id, group, isCurrent, onPoint, onChoose, children }: OptionProps) => (
  <>
    {group !== undefined && (
      <div role="presentation" className="px-2 pt-2 pb-1 text-xs text-muted">
        {group}
      </div>
    )}
    {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys of all options */}
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={`flex h-9 items-center gap-3 rounded-md px-2 text-sm ${isCurrent ? 'bg-selected' : ''}`}
    >
      {children}
    </div>
  </>
);
