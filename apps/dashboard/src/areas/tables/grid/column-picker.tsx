import { Popover } from '@base-ui/react/popover';
import type { Column } from '@millrace/client';
import { Button, IconButton } from '../../../ui/button.js';
import { TypeMark } from './grid-header.js';
import type { ColumnChoice } from './use-column-layout.js';

/** Which columns are shown, and in which order. */
export function ColumnPicker({ all, layout }: { all: readonly Column[]; layout: ColumnChoice }) {
  const shown = layout.columns.map(({ name }) => name);
  const hidden = all.filter(({ name }) => !shown.includes(name));
  return (
    <Popover.Root>
      <Popover.Trigger render={<Button icon="columns">Columns</Button>} />
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} className="z-40">
          <Popover.Popup className="flex max-h-[70vh] w-80 flex-col rounded-md bg-raised shadow-float outline-none">
            <Popover.Title className="px-3 pt-2.5 pb-1 text-sm font-semibold">Columns</Popover.Title>
            <ul className="min-h-0 flex-1 overflow-y-auto px-1 pb-1" aria-label="Columns">
              {layout.columns.map(({ name, type }, index) => (
                <Item
                  key={name}
                  column={{ name, type }}
                  isShown
                  isLast={shown.length === 1}
                  onToggle={() => layout.hide(name)}
                  onUp={index === 0 ? undefined : () => layout.move(name, shown[index - 1] ?? name)}
                  onDown={index === shown.length - 1 ? undefined : () => layout.move(name, shown[index + 1] ?? name)}
                />
              ))}
              {hidden.map((column) => (
                <Item
                  key={column.name}
                  column={column}
                  isShown={false}
                  onToggle={() => layout.choose([...shown, column.name])}
                />
              ))}
            </ul>
            <div className="border-t border-line p-2 text-right">
              <Button look="quiet" onClick={() => layout.choose(undefined)}>
                Reset
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface ItemProps {
  column: Pick<Column, 'name' | 'type'>;
  isShown: boolean;
  /** The last column cannot be hidden. */
  isLast?: boolean;
  onToggle: () => void;
  onUp?: (() => void) | undefined;
  onDown?: (() => void) | undefined;
}

function Item({ column: { name, type }, isShown, isLast = false, onToggle, onUp, onDown }: ItemProps) {
  return (
    <li className="group/item flex h-8 items-center gap-1 rounded-sm pr-1 hover:bg-hover">
      <label className="flex h-full min-w-0 flex-1 items-center gap-2 pl-2 text-sm">
        <input
          type="checkbox"
          checked={isShown}
          disabled={isLast}
          onChange={onToggle}
          className="size-4 accent-(--accent-9)"
        />
        <TypeMark type={type} />
        <span dir="auto" title={name} className={`truncate ${isShown ? '' : 'text-muted'}`}>
          {name}
        </span>
      </label>
      {isShown && (
        <span className="flex opacity-0 group-focus-within/item:opacity-100 group-hover/item:opacity-100">
          <IconButton icon="chevronUp" label={`Move ${name} up`} disabled={!onUp} onClick={onUp} className="size-6!" />
          <IconButton
            icon="chevronDown"
            label={`Move ${name} down`}
            disabled={!onDown}
            onClick={onDown}
            className="size-6!"
          />
        </span>
      )}
    </li>
  );
}
