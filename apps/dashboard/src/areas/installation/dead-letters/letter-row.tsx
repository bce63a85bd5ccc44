import type { DeadLetter } from '@millrace/client';
import { SelectBox, type Selectable } from '../../../ui/select-box.js';
import { CELL } from '../../../ui/table.js';
import { Time } from '../../../ui/time.js';
import { NOTE, RecordRow } from '../parts/record-row.js';
import { FROM_MEDIUM, FROM_WIDE, type Column } from '../parts/record-table.js';

export const LETTER_COLUMNS: readonly Column[] = [
  { title: 'Event or job' },
  { title: 'Kind', className: FROM_MEDIUM },
  { title: 'Service', className: FROM_MEDIUM },
  { title: 'Attempts', className: `text-right ${FROM_WIDE}` },
  { title: 'Failed' },
];

interface LetterRowProps extends Selectable {
  letter: DeadLetter;
  isOpen: boolean;
}

export function LetterRow({ letter, isOpen, ...selection }: LetterRowProps) {
  const { id, name, kind, service, error, attempts, failed_date: failed, retrying } = letter;
  return (
    <RecordRow
      id={id}
      name={name}
      isOpen={isOpen}
      before={
        <td className={`${CELL} w-8 pr-0!`}>
          <SelectBox label={`Select ${name}, ${id}`} {...selection} />
        </td>
      }
      note={
        retrying ? (
          <span className="text-xs whitespace-nowrap text-running">about to be handled again</span>
        ) : (
          <span className={`${NOTE} text-failed`} title={error}>
            {error.split('\n', 1)[0]}
          </span>
        )
      }
    >
      <td className={`${CELL} text-muted ${FROM_MEDIUM}`}>{kind}</td>
      <td className={`${CELL} text-muted ${FROM_MEDIUM}`}>{service}</td>
      <td className={`${CELL} nums text-right text-muted ${FROM_WIDE}`}>{attempts}</td>
      <td className={`${CELL} text-muted`}>
        <Time value={failed} />
      </td>
    </RecordRow>
  );
}
