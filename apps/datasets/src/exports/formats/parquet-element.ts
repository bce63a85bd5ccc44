import type { SchemaElement } from 'hyparquet';
import type { ColumnType } from '@millrace/query/fields/column';

const TEXT: Omit<SchemaElement, 'name'> = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
};

/** Types in a Parquet file, with the old and the new annotations (parquet-format, LogicalTypes.md). */
const ELEMENTS: Record<ColumnType, Omit<SchemaElement, 'name'>> = {
  text: TEXT,
  inet: TEXT,
  uuid: TEXT,
  bigint: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  json: { type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } },
};

/** The schema of a column. Every column may have missing values. */
export const parquetElement = (name: string, type: ColumnType): SchemaElement => ({
  ...ELEMENTS[type],
  name,
  repetition_type: 'OPTIONAL',
});
