import { MAX_FIELDS } from '@millrace/query/parse/limits';

/** Says that a file or a view has all columns although some were chosen. */
export const AllColumnsNote = ({ subject }: { subject: 'file' | 'view' }) => (
  <p className="text-sm text-muted">
    The {subject} has all columns in the order of the table, because it can name at most {MAX_FIELDS}. Hide some columns
    to choose them.
  </p>
);
