import { keyNames } from './shortcuts.js';

/** A key combination, as small key caps. */
export const Keys = ({ keys }: { keys: string }) => (
  <span className="inline-flex gap-1">
    {keyNames(keys).map((name) => (
      <kbd key={name} className="rounded-sm border border-line bg-panel px-1 font-sans text-xs text-muted">
        {name}
      </kbd>
    ))}
  </span>
);
