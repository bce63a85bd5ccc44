/** A row that can be selected. */
export interface Selectable {
  isChosen: boolean;
  onToggle: () => void;
}

/** The checkbox of a row, above the link that covers the row. */
export const SelectBox = ({ label, isChosen, onToggle }: Selectable & { label: string }) => (
  <input
    type="checkbox"
    aria-label={label}
    checked={isChosen}
    onChange={onToggle}
    className="relative z-1 block size-4 accent-(--accent-9)"
  />
);
