import type { ColumnType } from '@millrace/contracts/datasets/datasets';

/** The former type that is recorded if a column changes its type; `from` is null if the column has no values. */
export const formerType = (from: ColumnType | null, to: ColumnType): ColumnType | null => (to === 'text' ? from : null);
