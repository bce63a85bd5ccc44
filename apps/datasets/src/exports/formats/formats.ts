import type { ExportFormat } from '@millrace/contracts/datasets/exports';
import { CSV_FORMAT } from './csv-format.js';
import type { Format } from './format.js';
import { JSON_FORMAT, NDJSON_FORMAT } from './json-format.js';
import { PARQUET_FORMAT } from './parquet-format.js';

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  csv: CSV_FORMAT,
  json: JSON_FORMAT,
  ndjson: NDJSON_FORMAT,
  parquet: PARQUET_FORMAT,
};
