import { Select } from '../../../ui/field.js';
import { type Choice, idOf, isConflict, type MergeItem } from '../document/merge.js';
import { FieldChangeList } from './field-change-list.js';
import { labelItem } from './item-label.js';

interface MergeRowProps {
  item: MergeItem;
  choice: Choice | undefined;
  /** What the item becomes if nothing is chosen. */
  fallback: Choice;
  onChoose: (id: string, choice: Choice) => void;
}

/** One changed record: what each side did, and what the next version gets. */
export function MergeRow({ item, choice, fallback, onChoose }: MergeRowProps) {
  const label = labelItem(item);
  const hasConflict = isConflict(item);
  const value = choice ?? (hasConflict ? '' : fallback);
  const options: { value: Choice | ''; label: string }[] = [
    ...(hasConflict && choice === undefined ? [{ value: '' as const, label: 'Choose…' }] : []),
    { value: 'theirs', label: 'Theirs' },
    { value: 'mine', label: 'Yours' },
    ...(item.changedBy === 'both' && item.mine !== undefined && item.theirs !== undefined
      ? [{ value: 'combined' as const, label: hasConflict ? 'Both, yours where they differ' : 'Both' }]
      : []),
  ];
  return (
    <tbody className="border-b border-line align-top">
      <tr>
        <th scope="rowgroup" colSpan={2} dir="auto" className="wrap-text pt-2 pr-3 text-left font-medium">
          {label}
          {hasConflict && <span className="ml-2 text-xs font-normal text-failed">changed by both</span>}
        </th>
        <td rowSpan={2} className="py-2">
          <Select<Choice | ''>
            aria-label={`Next version of ${label}`}
            value={value}
            options={options}
            onChange={(next) => next !== '' && onChoose(idOf(item), next)}
          />
        </td>
      </tr>
      <tr>
        <td className="py-2 pr-3">
          <FieldChangeList before={item.base} after={item.theirs} />
        </td>
        <td className="py-2 pr-3">
          <FieldChangeList before={item.base} after={item.mine} />
        </td>
      </tr>
    </tbody>
  );
}
