import { NumberField } from '../number-field.js';

/** The limit of the API. */
const MAX_PARALLELISM = 10_000;

interface ParallelismFieldProps {
  value: number | undefined;
  /** Shown if there is no value. */
  placeholder?: string;
  onChange: (value: number | undefined) => void;
}

export const ParallelismField = (props: ParallelismFieldProps) => (
  <NumberField label="Parallelism" hint="Subjobs that run at the same time." min={1} max={MAX_PARALLELISM} {...props} />
);
