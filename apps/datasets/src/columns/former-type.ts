import type { ColumnType } from '@millrace/contracts/datasets/datasets';

/** What is kept of a column's type when it becomes another; `from` is null where there are no values. */
export const formerType = (from: ColumnType | null, to: ColumnType): ColumnType | null => (to === 'text' ? from : null);
