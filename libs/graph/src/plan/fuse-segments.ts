import { type Expansion, type StepDraft } from './expansion.js';
import { isSamePlace } from './placement.js';
import { type Segment, type Step } from './plan.js';

type Need = Segment['needs'][number];
/** What a step needs, by step. `data`: it takes data from there; otherwise it only starts later. */
type StepNeeds = Map<number, { how: Need['how']; data: boolean }>;

/**
 * Fuses chains of steps into segments. B joins the segment of A if B depends on A only, takes data from A, B is A's only
 * consumer, both are in the same scope, and neither a split, a gather, an approval nor a condition is between them. A step
 * whose failure counts as an empty output ends its segment, because the engine inserts that output. Steps of different
 * sizes, fleets or labels are in different segments, because they may need different workers. Returns the steps with their
 * segments, and the segments in topological order with their dependencies.
 */
export function fuseSegments(expansion: Pick<Expansion, 'steps' | 'scopes' | 'orders'>): {
  steps: Step[];
  segments: Segment[];
} {
  const { steps: drafts } = expansion;
  const needs = drafts.map((draft) => findStepNeeds(draft, expansion));
  const consumers = countConsumers(needs);
  const segmentOf: number[] = [];
  const segments: Segment[] = [];
  for (const draft of drafts) {
    const previous = findPredecessor(draft, needs, consumers, drafts);
    const joined = previous === null ? undefined : segments[segmentOf[previous] ?? -1];
    if (joined === undefined)
      segments.push({ index: segments.length, steps: [draft.index], scope: draft.scope, needs: [] });
    else joined.steps.push(draft.index);
    segmentOf[draft.index] = (joined ?? segments.at(-1))?.index ?? 0;
  }
  for (const segment of segments) segment.needs = findSegmentNeeds(segment, needs, segmentOf, expansion);
  return { steps: drafts.map((draft) => withSegment(draft, segmentOf[draft.index] ?? 0)), segments };
}

/** Finds the steps that must end before this one. `each`: the step's child of the same index; `all`: all of its children. */
function findStepNeeds(
  draft: StepDraft,
  { steps, scopes, orders }: Pick<Expansion, 'steps' | 'scopes' | 'orders'>,
): StepNeeds {
  const ownSplit = draft.scope === null ? undefined : scopes[draft.scope]?.split;
  const needs: StepNeeds = new Map();
  const isSameScope = (step: number): boolean => draft.scope !== null && steps[step]?.scope === draft.scope;
  for (const { binding } of draft.inputs) {
    if (binding.from !== 'step') continue;
    if (!isSameScope(binding.step) || binding.gather) needs.set(binding.step, { how: 'all', data: true });
    else if (!needs.has(binding.step)) needs.set(binding.step, { how: 'each', data: true });
  }
  for (const step of orders.get(draft.index) ?? []) {
    // Without the end of its split, the step has no children that could start.
    if (step === ownSplit) continue;
    if (!needs.has(step)) needs.set(step, { how: isSameScope(step) ? 'each' : 'all', data: false });
  }
  return needs;
}

function countConsumers(needs: StepNeeds[]): number[] {
  const consumers = needs.map(() => 0);
  for (const stepNeeds of needs) for (const step of stepNeeds.keys()) consumers[step] = (consumers[step] ?? 0) + 1;
  return consumers;
}

function findPredecessor(
  draft: StepDraft,
  needs: StepNeeds[],
  consumers: number[],
  drafts: StepDraft[],
): number | null {
  const [only, ...others] = needs[draft.index] ?? [];
  if (only === undefined || others.length > 0) return null;
  const [step, { how, data }] = only;
  const previous = drafts[step];
  if (previous === undefined || previous.scope !== draft.scope || consumers[step] !== 1) return null;
  if (!data || draft.when !== undefined || previous.onError === 'empty') return null;
  if (!isFusible(previous) || !isFusible(draft) || !isSamePlace(previous, draft)) return null;
  return draft.scope === null || how === 'each' ? step : null;
}

const isFusible = ({ program }: StepDraft): boolean => program.kind === 'script' || program.kind === 'command';

/** Only the first step of a segment depends on other segments. A segment in a scope also depends on the scope's split. */
function findSegmentNeeds(
  segment: Segment,
  needs: StepNeeds[],
  segmentOf: number[],
  { scopes }: Pick<Expansion, 'scopes'>,
): Need[] {
  const merged: StepNeeds = new Map();
  if (segment.scope !== null)
    merged.set(segmentOf[scopes[segment.scope]?.split ?? -1] ?? 0, { how: 'all', data: true });
  for (const [step, { how, data }] of needs[segment.steps[0] ?? -1] ?? []) {
    const index = segmentOf[step] ?? 0;
    const other = merged.get(index);
    merged.set(index, { how: other?.how === 'all' ? 'all' : how, data: data || other?.data === true });
  }
  return [...merged]
    .sort(([a], [b]) => a - b)
    .map(([index, { how, data }]) => ({ segment: index, how, ...(data ? {} : { ordersOnly: true }) }));
}

function withSegment(draft: StepDraft, segment: number): Step {
  const { scope, retries, timeoutSeconds, cache, network, size, ...rest } = draft;
  return { ...rest, segment, scope, retries, timeoutSeconds, cache, network, size };
}
