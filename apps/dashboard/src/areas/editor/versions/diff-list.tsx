import { FieldChangeList } from '../conflict/field-change-list.js';
import { labelItem } from '../conflict/item-label.js';
import type { Diff } from '../document/diff.js';

/** Each changed record with its fields. */
export const DiffList = ({ diff }: { diff: Diff }) => (
  <section
    aria-label="Changed fields"
    className="w-110 shrink-0 overflow-y-auto border-l border-line max-lg:w-full max-lg:border-t max-lg:border-l-0"
  >
    {diff.length === 0 && <p className="p-4 text-sm text-muted">Both versions have the same data.</p>}
    <ul>
      {diff.map(({ table, key, before, after }) => (
        <li key={`${table} ${key}`} className="border-b border-line px-4 py-3">
          <h2 dir="auto" className="wrap-text mb-1 text-sm!">
            {labelItem({ table, key, base: before, mine: after, theirs: after })}
          </h2>
          <FieldChangeList before={before} after={after} />
        </li>
      ))}
    </ul>
  </section>
);
