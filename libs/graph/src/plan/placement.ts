import { type WorkflowNode } from '../data/workflow-data.js';
import { compareNames } from '../parse/order-nodes.js';
import { type Segment, type Step } from './plan.js';

/** Where a node wants to run. */
export interface Placement {
  /** Name of a fleet; null for any. */
  fleet: string | null;
  /** Labels that the fleet must have, sorted by name. */
  labels: Record<string, string>;
}

export const ANYWHERE: Placement = { fleet: null, labels: {} };

/** The placement of a node: its own, or else that of the module which it is in. Labels of both apply; its own come first. */
export function findPlacement({ fleet, labels }: Pick<WorkflowNode, 'fleet' | 'labels'>, outer: Placement): Placement {
  if (fleet == null && labels == null) return outer;
  const all = Object.entries({ ...outer.labels, ...labels });
  const sorted = all.sort(([a], [b]) => compareNames(a, b));
  return { fleet: fleet ?? outer.fleet, labels: Object.fromEntries(sorted) };
}

/** The fields of a step for a placement; none for anywhere, so that the plans of most workflows keep their bytes. */
export function describePlacement({ fleet, labels }: Placement): Pick<Step, 'fleet' | 'labels'> {
  const hasLabels = Object.keys(labels).length > 0;
  return { ...(fleet !== null && { fleet }), ...(hasLabels && { labels }) };
}

type Placed = Pick<Step, 'fleet' | 'labels' | 'size'>;

/** Whether the same workers can run both steps. */
export const isSamePlace = (a: Placed, b: Placed): boolean => placeKey([a]) === placeKey([b]);

/** What the workers of a segment must have. */
export interface Requirement extends Placement {
  sizes: readonly string[];
}

/**
 * The requirement of a segment as a text, equal for equal requirements. Null if all of its steps are small and run anywhere,
 * which is what most segments need. Segments of earlier versions have steps of several sizes.
 */
export function requirementKey(steps: readonly Step[], segment: Segment): string | null {
  return placeKey(segment.steps.flatMap((index) => steps[index] ?? []));
}

function placeKey(steps: readonly Placed[]): string | null {
  const [first] = steps;
  const sizes = [...new Set(steps.map(({ size }) => size))].sort();
  const isPlain = first?.fleet === undefined && first?.labels === undefined && sizes.every((size) => size === 'small');
  return isPlain ? null : JSON.stringify([first?.fleet ?? null, Object.entries(first?.labels ?? {}), sizes]);
}

/** The requirement of a key; that of null is a small step anywhere. */
export function readRequirement(key: string | null): Requirement {
  if (key === null) return { ...ANYWHERE, sizes: ['small'] };
  const [fleet, labels, sizes] = JSON.parse(key) as [string | null, [string, string][], string[]];
  return { fleet, labels: Object.fromEntries(labels), sizes };
}

/** What a worker has, or all workers of a fleet. */
export interface Offer {
  /** Name of the fleet. */
  name: string;
  labels: Readonly<Record<string, string>>;
  sizes: readonly string[];
}

/** Whether a worker may run the steps of a requirement. */
export function meetsRequirement(offer: Offer, required: Requirement): boolean {
  if (required.fleet !== null && required.fleet !== offer.name) return false;
  if (!required.sizes.every((size) => offer.sizes.includes(size))) return false;
  return Object.entries(required.labels).every(([label, value]) => offer.labels[label] === value);
}
