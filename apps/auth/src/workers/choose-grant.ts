import { type ErrorDetails, ValidationError } from '@millrace/contracts/kit/api-error';
import { labels, STEP_SIZES, stepSize, type StepSize } from '@millrace/contracts/runs/report';

/** Which steps a worker takes. */
export interface Placement {
  fleet: string;
  labels: Record<string, string>;
  sizes: StepSize[];
}

/** Reads what a join token allows, or what a joined worker was granted, from its row. */
export const readPlacement = (row: { fleet: string; labels: unknown; sizes: unknown }): Placement => ({
  fleet: row.fleet,
  labels: labels.parse(row.labels),
  sizes: stepSize.array().parse(row.sizes),
});

/**
 * What a worker gets that joins with a token: what it requests, or else all that the token allows.
 * @throws ValidationError if it requests something that the token does not allow
 */
export function chooseGrant(allowed: Placement, requested: Partial<Placement>): Placement {
  const problems: ErrorDetails = {};
  const { fleet = allowed.fleet, labels = allowed.labels, sizes = allowed.sizes } = requested;
  if (fleet !== allowed.fleet) problems['body.fleet'] = `must be ${allowed.fleet}, the fleet of the join token`;
  const label = Object.entries(labels).find(([name, value]) => allowed.labels[name] !== value);
  if (label) problems['body.labels'] = `must not contain ${label.join('=')}, which the join token does not allow`;
  const size = sizes.find((one) => !allowed.sizes.includes(one));
  if (size) problems['body.sizes'] = `must not contain ${size}: the join token allows ${allowed.sizes.join(', ')}`;
  if (Object.keys(problems).length > 0) throw new ValidationError(problems);
  return { fleet, labels, sizes: STEP_SIZES.filter((one) => sizes.includes(one)) };
}
