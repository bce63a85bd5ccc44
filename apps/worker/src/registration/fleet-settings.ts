import { z } from 'zod';
import { DEFAULT_FLEET, fleetName, labels, STEP_SIZES, stepSize } from '@millrace/contracts/runs/report';

/** `gpu=true,zone=eu` as a record. */
const labelsSetting = z
  .string()
  .default('')
  .transform((text, context) => {
    const entries = splitList(text).map((part): [name: string, value: string] => {
      const at = part.indexOf('=');
      return at < 0 ? [part, ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
    if (entries.every(([name, value]) => name !== '' && value !== '')) return Object.fromEntries(entries);
    context.addIssue({ code: 'custom', message: 'must be a list such as "gpu=true,zone=eu"' });
    return z.NEVER;
  })
  .pipe(labels);

const sizesSetting = z
  .string()
  .default(STEP_SIZES.join(','))
  .transform(splitList)
  .pipe(z.array(stepSize).min(1))
  .transform((sizes) => STEP_SIZES.filter((size) => sizes.includes(size)));

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Which steps the worker takes. */
export const fleetSettings = {
  WORKER_FLEET: fleetName.default(DEFAULT_FLEET),
  WORKER_LABELS: labelsSetting,
  /** Sizes of steps that the worker runs. */
  WORKER_SIZES: sizesSetting,
};
