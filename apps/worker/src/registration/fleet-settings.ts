import { z } from 'zod';
import { parseLabels, splitList } from '@millrace/contracts/runs/labels-text';
import {
  DEFAULT_FLEET,
  EXECUTOR_LABEL,
  fleetName,
  labels,
  STEP_SIZES,
  stepSize,
} from '@millrace/contracts/runs/report';

/** `gpu=true,zone=eu` as a record. */
const labelsSetting = z
  .string()
  .default('')
  .transform((text, context) => {
    const parsed = parseLabels(text);
    if (parsed) return parsed;
    context.addIssue({ code: 'custom', message: 'must be a list such as "gpu=true,zone=eu"' });
    return z.NEVER;
  })
  .pipe(labels)
  .refine((record) => record[EXECUTOR_LABEL] === undefined, {
    message: `must not contain the label "${EXECUTOR_LABEL}", which the worker sets itself`,
  });

const sizesSetting = z
  .string()
  .default(STEP_SIZES.join(','))
  .transform(splitList)
  .pipe(z.array(stepSize).min(1))
  .transform((sizes) => STEP_SIZES.filter((size) => sizes.includes(size)));

/** Which steps the worker takes. */
export const fleetSettings = {
  WORKER_FLEET: fleetName.default(DEFAULT_FLEET),
  WORKER_LABELS: labelsSetting,
  /** Sizes of steps that the worker runs. */
  WORKER_SIZES: sizesSetting,
};
